const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Origins that count as this site: the one of `baseUrl` and, where that is a loopback address, its other spellings on the
 * same port, so that a newcomer may type `localhost` for `127.0.0.1`.
 */
export function allowedOrigins(baseUrl: string): ReadonlySet<string> {
  const { origin, hostname, protocol, port } = new URL(baseUrl);
  if (!LOOPBACK.includes(hostname)) return new Set([origin]);
  return new Set(LOOPBACK.map((host) => `${protocol}//${host}${port ? `:${port}` : ''}`));
}

interface OriginHeaders {
  origin?: string | undefined;
  'sec-fetch-site'?: string | string[] | undefined;
}

/** What a request says about the page that sent it. `unsaid`: no browser's header at all, as from a command line. */
export function originOf(headers: OriginHeaders, allowed: ReadonlySet<string>): 'same' | 'foreign' | 'unsaid' {
  if (headers.origin !== undefined) return allowed.has(headers.origin) ? 'same' : 'foreign';
  const site = headers['sec-fetch-site'];
  if (site === undefined) return 'unsaid';
  return site === 'same-origin' ? 'same' : 'foreign';
}
