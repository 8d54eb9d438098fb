import { Cancelled } from '../count-body.ts';
import type { MemoryReservation, BodyMemoryBudget } from '../endpoint/body-memory-budget.ts';
import {
  BUSY_ERROR,
  type FetchProblem,
  type FetchError,
  RATE_LIMITED_ERROR,
  blockError,
  getClientMessage,
} from './fetch-problem.ts';
import { fetchUrl } from './fetch-url.ts';
import type { UrlNetwork } from './network.ts';
import { parseTarget } from './parse-target.ts';
import { LimitExceededError, type FetchPermit, type UrlFetchLimiter } from './url-fetch-limiter.ts';
import type { FetchedUrl, RequestedUrl } from './requested-url.ts';

/** `release` frees the memory of the files. Call it after they are counted. */
export type FetchedMedia = { ok: true; fetched: FetchedUrl[]; release: () => void } | FetchError;

/** Fetches the URLs of a request for an organization. Throws `Cancelled` if the client disconnects. */
export type FetchMedia = (
  requested: readonly RequestedUrl[],
  organisation: string,
  clientClosed: AbortSignal,
) => Promise<FetchedMedia>;

export interface FetchMediaOptions {
  /** The setting `TOKEN_COUNT_FETCH_URLS`. */
  enabled: boolean;
  network: UrlNetwork;
  budget: UrlFetchLimiter;
  /** The memory budget of request bodies, which also covers fetched files. */
  memory: BodyMemoryBudget;
  /** Called with the outcome of each file, for the metrics. */
  onFetchEnd?: (outcome: 'fetched' | FetchFailure) => void;
  limits?: Partial<typeof DEFAULT_FETCH_LIMITS>;
}

type FetchFailure = 'over_budget' | FetchProblem;

/** Limits per request: number of URLs, total bytes, timeout per file and in total (ms), concurrency. */
const DEFAULT_FETCH_LIMITS = {
  items: 20,
  bytes: 32 * 1024 * 1024,
  itemTimeoutMs: 8_000,
  timeoutMs: 10_000,
  concurrency: 4,
};

const FETCHING_DISABLED_MESSAGE = 'fetching from URLs is switched off on this server; send the data as base64';

/** One file to fetch, with all blocks that use it (at least one). */
interface FetchItem {
  url: URL;
  kind: RequestedUrl['kind'];
  blocks: RequestedUrl[];
}

type ItemResult = { outcome: 'fetched'; bytes: Uint8Array<ArrayBuffer> } | { outcome: FetchFailure; error: FetchError };

/** Called with the bytes of each chunk, and with 0 for each connection. Throws `LimitExceededError`. */
type MeterBytes = (bytes: number) => void;

/**
 * Creates the fetch function. Checks in this order: switch, number of URLs, URL texts, limits of the organization,
 * network.
 */
