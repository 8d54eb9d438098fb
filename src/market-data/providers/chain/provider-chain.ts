import type { Logger } from 'pino';
import type {
  ProviderResult,
  CallPriority,
  Capability,
  MarketDataProvider,
  ProviderError,
} from '../../domain/market-data-provider.ts';
import { CANCELLED_DETAIL, TIMED_OUT_DETAIL, toUpstreamError } from '../http/provider-http-client.ts';
import { createBackoff } from './backoff.ts';
import { type CallOutcome, createCircuitBreaker, FAILURE_THRESHOLD, OPEN_STATE_MS } from './circuit-breaker.ts';
import { createEntitlement } from './entitlement.ts';
import { selectSkipError, selectMoreInformative } from './error-precedence.ts';

/** A provider with the hooks of its quota. */
export interface ProviderEntry {
  provider: MarketDataProvider;
  /** Calls that the plan allows, or undefined if calls are free. */
  limits?: { perMinute: number; perDay: number } | undefined;
  /** Called when the provider limits the rate, so that other processes wait too. */
  markMinuteExhausted?: (() => Promise<void>) | undefined;
  /** Resolves to the seconds until the daily quota of a priority resets, or undefined if calls are left. */
  secondsUntilDailyQuota?: ((priority: CallPriority) => Promise<number | undefined>) | undefined;
}

type Request<T> = (provider: MarketDataProvider) => Promise<ProviderResult<T>>;

interface CallOptions<T> {
  /** Selects providers that support this request. Default: all. */
  supports?: (provider: MarketDataProvider) => boolean;
  /** Selects providers that are called before the others. */
  prefer?: (provider: MarketDataProvider) => boolean;
  /** Returns whether a result is empty, so that the next provider is called. */
  isEmpty?: (value: T) => boolean;
}

/** A result with the id of its provider, or an error. */
export type ChainResult<T> = (Extract<ProviderResult<T>, { ok: true }> & { from: string }) | ProviderError;

/** Failover chain: calls the providers in order until one returns a result. Methods never throw. */
export interface ProviderChain {
  /** Returns the first result, otherwise the most informative error. */
  call<T>(capability: Capability, request: Request<T>, options?: CallOptions<T>): Promise<ChainResult<T>>;
  /** Calls only this provider. Returns undefined if it is unavailable now. */
  callOne<T>(id: string, capability: Capability, request: Request<T>): Promise<ProviderResult<T> | undefined>;
  /** Returns the providers that offer the capability and are not skipped now. */
  available(capability: Capability): MarketDataProvider[];
  /**
   * If the daily quotas are exhausted, resolves to the seconds until an entitled provider has calls of this priority
   * again.
   */
  secondsUntilDailyQuota(capability: Capability, priority: CallPriority): Promise<number | undefined>;
}

/** Maps a result to the breaker outcome. Returns undefined if no call was made or the caller canceled it. */
function toBreakerOutcome(answer: ProviderResult<unknown>): CallOutcome | undefined {
  if (answer.ok) return 'answered';
  if (answer.reason === 'quota_exhausted') return undefined;
  if (answer.reason !== 'upstream') return 'answered';
  if (answer.detail === CANCELLED_DETAIL) return undefined;
  return answer.detail === TIMED_OUT_DETAIL ? 'timed-out' : 'answered';
}

