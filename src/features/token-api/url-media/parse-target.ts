import type { FetchProblem } from './fetch-problem.ts';

/** A URL whose text allows a fetch, or the problem. */
type Target = { ok: true; url: URL } | { ok: false; problem: FetchProblem };

const MAX_URL_LENGTH = 8_192;

/**
 * Parses a URL and checks scheme, port, credentials and local names without the network. The parser converts every
 * notation of an IPv4 address (decimal, octal, hexadecimal, shortened, full-width) into the usual one.
 * @param base the URL that a redirect's `Location` is relative to
 */
export function parseTarget(text: string, base?: URL): Target {
  const url = text.length <= MAX_URL_LENGTH ? URL.parse(text, base?.href) : null;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return rejectedTarget('invalid');
  if (url.username !== '' || url.password !== '') return rejectedTarget('credentials');
  // The parser omits the default port of a scheme.
  if (url.port !== '') return rejectedTarget('port');
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  url.hash = '';
  return isLocalhost(url.hostname) ? rejectedTarget('not_public') : { ok: true, url };
}

/** Returns the target of a redirect, never from https to http. Rejects credentials, as for a first URL. */
export function parseRedirect(location: string | undefined, from: URL): Target {
  if (location === undefined) return rejectedTarget('status');
  const target = parseTarget(location, from);
  if (!target.ok) return target.problem === 'not_public' ? target : rejectedTarget('redirect_target');
  return from.protocol === 'https:' && target.url.protocol !== 'https:' ? rejectedTarget('redirect_target') : target;
}

const isLocalhost = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost');

const rejectedTarget = (problem: FetchProblem): Target => ({ ok: false, problem });
