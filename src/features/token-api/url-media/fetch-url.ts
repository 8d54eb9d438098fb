import { isIP } from 'node:net';
import type { UrlNetwork } from './network.ts';
import { openPinned, type PinnedAnswer } from './open-pinned.ts';
import { FILE_KINDS, type FileRead, readFile } from './read-file.ts';
import { readRedirect } from './read-target.ts';
import { OverBudget } from './url-budget.ts';
import type { WantedUrl } from './wanted-url.ts';

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Addresses of one name that are tried. */
const MAX_ADDRESSES = 4;

interface FetchSteps {
  network: UrlNetwork;
  /** Aborted at the deadline, or when the client disconnects. */
  signal: AbortSignal;
  /** Told of each connection (0 bytes) and of bytes before they are kept; throws `OverBudget`, which is passed on. */
  charge(bytes: number): void;
}

/**
 * Fetches one file. Name, addresses, scheme and port are checked anew for each redirect, and each connection is pinned
 * to the addresses that were checked for it.
 */
export async function fetchUrl(first: URL, kind: WantedUrl['kind'], steps: FetchSteps): Promise<FileRead> {
  let url = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const answer = await openChecked(url, kind, steps);
    if (typeof answer === 'string') return { ok: false, problem: answer };
    const { response } = answer;
    try {
      const { statusCode = 0, headers } = response;
      if (statusCode === 200) return await readOrExplain(answer, kind, steps);
      if (!REDIRECTS.has(statusCode)) return { ok: false, problem: 'status' };
      const next = readRedirect(headers.location, url);
      if (!next.ok) return next;
      url = next.url;
    } finally {
      response.destroy();
    }
  }
  return { ok: false, problem: 'redirects' };
}

async function openChecked(
  url: URL,
  kind: WantedUrl['kind'],
  { network, signal, charge }: FetchSteps,
): Promise<PinnedAnswer | 'not_public' | 'unreachable'> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const known = isIP(host) === 0 ? await network.resolve(host, signal) : [host];
  if (known.length === 0) return 'unreachable';
  const addresses = known.filter((address) => network.allows(address)).slice(0, MAX_ADDRESSES);
  if (addresses.length === 0) return 'not_public';
  charge(0);
  try {
    return await openPinned({ url, addresses, port: network.port(url), accept: FILE_KINDS[kind].accept, signal });
  } catch {
    return 'unreachable';
  }
}

async function readOrExplain(
  { response, wasCut }: PinnedAnswer,
  kind: WantedUrl['kind'],
  { charge }: FetchSteps,
): Promise<FileRead> {
  try {
    const file = await readFile(response, kind, charge);
    return wasCut() ? { ok: false, problem: 'too_slow' } : file;
  } catch (error) {
    if (error instanceof OverBudget) throw error;
    return { ok: false, problem: wasCut() ? 'too_slow' : 'broken' };
  }
}
