import type { Logger } from 'pino';
import type { Answer, CallClass, Capability, MarketDataProvider, Refusal } from '../../domain/market-data-provider.ts';
import { CALLER_GAVE_UP, NO_ANSWER_IN_TIME, upstream } from '../http/provider-http-client.ts';
import { createBackoff } from './backoff.ts';
import { type CallOutcome, createCircuitBreaker, FAILURE_THRESHOLD, OPEN_STATE_MS } from './circuit-breaker.ts';
import { createEntitlement } from './entitlement.ts';
import { firstSkipError, moreInformative } from './error-precedence.ts';

/** A provider with the hooks of its quota. */
export interface ProviderEntry {
  provider: MarketDataProvider;
  /** Told when the provider limits our rate, so that other processes wait too. */
  markMinuteExhausted?: (() => Promise<void>) | undefined;
  /** Seconds until the day has calls of a class again; `undefined` where it has some. */
  secondsUntilDailyQuota?: ((use: CallClass) => Promise<number | undefined>) | undefined;
}

type Request<T> = (provider: MarketDataProvider) => Promise<Answer<T>>;

interface CallOptions<T> {
  /** Providers that can take this request; the others are left out. Default: all. */
  supports?: (provider: MarketDataProvider) => boolean;
  /** Providers that are called before the others. */
  prefer?: (provider: MarketDataProvider) => boolean;
  /** Whether an answer says nothing, so that the next provider is called. */
  isEmpty?: (value: T) => boolean;
}

/** An answer with the id of the provider that gave it, or a refusal. */
export type ChainAnswer<T> = (Extract<Answer<T>, { ok: true }> & { from: string }) | Refusal;

/** The failover chain: calls one provider after the other until one answers. Never throws. */
export interface ProviderChain {
  /** The first answer, else the most informative error. */
  call<T>(capability: Capability, request: Request<T>, options?: CallOptions<T>): Promise<ChainAnswer<T>>;
  /** Calls one provider alone; `undefined` where it is not available now. */
  callOne<T>(id: string, capability: Capability, request: Request<T>): Promise<Answer<T> | undefined>;
  /** Providers that offer the capability and are not skipped now. */
  available(capability: Capability): MarketDataProvider[];
  /** Seconds until a provider whose plan covers it has calls of a class again, where the day's are used up. */
  secondsUntilDailyQuota(capability: Capability, use: CallClass): Promise<number | undefined>;
}

/** What an answer says of the provider: nothing where no call was made or the caller cancelled it. */
function breakerOutcome(answer: Answer<unknown>): CallOutcome | undefined {
  if (answer.ok) return 'answered';
  if (answer.reason === 'budget') return undefined;
  if (answer.reason !== 'upstream') return 'answered';
  if (answer.detail === CALLER_GAVE_UP) return undefined;
  return answer.detail === NO_ANSWER_IN_TIME ? 'timed-out' : 'answered';
}

/** Each capability fails over by itself: a key may cover quotes, and the next provider's the candles. */
export function createProviderChain(
  entries: readonly ProviderEntry[],
  logger: Pick<Logger, 'warn'>,
  clock: () => number = Date.now,
): ProviderChain {
  const links = entries.map((entry) => ({
    ...entry,
    breaker: createCircuitBreaker(clock),
    backoff: createBackoff(clock),
    entitlement: createEntitlement(clock),
  }));
  type Link = (typeof links)[number];

  const offering = (capability: Capability): Link[] =>
    links.filter(({ provider }) => provider.capabilities.has(capability));

  const available = (capability: Capability): Link[] =>
    offering(capability).filter((link) => skipReason(link, capability) === undefined);

  async function request<T>(link: Link, capability: Capability, send: Request<T>): Promise<Answer<T>> {
    const answer = await send(link.provider).catch((error: unknown) => upstream(String(error)));
    const outcome = breakerOutcome(answer);
    if (outcome) recordOutcome(link, outcome);
    const error = answer.ok ? answer.rest : answer;
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

  async function applyError(link: Link, capability: Capability, error: Refusal): Promise<void> {
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
      send: Request<T>,
      { supports = () => true, prefer, isEmpty }: CallOptions<T> = {},
    ) {
      const preferred = ({ provider }: Link): number => Number(prefer?.(provider) ?? false);
      // Providers that are skipped now might know what the others do not.
      const candidates = offering(capability).filter(({ provider }) => supports(provider));
      let error = firstSkipError(candidates.flatMap((link) => skipReason(link, capability) ?? []));
      const notSkipped = candidates.filter((link) => skipReason(link, capability) === undefined);
      for (const link of notSkipped.toSorted((a, b) => preferred(b) - preferred(a))) {
        const answer = await request(link, capability, send);
        if (!answer.ok) error = moreInformative(error, answer);
        else if (isEmpty?.(answer.value)) error = moreInformative(error, { ok: false, reason: 'unknown' });
        else return { ...answer, from: link.provider.id };
      }
      return error ?? { ok: false, reason: 'not_entitled' };
    },
    async callOne(id, capability, send) {
      const link = available(capability).find(({ provider }) => provider.id === id);
      return link && request(link, capability, send);
    },
    async secondsUntilDailyQuota(capability, use) {
      // A backoff or an open breaker ends long before the day does.
      const entitled = offering(capability).filter(
        ({ entitlement }) => entitlement.remainingSeconds(capability) === undefined,
      );
      const waits = await Promise.all(entitled.map(async (link) => (await link.secondsUntilDailyQuota?.(use)) ?? 0));
      const wait = Math.min(...waits);
      return wait > 0 && wait < Infinity ? wait : undefined;
    },
  };

  /** Why a provider is skipped now: its rate, its timeouts, or the plan of its key. */
  function skipReason({ backoff, breaker, entitlement }: Link, capability: Capability): Refusal | undefined {
    const rateWait = backoff.remainingSeconds();
    if (rateWait !== undefined) return { ok: false, reason: 'rate_limited', retryAfter: rateWait };
    if (breaker.isOpen()) return upstream('circuit breaker open');
    const planWait = entitlement.remainingSeconds(capability);
    return planWait === undefined ? undefined : { ok: false, reason: 'not_entitled', retryAfter: planWait };
  }
}
