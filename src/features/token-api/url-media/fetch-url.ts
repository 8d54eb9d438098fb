import { isIP } from 'node:net';
import type { FetchProblem } from './fetch-problem.ts';
import type { UrlNetwork } from './network.ts';
import { openPinned, type PinnedResponse } from './open-pinned.ts';
import { FILE_KINDS, type FileRead, readFile } from './read-file.ts';
import { parseRedirect } from './parse-target.ts';
import { LimitExceededError } from './url-fetch-limiter.ts';
import type { RequestedUrl } from './requested-url.ts';

const MAX_REDIRECTS = 3;
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
/** Maximum number of addresses that are tried for one name. */
const MAX_ADDRESSES = 4;

interface FetchContext {
  network: UrlNetwork;
  /** Aborted at the timeout or when the client disconnects. */
  signal: AbortSignal;
  /**
   * Called for each connection (0 bytes) and with bytes before they are stored. A thrown `LimitExceededError` is passed
   * on.
   */
  meterBytes(bytes: number): void;
}

/**
 * Fetches one file. Checks name, addresses, scheme and port again for each redirect. Each connection is pinned to the
 * addresses that were checked for it.
 */
export async function fetchUrl(initialUrl: URL, kind: RequestedUrl['kind'], context: FetchContext): Promise<FileRead> {
  let url = initialUrl;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const opened = await openConnection(url, kind, context);
    if (!opened.ok) return opened;
    const { pinned } = opened;
    const { response } = pinned;
    try {
      const { statusCode = 0, headers } = response;
      if (statusCode === 200) return await readResponse(pinned, kind, context);
      if (!REDIRECT_STATUSES.has(statusCode)) return { ok: false, problem: 'status' };
      const redirectTarget = parseRedirect(headers.location, url);
      if (!redirectTarget.ok) return redirectTarget;
      url = redirectTarget.url;
    } finally {
      response.destroy();
    }
  }
  return { ok: false, problem: 'redirects' };
}

async function openConnection(
  url: URL,
  kind: RequestedUrl['kind'],
  { network, signal, meterBytes }: FetchContext,
): Promise<{ ok: true; pinned: PinnedResponse } | { ok: false; problem: FetchProblem }> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const candidates = isIP(host) === 0 ? await network.resolve(host, signal) : [host];
  if (candidates.length === 0) return { ok: false, problem: 'unreachable' };
  const addresses = candidates.filter((address) => network.allows(address)).slice(0, MAX_ADDRESSES);
  if (addresses.length === 0) return { ok: false, problem: 'not_public' };
  meterBytes(0);
  try {
    const { accept } = FILE_KINDS[kind];
    const pinned = await openPinned({ url, addresses, port: network.port(url), accept, signal });
    return { ok: true, pinned };
  } catch {
    return { ok: false, problem: 'unreachable' };
  }
}

async function readResponse(
  { response, wasAborted }: PinnedResponse,
  kind: RequestedUrl['kind'],
  { meterBytes }: FetchContext,
): Promise<FileRead> {
  try {
    const file = await readFile(response, kind, meterBytes);
    return wasAborted() ? { ok: false, problem: 'too_slow' } : file;
  } catch (error) {
    if (error instanceof LimitExceededError) throw error;
    return { ok: false, problem: wasAborted() ? 'too_slow' : 'broken' };
  }
}
