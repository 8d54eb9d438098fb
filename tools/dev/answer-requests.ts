import { readFile } from 'node:fs/promises';
import { type IncomingMessage, request as ask, type RequestListener, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { ViteDevServer } from 'vite';
import { ENTRY_PATH, getEntryPageHeaders, rewriteEntryPageUrl } from '../../src/features/demo-access/entry-page.ts';
import { toRoutePath, routePaths } from '../../src/ui/shell/route-paths.ts';
import { buildEntryPage } from '../build-web/entry-page.ts';
import type { SupervisedServer } from './supervise-server.ts';

/** Page of all components, which only this server has. */
const GALLERY_PATH = '/dev/ui';
const API_REFERENCE_PATH = '/docs';

/**
 * Routes requests on one origin, as in production. Documents and modules come from Vite, everything else from the
 * server. So sessions, cookies and the content security policy match the product.
 */
export function createRequestListener(vite: ViteDevServer, server: SupervisedServer): RequestListener {
  const handleRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '/').replace(/\?.*$/s, '').replace(/(?<=.)\/$/, '');
    const isPage = request.method === 'GET' && routePaths.some((page) => page === toRoutePath(path));
    if (isPage) return sendDocument(vite, await server.url(), { status: 200 }, request, response);
    if (isRead(request) && path === GALLERY_PATH)
      return sendDocument(vite, await server.url(), { status: 200, file: 'gallery/index.html' }, request, response);
    if (isRead(request) && path === API_REFERENCE_PATH)
      return sendDocument(
        vite,
        await server.url(),
        { status: 200, file: 'api-reference/index.html' },
        request,
        response,
      );
    if (isRead(request) && rewriteEntryPageUrl(path) === ENTRY_PATH)
      return sendEntryPage(vite, await server.url(), request, response);
    await new Promise<void>((resolve, reject) =>
      vite.middlewares(request, response, (error?: Error) => (error ? reject(error) : resolve())),
    );
    await forward(vite, await server.url(), request, response);
  };
  return (request, response) => {
    handleRequest(request, response).catch((error: Error) => {
      if (!response.headersSent) response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(`${error.message}\n`);
    });
  };
}

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

/** Sends the page of demo links, rebuilt each time, with its own headers. */
async function sendEntryPage(
  vite: ViteDevServer,
  serverUrl: string,
  { method }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const document = await buildEntryPage([vite.config.build.target].flat().map(String));
  const policy = (await fetch(`${serverUrl}/healthz`)).headers.get('content-security-policy') ?? '';
  const connectTo = /connect-src 'self' ([^;]+)/.exec(policy)?.[1];
  response.writeHead(200, getEntryPageHeaders(document, connectTo));
  response.end(method === 'HEAD' ? undefined : document);
}

/** Forwards a request unchanged. An unknown page requested by a person gets the app's own page, as in production. */
function forward(
  vite: ViteDevServer,
  serverUrl: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const { method, headers } = request;
    const proxyRequest = ask(new URL(serverUrl), { path: request.url, method, headers }, (proxied) => {
      if (proxied.statusCode === 404 && headers.accept?.includes('text/html')) {
        proxied.resume();
        sendDocument(vite, serverUrl, { status: 404 }, request, response).then(resolve, reject);
        return;
      }
      response.writeHead(proxied.statusCode ?? 502, proxied.headers);
      proxied.pipe(response);
      proxied.on('error', reject).on('end', resolve);
    });
    proxyRequest.on('error', reject);
    response.on('close', () => proxyRequest.destroy());
    request.pipe(proxyRequest);
  });
}

/** Sends the document with Vite's client, under the server's policy and a nonce for Vite's additions. */
async function sendDocument(
  vite: ViteDevServer,
  serverUrl: string,
  { status, file = 'index.html' }: { status: number; file?: string },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const source = await readFile(join(vite.config.root, file), 'utf8');
  const html = await vite.transformIndexHtml(`/${file}`, source, request.url);
  const policy = (await fetch(`${serverUrl}/healthz`)).headers.get('content-security-policy') ?? '';
  const nonce = `'self' 'nonce-${vite.config.html?.cspNonce}'`;
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': policy
      .replace("script-src 'self'", `script-src ${nonce}`)
      .replace("style-src 'self'", `style-src ${nonce}`)
      // Some browsers do not match a WebSocket of the page's origin with 'self'.
      .replace("connect-src 'self'", `connect-src 'self' ws://${request.headers.host}`),
  });
  response.end(html);
}
