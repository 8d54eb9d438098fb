import { BUSY, type FetchProblem, type FetchRefusal, OVER_SHARE, refuseBlock, sentenceOf } from './fetch-problem.ts';
import { fetchUrl } from './fetch-url.ts';
import type { UrlNetwork } from './network.ts';
import { OverBudget } from './url-budget.ts';
import type { FetchedUrl, WantedUrl } from './wanted-url.ts';

/** One file to fetch, for all blocks that name it. */
export interface FetchItem {
  url: URL;
  kind: WantedUrl['kind'];
  /** At least one. */
  wanted: WantedUrl[];
}

interface FetchAllOptions {
  network: UrlNetwork;
  /** Charged with every byte and connection (0); throws `OverBudget`. */
  charge: (bytes: number) => void;
  /** The client went away. */
  gone: AbortSignal;
  /** Milliseconds for one file and for all. */
  itemTime: number;
  time: number;
  /** Fetched at the same time. */
  atOnce: number;
  /** Told how each file's fetching ended. */
  ended: (how: FetchEnd) => void;
}

export type FetchEnd = 'fetched' | 'over_budget' | FetchProblem;

/** Fetches files a few at a time. The first failure ends the others and is the answer; all connections are closed on
 * return. */
export async function fetchAll(
  items: readonly FetchItem[],
  options: FetchAllOptions,
): Promise<{ ok: true; fetched: FetchedUrl[] } | FetchRefusal> {
  const stop = new AbortController();
  const all = AbortSignal.any([stop.signal, options.gone, AbortSignal.timeout(options.time)]);
  const fetched: FetchedUrl[] = [];
  const queue = items.values();
  let failed: FetchRefusal | undefined;
  const work = async (): Promise<void> => {
    for (const item of queue) {
      const result = await fetchItem(item, all, options);
      if (stop.signal.aborted || options.gone.aborted) return;
      options.ended(result.how);
      if (result.how !== 'fetched') {
        failed = result.refusal;
        return stop.abort();
      }
      fetched.push({ kind: item.kind, urls: item.wanted.map(({ url }) => url), bytes: result.bytes });
    }
  };
  const ends = await Promise.allSettled(
    Array.from({ length: options.atOnce }, () =>
      work().catch((error: unknown) => (stop.abort(), Promise.reject(error))),
    ),
  );
  const fault = ends.find((end) => end.status === 'rejected');
  if (fault) throw fault.reason;
  return failed ?? { ok: true, fetched };
}

type ItemResult =
  | { how: 'fetched'; bytes: Uint8Array<ArrayBuffer> }
  | { how: Exclude<FetchEnd, 'fetched'>; refusal: FetchRefusal };

async function fetchItem(
  { url, kind, wanted }: FetchItem,
  all: AbortSignal,
  { network, charge, itemTime }: FetchAllOptions,
): Promise<ItemResult> {
  const first = wanted[0]!;
  try {
    const signal = AbortSignal.any([all, AbortSignal.timeout(itemTime)]);
    const file = await fetchUrl(url, kind, { network, signal, charge });
    return file.ok
      ? { how: 'fetched', bytes: file.bytes }
      : { how: file.problem, refusal: refuseBlock(first, sentenceOf(file.problem)) };
  } catch (error) {
    if (!(error instanceof OverBudget)) throw error;
    if (error.which === 'request')
      return { how: 'all_too_large', refusal: refuseBlock(first, sentenceOf('all_too_large')) };
    return { how: 'over_budget', refusal: error.which === 'minute' ? OVER_SHARE : BUSY };
  }
}
