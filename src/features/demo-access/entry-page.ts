import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { inlineHashes } from '../../platform/http/security-headers.ts';

/** The page's path. */
export const ENTRY_PATH = '/demo-access';

/**
 * The address under which a request is routed: the bare one of the entry page for all that begin with it, in any case
 * and encoded any number of times; each other one as it is. Mail programs encode or drop the `#` of a link, and then
 * its code reaches the server, where no log may hold it.
 */
export function rewriteEntryPageUrl(url: string): string {
  const decoded = url.replace(/%(?:25)*([0-9a-f]{2})/gi, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return /^\/+demo-access(?:code=|[^\w-]|$)/i.test(decoded) ? ENTRY_PATH : url;
}

interface EntryPageOptions {
  /** The folder of the built web app; where it holds no entry page there is none. */
  webRoot?: string | undefined;
  /** The one other origin that the page may call: a hosted identity provider's Frontend API. */
  connectTo?: string | undefined;
}

/**
 * `GET /demo-access`: the page that a demo link opens. Always 200 on the very address, since browsers carry a fragment
 * along where they are redirected. It reads a code from the fragment alone.
 */
export async function addEntryPage(app: HttpApp, { webRoot, connectTo }: EntryPageOptions): Promise<void> {
  const document = webRoot && (await readBuiltPage(join(webRoot, 'demo-access', 'index.html')));
  if (!document) return;
  const headers = getEntryPageHeaders(document, connectTo);
  app.get(ENTRY_PATH, async (_request, reply) => reply.headers(headers).serializer(String).send(document));
}

const readBuiltPage = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });

/** No feature of a browser that the page could be made to use; a name that a browser does not know is a warning. */
const DENIED_FEATURES = [
  ...['accelerometer', 'autoplay', 'browsing-topics', 'camera', 'clipboard-read', 'clipboard-write'],
  ...['display-capture', 'encrypted-media', 'fullscreen', 'gamepad', 'geolocation', 'gyroscope', 'hid'],
  ...['idle-detection', 'keyboard-map', 'local-fonts', 'magnetometer', 'microphone', 'midi'],
  ...['otp-credentials', 'payment', 'picture-in-picture', 'publickey-credentials-get'],
  ...['screen-wake-lock', 'serial', 'storage-access', 'sync-xhr', 'usb', 'window-management'],
  'xr-spatial-tracking',
];

/** The headers of the page on top of those that every answer has: its script and its style alone, and no store. */
export function getEntryPageHeaders(document: string, connectTo: string | undefined): Record<string, string> {
  const policy = {
    'default-src': ["'none'"],
    'script-src': inlineHashes(document, 'script'),
    'style-src': inlineHashes(document, 'style'),
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
    'permissions-policy': DENIED_FEATURES.map((feature) => `${feature}=()`).join(', '),
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex, nofollow',
  };
}
