import { Cancelled } from '../count-body.ts';
import type { BodyAccount, BodyBudget } from '../endpoint/body-budget.ts';
import { BUSY, type FetchProblem, type FetchRefusal, OVER_SHARE, refuseBlock, sentenceOf } from './fetch-problem.ts';
import { fetchUrl } from './fetch-url.ts';
import type { UrlNetwork } from './network.ts';
import { readTarget } from './read-target.ts';
import { OverBudget, type UrlAllowance, type UrlBudget } from './url-budget.ts';
import type { FetchedUrl, WantedUrl } from './wanted-url.ts';

/** `release` gives back the memory that the files are charged to; to be called once they are counted. */
export type FetchedMedia = { ok: true; fetched: FetchedUrl[]; release: () => void } | FetchRefusal;

/** Fetches what a request names by URL, for an organisation, until the client is gone; then it throws `Cancelled`. */
export type FetchMedia = (
  wanted: readonly WantedUrl[],
  organisation: string,
  gone: AbortSignal,
) => Promise<FetchedMedia>;

export interface FetchMediaOptions {
  /** `TOKEN_COUNT_FETCH_URLS`. */
  enabled: boolean;
  network: UrlNetwork;
  budget: UrlBudget;
  /** Where bodies are charged, too. */
  memory: BodyBudget;
  /** Told how each file's fetching ended, for the metrics. */
  ended?: (how: 'fetched' | FetchFailure) => void;
  limits?: Partial<typeof FETCH_LIMITS>;
}

type FetchFailure = 'over_budget' | FetchProblem;

/** Of one request: blocks that name a URL, their bytes together, milliseconds for one and for all, how many at once. */
const FETCH_LIMITS = { items: 20, bytes: 32 * 1024 * 1024, itemTime: 8_000, time: 10_000, atOnce: 4 };

const SWITCHED_OFF = 'fetching from URLs is switched off on this server; send the data as base64';

/** One file to fetch, for all blocks that name it: at least one. */
interface FetchItem {
  url: URL;
  kind: WantedUrl['kind'];
  wanted: WantedUrl[];
}

type ItemResult = { how: 'fetched'; bytes: Uint8Array<ArrayBuffer> } | { how: FetchFailure; refusal: FetchRefusal };

/** Told of every byte and connection (0); throws `OverBudget`. */
type Charge = (bytes: number) => void;

/** Wires the fetching in this order: switch, number, what the URLs' texts tell, the organisation's share, network. */
export function createFetchMedia({ enabled, network, budget, memory, ...options }: FetchMediaOptions): FetchMedia {
  const limits = { ...FETCH_LIMITS, ...options.limits };

  /** Fetches files a few at a time. The first failure ends the others and is the answer; no connection stays open. */
  const fetchAll = async (items: readonly FetchItem[], charge: Charge, gone: AbortSignal) => {
    const stop = new AbortController();
    const all = AbortSignal.any([stop.signal, gone, AbortSignal.timeout(limits.time)]);
    const fetched: FetchedUrl[] = [];
    const queue = items.values();
    let failed: FetchRefusal | undefined;
    const work = async (): Promise<void> => {
      for (const item of queue) {
        const result = await fetchItem(item, charge, all);
        if (stop.signal.aborted || gone.aborted) return;
        options.ended?.(result.how);
        if (result.how !== 'fetched') {
          failed = result.refusal;
          return stop.abort();
        }
        fetched.push({ kind: item.kind, urls: item.wanted.map(({ url }) => url), bytes: result.bytes });
      }
    };
    const stopAndFail = (error: unknown): never => {
      stop.abort();
      throw error;
    };
    const ends = await Promise.allSettled(Array.from({ length: limits.atOnce }, () => work().catch(stopAndFail)));
    const fault = ends.find((end) => end.status === 'rejected');
    if (fault) throw fault.reason;
    return failed ?? { ok: true as const, fetched };
  };

  const fetchItem = async ({ url, kind, wanted }: FetchItem, charge: Charge, all: AbortSignal): Promise<ItemResult> => {
    const failure = (how: FetchProblem) => ({ how, refusal: refuseBlock(wanted[0]!, sentenceOf(how)) });
    try {
      const signal = AbortSignal.any([all, AbortSignal.timeout(limits.itemTime)]);
      const file = await fetchUrl(url, kind, { network, signal, charge });
      return file.ok ? { how: 'fetched', bytes: file.bytes } : failure(file.problem);
    } catch (error) {
      if (!(error instanceof OverBudget)) throw error;
      if (error.which === 'request') return failure('all_too_large');
      return { how: 'over_budget', refusal: error.which === 'minute' ? OVER_SHARE : BUSY };
    }
  };

  return async (wanted, organisation, gone) => {
    if (!enabled) return refuseBlock(wanted[0]!, SWITCHED_OFF);
    const surplus = wanted[limits.items];
    if (surplus)
      return refuseBlock(surplus, `At most ${limits.items} images and documents of a request may be given by URL`);
    const items = readItems(wanted);
    if (!Array.isArray(items)) return items;
    const allowance = budget.enter(organisation);
    if (typeof allowance === 'string') return allowance === 'minute' ? OVER_SHARE : BUSY;
    const account = memory.open(organisation);
    let isKept = false;
    try {
      const result = await fetchAll(items, meterOf(limits.bytes, allowance, account), gone);
      if (gone.aborted) throw new Cancelled();
      if (!result.ok) return result;
      isKept = true;
      return { ...result, release: account.close };
    } finally {
      allowance.leave();
      if (!isKept) account.close();
    }
  };
}

/** What each file is, the same ones together; or the first block whose URL cannot be fetched in any network. */
function readItems(wanted: readonly WantedUrl[]): FetchItem[] | FetchRefusal {
  const items = new Map<string, FetchItem>();
  for (const one of wanted) {
    const target = readTarget(one.url);
    if (!target.ok) return refuseBlock(one, sentenceOf(target.problem));
    const key = `${one.kind} ${target.url.href}`;
    const item = items.get(key);
    if (item) item.wanted.push(one);
    else items.set(key, { url: target.url, kind: one.kind, wanted: [one] });
  }
  return [...items.values()];
}

/** Charges bytes to the request, the organisation's minute and the server's memory. */
function meterOf(most: number, allowance: UrlAllowance, account: BodyAccount): Charge {
  let left = most;
  return (bytes) => {
    left -= bytes;
    if (left < 0) throw new OverBudget('request');
    if (!allowance.spend(bytes)) throw new OverBudget('minute');
    if (!account.take(bytes)) throw new OverBudget('memory');
  };
}
