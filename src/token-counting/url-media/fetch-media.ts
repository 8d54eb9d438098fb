import { Cancelled } from '../count-body.ts';
import type { BodyAccount, BodyBudget } from '../endpoint/body-budget.ts';
import { fetchAll, type FetchEnd, type FetchItem } from './fetch-all.ts';
import { BUSY, type FetchRefusal, OVER_SHARE, refuseBlock, sentenceOf } from './fetch-problem.ts';
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
  ended?: (how: FetchEnd) => void;
  limits?: Partial<typeof FETCH_LIMITS>;
}

/** Of one request: blocks that name a URL, their bytes together, milliseconds for one and for all, fetched at the
 * same time. */
const FETCH_LIMITS = { items: 20, bytes: 32 * 1024 * 1024, itemTime: 8_000, time: 10_000, atOnce: 4 };

const SWITCHED_OFF = 'fetching from URLs is switched off on this server; send the data as base64';

/** Wires the fetching of URL sources, in this order: switch, number, what the URLs' texts tell, the organisation's
 * share, the network. */
export function createFetchMedia({
  enabled,
  network,
  budget,
  memory,
  ended = () => {},
  ...options
}: FetchMediaOptions): FetchMedia {
  const limits = { ...FETCH_LIMITS, ...options.limits };
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
      const result = await fetchAll(items, {
        ...limits,
        network,
        gone,
        ended,
        charge: meterOf(limits.bytes, allowance, account),
      });
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
function meterOf(most: number, allowance: UrlAllowance, account: BodyAccount): (bytes: number) => void {
  let left = most;
  return (bytes) => {
    left -= bytes;
    if (left < 0) throw new OverBudget('request');
    if (!allowance.spend(bytes)) throw new OverBudget('minute');
    if (!account.take(bytes)) throw new OverBudget('memory');
  };
}