/** Creates a chain that fails over per capability: one provider may serve quotes and the next one candles. */
export function createProviderChain(
  entries: readonly ProviderEntry[],
  logger: Pick<Logger, 'warn'>,
  clock: () => number = Date.now,
): ProviderChain {
  const chainLinks = entries.map((entry) => ({
    ...entry,
    breaker: createCircuitBreaker(clock),
    backoff: createBackoff(clock),
    entitlement: createEntitlement(clock),
  }));
  type Link = (typeof chainLinks)[number];

  const listOffering = (capability: Capability): Link[] =>
    chainLinks.filter(({ provider }) => provider.capabilities.has(capability));

  const available = (capability: Capability): Link[] =>
    listOffering(capability).filter((link) => getSkipError(link, capability) === undefined);

  async function request<T>(link: Link, capability: Capability, sendRequest: Request<T>): Promise<ProviderResult<T>> {
    const answer = await sendRequest(link.provider).catch((error: unknown) => toUpstreamError(String(error)));
    const outcome = toBreakerOutcome(answer);
    if (outcome) recordOutcome(link, outcome);
    const error = answer.ok ? answer.stoppedBy : answer;
    if (error) await applyError(link, capability, error);
    return answer;
  }

  function recordOutcome({ provider, breaker }: Link, outcome: CallOutcome): void {
    if (breaker.record(outcome))
      logger.warn(
        { provider: provider.id },
        `circuit breaker opened for market-data provider: ${FAILURE_THRESHOLD} timeouts in a row; ` +
          `next attempt in ${OPEN_STATE_MS / 1_000} s`,
      );
  }

  async function applyError(link: Link, capability: Capability, error: ProviderError): Promise<void> {
    const { id } = link.provider;
    switch (error.reason) {
      case 'not_entitled':
        link.entitlement.deny(capability);
        logger.warn(
          { provider: id, capability },
          'the plan of the market-data key does not cover this capability; next attempt in one hour',
        );
        break;
      case 'rate_limited':
        link.backoff.start(error.retryAfter);
        logger.warn({ provider: id, retryAfter: error.retryAfter }, 'market-data provider limited the rate of calls');
        await link.markMinuteExhausted?.();
        break;
      case 'upstream':
        logger.warn({ provider: id, capability, detail: error.detail }, 'market-data provider request failed');
        break;
      default:
    }
  }

  return {
    available: (capability) => available(capability).map(({ provider }) => provider),
    async call<T>(
      capability: Capability,
      sendRequest: Request<T>,
      { supports = () => true, prefer, isEmpty }: CallOptions<T> = {},
    ) {
      const getPreference = ({ provider }: Link): number => Number(prefer?.(provider) ?? false);
      // Skipped providers may have a symbol that the others lack.
      const candidates = listOffering(capability).filter(({ provider }) => supports(provider));
      let error = selectSkipError(candidates.flatMap((link) => getSkipError(link, capability) ?? []));
      const notSkipped = candidates.filter((link) => getSkipError(link, capability) === undefined);
      for (const link of notSkipped.toSorted((a, b) => getPreference(b) - getPreference(a))) {
        const answer = await request(link, capability, sendRequest);
        if (!answer.ok) error = selectMoreInformative(error, answer);
        else if (isEmpty?.(answer.value)) error = selectMoreInformative(error, { ok: false, reason: 'unknown' });
        else return { ...answer, from: link.provider.id };
      }
      return error ?? { ok: false, reason: 'not_entitled' };
    },
    async callOne(id, capability, sendRequest) {
      const link = available(capability).find(({ provider }) => provider.id === id);
      return link && request(link, capability, sendRequest);
    },
    async secondsUntilDailyQuota(capability, priority) {
      // A backoff or an open breaker ends long before the day does.
      const entitledLinks = listOffering(capability).filter(
        ({ entitlement }) => entitlement.remainingSeconds(capability) === undefined,
      );
      const waitSeconds = await Promise.all(
        entitledLinks.map(async (link) => (await link.secondsUntilDailyQuota?.(priority)) ?? 0),
      );
      const wait = Math.min(...waitSeconds);
      return wait > 0 && wait < Infinity ? wait : undefined;
    },
  };

  /** Returns why a provider is skipped now: rate limit, open breaker or missing entitlement. */
  function getSkipError({ backoff, breaker, entitlement }: Link, capability: Capability): ProviderError | undefined {
    const rateWaitSeconds = backoff.remainingSeconds();
    if (rateWaitSeconds !== undefined) return { ok: false, reason: 'rate_limited', retryAfter: rateWaitSeconds };
    if (breaker.isOpen()) return toUpstreamError('circuit breaker open');
    const planWaitSeconds = entitlement.remainingSeconds(capability);
    return planWaitSeconds === undefined
      ? undefined
      : { ok: false, reason: 'not_entitled', retryAfter: planWaitSeconds };
  }
}
