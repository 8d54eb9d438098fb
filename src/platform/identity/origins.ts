import type { IncomingHttpHeaders } from 'node:http';

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/** The origin of `baseUrl` and, where that is a loopback address, its other spellings on the same port. */
export function listAllowedOrigins(baseUrl: string): ReadonlySet<string> {
  const { origin, hostname, protocol, port } = new URL(baseUrl);
  if (!LOOPBACK.includes(hostname)) return new Set([origin]);
  return new Set(LOOPBACK.map((host) => `${protocol}//${host}${port ? `:${port}` : ''}`));
}

type OriginHeaders = Pick<IncomingHttpHeaders, 'origin' | 'sec-fetch-site'>;

/** Where the page that sent a request comes from. `unsaid`: no browser's header at all, as from a command line. */
export function classifyOrigin(headers: OriginHeaders, allowed: ReadonlySet<string>): 'same' | 'foreign' | 'unsaid' {
  if (headers.origin !== undefined) return allowed.has(headers.origin) ? 'same' : 'foreign';
  const site = headers['sec-fetch-site'];
  if (site === undefined) return 'unsaid';
  return site === 'same-origin' ? 'same' : 'foreign';
}
