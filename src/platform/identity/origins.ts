import type { IncomingHttpHeaders } from 'node:http';

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/** Returns the origin of `baseUrl`. For a loopback address it adds the other names on that port. */
export function listAllowedOrigins(baseUrl: string): ReadonlySet<string> {
  const { origin, hostname, protocol, port } = new URL(baseUrl);
  if (!LOOPBACK.includes(hostname)) return new Set([origin]);
  return new Set(LOOPBACK.map((host) => `${protocol}//${host}${port ? `:${port}` : ''}`));
}

type OriginHeaders = Pick<IncomingHttpHeaders, 'origin' | 'sec-fetch-site'>;

/**
 * Classifies the origin of the page that sent a request. Returns `unknown` without a browser's header, as from a
 * command line.
 */
export function classifyOrigin(headers: OriginHeaders, allowed: ReadonlySet<string>): 'same' | 'foreign' | 'unknown' {
  if (headers.origin !== undefined) return allowed.has(headers.origin) ? 'same' : 'foreign';
  const site = headers['sec-fetch-site'];
  if (site === undefined) return 'unknown';
  return site === 'same-origin' ? 'same' : 'foreign';
}
