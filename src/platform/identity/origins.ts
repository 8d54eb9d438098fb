import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../errors.ts';

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/** Returns the origin of `baseUrl`. For a loopback address it adds the other names on that port. */
export function listAllowedOrigins(baseUrl: string): ReadonlySet<string> {
  const { origin, hostname, protocol, port } = new URL(baseUrl);
  if (!LOOPBACK.includes(hostname)) return new Set([origin]);
  return new Set(LOOPBACK.map((host) => `${protocol}//${host}${port ? `:${port}` : ''}`));
}

type OriginHeaders = Pick<IncomingHttpHeaders, 'origin' | 'sec-fetch-site' | 'host'>;

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

/**
 * Returns what to do if a page of this service sent the request, but from another address than BASE_URL: with http for
 * https, with www, or by an IP address. Returns `undefined` if another site's page sent it.
 */
export function explainOriginMismatch(
  { origin, host, 'sec-fetch-site': site }: OriginHeaders,
  allowed: ReadonlySet<string>,
): string | undefined {
  if (origin === undefined || allowed.has(origin) || !URL.canParse(origin)) return undefined;
  if (site !== 'same-origin' && new URL(origin).host !== host) return undefined;
  const [expected] = allowed;
  return (
    `This page was opened at ${origin}, but the address of the service is ${expected}. Open it there. ` +
    `If you run the service: set BASE_URL to ${origin}, or redirect to ${expected}.`
  );
}

/** Creates the error of a write that another origin sent with a cookie. */
export function createCrossOriginError(headers: OriginHeaders, allowed: ReadonlySet<string>): AppError {
  const message = explainOriginMismatch(headers, allowed);
  return new AppError('CROSS_ORIGIN', message === undefined ? {} : { message });
}
