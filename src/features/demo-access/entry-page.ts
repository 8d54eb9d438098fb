import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { readEncodedDocument, sendEncodedDocument } from '../../platform/http/encoded-document.ts';
import { computeInlineHashes } from '../../platform/http/security-headers.ts';

/** Path of the page. */
export const ENTRY_PATH = '/demo-access';

/**
 * Returns the URL for routing. The entry page's path, alone or before `code=` or a character that ends its name, in any
 * case and any number of encodings, becomes the bare path. Other URLs are unchanged. Mail programs encode or drop the `#` of a link. The code
 * of the link is then sent to the server and must not be logged.
 */
export function rewriteEntryPageUrl(url: string): string {
  const decoded = url.replace(/%(?:25)*([0-9a-f]{2})/gi, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return /^\/+demo-access(?:code=|[^\w-]|$)/i.test(decoded) ? ENTRY_PATH : url;
}

interface EntryPageOptions {
  /** Directory of the built web app. Without an entry page in it no page is served. */
  webRoot?: string | undefined;
  /** Additional origin that the page may call: the Frontend API of a hosted identity provider. */
  connectTo?: string | undefined;
}

/**
 * Adds `GET /demo-access`, the target of a demo link. It returns 200 without a redirect, because browsers carry a
 * fragment over to the target of a redirect. The page reads the code only from the fragment.
 */
export async function addEntryPage(app: HttpApp, { webRoot, connectTo }: EntryPageOptions): Promise<void> {
  const file = webRoot && join(webRoot, 'demo-access', 'index.html');
  if (!file || !existsSync(file)) return;
  const document = await readEncodedDocument(file);
  const headers = getEntryPageHeaders(document.plain.toString(), connectTo);
  app.get(ENTRY_PATH, async (_request, reply) => sendEncodedDocument(reply.headers(headers), document));
}

/** Returns additional headers of the page: a policy that allows only its own script, style and font, and `no-store`. */
export function getEntryPageHeaders(document: string, connectTo: string | undefined): Record<string, string> {
  const policy = {
    'default-src': ["'none'"],
    'script-src': computeInlineHashes(document, 'script'),
    'style-src': computeInlineHashes(document, 'style'),
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...(connectTo ? [connectTo] : [])],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ["'none'"],
  };
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': Object.entries(policy)
      .map(([directive, values]) => `${directive} ${values.join(' ')}`)
      .join(';'),
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex, nofollow',
  };
}
