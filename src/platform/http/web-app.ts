import { existsSync, globSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import type { FastifyReply } from 'fastify';
import type { HttpApp } from './app-type.ts';
import { encodeDocument, type EncodedDocument, readEncodedDocument, sendEncodedDocument } from './encoded-document.ts';
import { allowInlineCode } from './security-headers.ts';

/** Location of the built web app and the paths of its pages. */
interface WebAppOptions {
  /** The folder with `index.html`, `pages/` and `assets/`. If it contains none, there is no web app. */
  root: string | undefined;
  /** Exact paths of pages. Any other path that requests HTML receives the app with status 404. */
  pages: readonly string[];
  /** Exact paths of built pages that are documents of their own and use no session. */
  standalonePages: readonly string[];
  /** Pages whose path may have one more segment. */
  pagesWithSubpath: readonly string[];
  /** URL of the identity provider's Frontend API. */
  frontendApiUrl: string;
  /** Address of the deployment, for links that need a whole URL. */
  baseUrl: string;
}

/** Types of the files that the build writes beside the pages. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** Reads a file of the web app. `name` is its path in the folder. */
async function readWebFile(root: string, name: string) {
  const type = CONTENT_TYPES[extname(name)];
  if (type === undefined) throw new Error(`${name} has no content type: add it in web-app.ts.`);
  const path = `/${name.replaceAll(sep, '/')}`;
  const isHashed = path.startsWith('/assets/');
  const cacheControl = isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600';
  return { path, type, cacheControl, document: await readEncodedDocument(join(root, name)) };
}

/** Completes the address of the picture that shared links show, since their readers accept only a whole URL. */
async function completeImageAddress(document: EncodedDocument, baseUrl: string): Promise<EncodedDocument> {
  const text = document.plain.toString();
  const completed = text.replace(
    /(<meta property="og:image" content=")(\/[^"]+")/,
    (_all, start: string, path: string) => start + baseUrl.replace(/\/$/, '') + path,
  );
  return completed === text ? document : encodeDocument(completed);
}

/**
 * Loads the built web app for serving. Hashed assets are cached for a year, and the documents of pages are never
 * cached.
 */
export async function readWebApp(options: WebAppOptions) {
  const { root, pages, standalonePages, pagesWithSubpath, frontendApiUrl, baseUrl } = options;
  if (root === undefined || !existsSync(join(root, 'index.html'))) return undefined;
  // Every page of the app fetches this URL first. Without the page's credentials mode the preload would be fetched twice.
  const link = `<${frontendApiUrl.replace(/\/$/, '')}/v1/client>; rel=preload; as=fetch; crossorigin=use-credentials`;
  const createSender = (
    status: number,
    document: EncodedDocument,
    pageHeaders: Record<string, string> = { link },
  ): ((reply: FastifyReply) => FastifyReply) => {
    let policy: string | undefined;
    return (reply) => {
      // This runs after the hook that sets the policy of every response. The document adds its own hashes.
      const basePolicy = reply.raw.getHeader('content-security-policy');
      if (typeof basePolicy !== 'string')
        throw new Error('The content security policy must be set before a document is sent.');
      policy ??= allowInlineCode(basePolicy, document.plain.toString());
      const headers = { ...pageHeaders, 'cache-control': 'no-cache', 'content-security-policy': policy };
      return sendEncodedDocument(reply.code(status).headers(headers).type('text/html; charset=utf-8'), document);
    };
  };

  const documents = await Promise.all(
    [...pages, ...standalonePages].map(async (page) => {
      const built = await readEncodedDocument(join(root, 'pages', page, 'index.html'));
      const document = await completeImageAddress(built, baseUrl);
      return { page, send: createSender(200, document, standalonePages.includes(page) ? {} : { link }) };
    }),
  );
  // Responses share a file's bytes. A file that each response reads would take memory for each slow client.
  const names = globSync('**/*.*', { cwd: root, exclude: ['**/*.html', '**/*.br', '**/*.gz'] });
  const files = await Promise.all(names.map((name) => readWebFile(root, name)));
  return {
    /** Sends the app's document with 404, so that a person sees its page for unknown paths. */
    notFoundPage: createSender(404, await readEncodedDocument(join(root, 'index.html'))),
    async register(app: HttpApp): Promise<void> {
      for (const { path, type, cacheControl, document } of files)
        app.get(path, async (_request, reply) =>
          sendEncodedDocument(reply.type(type).header('cache-control', cacheControl), document),
        );
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
