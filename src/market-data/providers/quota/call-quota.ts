import type { ServiceSql } from '../../../platform/database/roles.ts';
import { isDailyQuotaExhausted, type CallLimitsForPriority, exhaustMinute, consumeCall } from './quota-queries.ts';
import { getQuotesDoneAt, getQuoteShare } from './quote-pacing.ts';
import type { CallPriority, TryAcquire } from '../../domain/market-data-provider.ts';

/** Calls that a provider's plan allows. */
export interface CallLimits {
  perMinute: number;
  perDay: number;
}

/** How much of a minute each class may use up: prices come first; searches, reports and news go without first. */
const MINUTE_SHARE_BY_PRIORITY: Readonly<Record<CallPriority, number>> = {
  quotes: 1,
  listing: 0.8,
  backfill: 0.8,
  background: 0.6,
};

/**
 * Shares of a day's calls that all classes but quotes (paced by `getQuoteShare`) may use up together for a class to have
 * one more: `saving` while quotes still need their part, `freely` afterwards. Histories can wait; members wait for the
 * rest.
 */
const NON_QUOTE_SHARE_BY_PRIORITY: Readonly<
  Record<Exclude<CallPriority, 'quotes'>, { saving: number; freely: number }>
> = {
  listing: { saving: 0.3, freely: 0.8 },
  background: { saving: 0.25, freely: 0.6 },
  backfill: { saving: 0.2, freely: 0.7 },
};

/** How much of a day may be used up, quotes and all: the last calls of it are for quotes and new symbols. */
const MAX_DAY_SHARE_BY_PRIORITY: Readonly<Record<CallPriority, number>> = {
  quotes: 1,
  listing: 1,
  backfill: 0.9,
  background: 0.9,
};

export interface CallQuota {
  tryAcquire: TryAcquire;
  /** The provider has refused a call for its rate: no process calls again in this minute. */
  markMinuteExhausted(): Promise<void>;
  /** Seconds until the day has a call of this class again; `undefined` where it has one or that is unknown. */
  secondsUntilDailyQuota(priority: CallPriority): Promise<number | undefined>;
}

/** The budget of one provider, counted in the database by all processes. Without the database nothing is spent. */
export function createCallQuota(
  sql: ServiceSql,
  provider: string,
  { perMinute, perDay }: CallLimits,
  now: () => Date,
): CallQuota {
  const toCallCount = (limit: number, fraction: number): number => Math.max(1, Math.floor(limit * fraction));
  const getCallLimits = (priority: CallPriority, time: Date): CallLimitsForPriority => {
    const kindShare =
      priority === 'quotes'
        ? getQuoteShare(time)
        : NON_QUOTE_SHARE_BY_PRIORITY[priority][time < getQuotesDoneAt(time) ? 'saving' : 'freely'];
    return {
      isQuote: priority === 'quotes',
      minute: toCallCount(perMinute, MINUTE_SHARE_BY_PRIORITY[priority]),
      day: toCallCount(perDay, MAX_DAY_SHARE_BY_PRIORITY[priority]),
      dayOfKind: toCallCount(perDay, kindShare),
    };
  };
  async function secondsUntilDailyQuota(priority: CallPriority): Promise<number | undefined> {
    const time = now();
    const isExhausted = (at: Date): Promise<boolean> =>
      isDailyQuotaExhausted(sql, provider, getCallLimits(priority, at));
    if (!(await isExhausted(time))) return undefined;
    const quotesDone = getQuotesDoneAt(time);
    return quotesDone > time && !(await isExhausted(quotesDone))
      ? (quotesDone.getTime() - time.getTime()) / 1_000
      : getSecondsToTomorrow();
  }
  return {
    tryAcquire: (priority) => consumeCall(sql, provider, getCallLimits(priority, now())).catch(() => false),
    secondsUntilDailyQuota: (priority) => secondsUntilDailyQuota(priority).catch(() => undefined),
    markMinuteExhausted: () => exhaustMinute(sql, provider, perMinute).catch(() => {}),
  };
}

/** Until the day's calls are counted anew. */
const getSecondsToTomorrow = (): number => 86_400 - ((Date.now() / 1_000) % 86_400);
