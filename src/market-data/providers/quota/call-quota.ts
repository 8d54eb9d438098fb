import type { ServiceSql } from '../../../platform/database/roles.ts';
import { isDailyQuotaExhausted, type CallLimitsForPriority, exhaustMinute, consumeCall } from './quota-queries.ts';
import { getQuotesDoneAt, getQuoteShare } from './quote-pacing.ts';
import type { CallPriority, TryAcquire } from '../../domain/market-data-provider.ts';

/** Calls that the plan of a provider allows. */
export interface CallLimits {
  perMinute: number;
  perDay: number;
}

/** Share of a minute by priority. Prices have the highest share. Searches, reports and news stop first. */
const MINUTE_SHARE_BY_PRIORITY: Readonly<Record<CallPriority, number>> = {
  quotes: 1,
  listing: 0.8,
  backfill: 0.8,
  background: 0.6,
};

/**
 * Daily share that all non-quote classes may use together. A class is denied above its share. The share is lower before
 * the quotes are done (quotes are paced by `getQuoteShare`) and higher afterwards. Histories have the lowest share,
 * because members wait for the other calls.
 */
const NON_QUOTE_SHARE_BY_PRIORITY: Readonly<
  Record<Exclude<CallPriority, 'quotes'>, { beforeClose: number; afterClose: number }>
> = {
  listing: { beforeClose: 0.3, afterClose: 0.8 },
  background: { beforeClose: 0.25, afterClose: 0.6 },
  backfill: { beforeClose: 0.2, afterClose: 0.7 },
};

/** Share of a day by priority, including quotes. The last calls are reserved for quotes and new symbols. */
const MAX_DAY_SHARE_BY_PRIORITY: Readonly<Record<CallPriority, number>> = {
  quotes: 1,
  listing: 1,
  backfill: 0.9,
  background: 0.9,
};

export interface CallQuota {
  tryAcquire: TryAcquire;
  /** Records that the provider limited the rate. No process calls it again in this minute. */
  markMinuteExhausted(): Promise<void>;
  /**
   * Resolves to the seconds until the daily quota has a call of this class. Resolves to undefined if it has one, or if
   * this is unknown.
   */
  secondsUntilDailyQuota(priority: CallPriority): Promise<number | undefined>;
}

/**
 * Creates the quota of one provider, which all processes count in the database. If the database is unavailable, every
 * call is denied.
 */
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
        : NON_QUOTE_SHARE_BY_PRIORITY[priority][time < getQuotesDoneAt(time) ? 'beforeClose' : 'afterClose'];
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

/** Returns the seconds until the daily counts reset. */
const getSecondsToTomorrow = (): number => 86_400 - ((Date.now() / 1_000) % 86_400);