export function createFetchMedia({ enabled, network, budget, memory, ...options }: FetchMediaOptions): FetchMedia {
  const limits = { ...DEFAULT_FETCH_LIMITS, ...options.limits };

  /**
   * Fetches several files concurrently. The first error aborts the others and is returned. All connections are closed.
   */
  const fetchAll = async (items: readonly FetchItem[], meterBytes: MeterBytes, clientClosed: AbortSignal) => {
    const abortController = new AbortController();
    const combinedSignal = AbortSignal.any([
      abortController.signal,
      clientClosed,
      AbortSignal.timeout(limits.timeoutMs),
    ]);
    const fetched: FetchedUrl[] = [];
    const queue = items.values();
    let firstError: FetchError | undefined;
    const fetchQueuedItems = async (): Promise<void> => {
      for (const item of queue) {
        const result = await fetchItem(item, meterBytes, combinedSignal);
        if (abortController.signal.aborted || clientClosed.aborted) return;
        options.onFetchEnd?.(result.outcome);
        if (result.outcome !== 'fetched') {
          firstError = result.error;
          return abortController.abort();
        }
        fetched.push({ kind: item.kind, urls: item.blocks.map(({ url }) => url), bytes: result.bytes });
      }
    };
    const abortAndRethrow = (error: unknown): never => {
      abortController.abort();
      throw error;
    };
    const outcomes = await Promise.allSettled(
      Array.from({ length: limits.concurrency }, () => fetchQueuedItems().catch(abortAndRethrow)),
    );
    const rejection = outcomes.find((end) => end.status === 'rejected');
    if (rejection) throw rejection.reason;
    return firstError ?? { ok: true as const, fetched };
  };

  const fetchItem = async (
    { url, kind, blocks: requested }: FetchItem,
    meterBytes: MeterBytes,
    combinedSignal: AbortSignal,
  ): Promise<ItemResult> => {
    const toFailure = (outcome: FetchProblem) => ({
      outcome,
      error: blockError(requested[0]!, getClientMessage(outcome)),
    });
    try {
      const signal = AbortSignal.any([combinedSignal, AbortSignal.timeout(limits.itemTimeoutMs)]);
      const file = await fetchUrl(url, kind, { network, signal, meterBytes });
      return file.ok ? { outcome: 'fetched', bytes: file.bytes } : toFailure(file.problem);
    } catch (error) {
      if (!(error instanceof LimitExceededError)) throw error;
      if (error.limit === 'request') return toFailure('all_too_large');
      return { outcome: 'over_budget', error: error.limit === 'organisation' ? RATE_LIMITED_ERROR : BUSY_ERROR };
    }
  };

  return async (requested, organisation, clientClosed) => {
    if (!enabled) return blockError(requested[0]!, FETCHING_DISABLED_MESSAGE);
    const firstExcess = requested[limits.items];
    if (firstExcess)
      return blockError(firstExcess, `At most ${limits.items} images and documents of a request may be given by URL`);
    const items = groupByFile(requested);
    if (!Array.isArray(items)) return items;
    const acquired = budget.acquire(organisation);
    if (!acquired.ok) return acquired.reason === 'organisation' ? RATE_LIMITED_ERROR : BUSY_ERROR;
    const { permit } = acquired;
    const reservation = memory.createReservation(organisation);
    let isHandedOver = false;
    try {
      const result = await fetchAll(items, createByteMeter(limits.bytes, permit, reservation), clientClosed);
      if (clientClosed.aborted) throw new Cancelled();
      if (!result.ok) return result;
      isHandedOver = true;
      return { ...result, release: reservation.release };
    } finally {
      permit.release();
      if (!isHandedOver) reservation.release();
    }
  };
}

/** Groups the URLs by file. Returns the error of the first block whose URL can never be fetched. */
function groupByFile(requested: readonly RequestedUrl[]): FetchItem[] | FetchError {
  const items = new Map<string, FetchItem>();
  for (const requestedUrl of requested) {
    const target = parseTarget(requestedUrl.url);
    if (!target.ok) return blockError(requestedUrl, getClientMessage(target.problem));
    const key = `${requestedUrl.kind} ${target.url.href}`;
    const item = items.get(key);
    if (item) item.blocks.push(requestedUrl);
    else items.set(key, { url: target.url, kind: requestedUrl.kind, blocks: [requestedUrl] });
  }
  return [...items.values()];
}

/** Returns a meter that charges bytes to the request, the organization's minute and the memory of the server. */
function createByteMeter(maxBytes: number, permit: FetchPermit, reservation: MemoryReservation): MeterBytes {
  let remainingBytes = maxBytes;
  return (bytes) => {
    remainingBytes -= bytes;
    if (remainingBytes < 0) throw new LimitExceededError('request');
    if (!permit.tryConsume(bytes)) throw new LimitExceededError('organisation');
    if (!reservation.tryReserve(bytes)) throw new LimitExceededError('memory');
  };
}
