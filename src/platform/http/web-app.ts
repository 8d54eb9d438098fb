import { existsSync } from 'node:fs';
import { join } from 'node:path';
import serveStatic from '@fastify/static';
import type { FastifyReply } from 'fastify';
import type { HttpApp } from './app-type.ts';
import { type EncodedDocument, readEncodedDocument, sendEncodedDocument } from './encoded-document.ts';
import { allowInlineCode } from './security-headers.ts';

/** Location of the built web app and the paths of its pages. */
interface WebAppOptions {
  /** The folder with `index.html`, `pages/` and `assets/`. If it contains none, there is no web app. */
  root: string | undefined;
  /** Exact paths of pages. Any other path that requests HTML receives the app with status 404. */
  pages: readonly string[];
  /** Pages whose path may have one more segment. */
  pagesWithSubpath: readonly string[];
  /** URL of the identity provider's Frontend API. */
  frontendApiUrl: string;
}

/**
 * Loads the built web app for serving. Hashed assets are cached for a year, and the documents of pages are never
 * cached.
 */
export async function readWebApp(options: WebAppOptions) {
  const { root, pages, pagesWithSubpath, frontendApiUrl } = options;
  if (root === undefined || !existsSync(join(root, 'index.html'))) return undefined;
  // Every page fetches this URL first. Without the page's credentials mode the preload would be fetched twice.
  const link = `<${frontendApiUrl.replace(/\/$/, '')}/v1/client>; rel=preload; as=fetch; crossorigin=use-credentials`;
  const createSender = (status: number, document: EncodedDocument): ((reply: FastifyReply) => FastifyReply) => {
    let policy: string | undefined;
    return (reply) => {
      // This runs after the hook that sets the policy of every response. The document adds its own hashes.
      const basePolicy = reply.raw.getHeader('content-security-policy');
      if (typeof basePolicy !== 'string')
        throw new Error('The content security policy must be set before a document is sent.');
      policy ??= allowInlineCode(basePolicy, document.text);
      const headers = { 'cache-control': 'no-cache', link, 'content-security-policy': policy };
      return sendEncodedDocument(reply.code(status).headers(headers).type('text/html; charset=utf-8'), document);
    };
  };

  const documents = await Promise.all(
    pages.map(async (page) => ({
      page,
      send: createSender(200, await readEncodedDocument(join(root, 'pages', page, 'index.html'))),
    })),
  );
  return {
    /** Sends the app's document with 404, so that a person sees its page for unknown paths. */
    notFoundPage: createSender(404, await readEncodedDocument(join(root, 'index.html'))),
    async register(app: HttpApp): Promise<void> {
      await app.register(serveStatic, {
        root,
        wildcard: false,
        // The documents have separate routes, below.
        globIgnore: ['**/*.html*'],
        index: false,
        preCompressed: true,
        cacheControl: false,
        setHeaders: (response, path) => {
          const isHashed = path.includes('/assets/') || path.includes('\\assets\\');
          response.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
        },
      });
      for (const { page, send } of documents) {
        app.get(page, async (_request, reply) => send(reply));
        if (pagesWithSubpath.includes(page)) app.get(`${page}/:part`, async (_request, reply) => send(reply));
        if (page !== '/')
          app.get(`${page}/`, async (request, reply) =>
            reply.redirect(page + (/\?.*$/s.exec(request.url)?.[0] ?? ''), 308),
          );
      }
    },
  };
}
