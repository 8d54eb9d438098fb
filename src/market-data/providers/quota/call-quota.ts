import type { ServiceSql } from '../../../platform/database/roles.ts';
import { isDailyQuotaExhausted, type CallLimitsForClass, spendMinute, takeCall } from './quota-queries.ts';
import { quotesDoneAt, quotesShare } from './pace-quotes.ts';
import type { CallClass, Spend } from '../../domain/market-data-provider.ts';

/** Calls that a provider's plan allows. */
export interface CallLimits {
  perMinute: number;
  perDay: number;
}

/** How much of a minute each class may use up: prices come first; searches, reports and news go without first. */
const minuteShares: Readonly<Record<CallClass, number>> = { quotes: 1, listing: 0.8, backfill: 0.8, background: 0.6 };

/**
 * Shares of a day's calls that all classes but quotes (paced by `quotesShare`) may use up together for a class to have
 * one more: `saving` while quotes still need their part, `freely` afterwards. Histories can wait; members wait for the
 * rest.
 */
const otherShares: Readonly<Record<Exclude<CallClass, 'quotes'>, { saving: number; freely: number }>> = {
  listing: { saving: 0.3, freely: 0.8 },
  background: { saving: 0.25, freely: 0.6 },
  backfill: { saving: 0.2, freely: 0.7 },
};

/** How much of a day may be used up, quotes and all: the last calls of it are for quotes and new symbols. */
const mostOfDay: Readonly<Record<CallClass, number>> = { quotes: 1, listing: 1, backfill: 0.9, background: 0.9 };

export interface CallQuota {
  spend: Spend;
  /** The provider has refused a call for its rate: no process calls again in this minute. */
  markMinuteExhausted(): Promise<void>;
  /** Seconds until the day has a call of this class again; `undefined` where it has one or that is unknown. */
  secondsUntilDailyQuota(use: CallClass): Promise<number | undefined>;
}

/** The budget of one provider, counted in the database by all processes. Without the database nothing is spent. */
export function createCallQuota(
  sql: ServiceSql,
  provider: string,
  { perMinute, perDay }: CallLimits,
  now: () => Date,
): CallQuota {
  const share = (limit: number, part: number): number => Math.max(1, Math.floor(limit * part));
  const mostOf = (use: CallClass, time: Date): CallLimitsForClass => {
    const kind =
      use === 'quotes' ? quotesShare(time) : otherShares[use][time < quotesDoneAt(time) ? 'saving' : 'freely'];
    return {
      isQuote: use === 'quotes',
      minute: share(perMinute, minuteShares[use]),
      day: share(perDay, mostOfDay[use]),
      ofKind: share(perDay, kind),
    };
  };
  async function secondsUntilDailyQuota(use: CallClass): Promise<number | undefined> {
    const time = now();
    const isSpent = (at: Date): Promise<boolean> => isDailyQuotaExhausted(sql, provider, mostOf(use, at));
    if (!(await isSpent(time))) return undefined;
    const later = quotesDoneAt(time);
    return later > time && !(await isSpent(later)) ? (later.getTime() - time.getTime()) / 1_000 : secondsToTomorrow();
  }
  return {
    spend: (use) => takeCall(sql, provider, mostOf(use, now())).catch(() => false),
    secondsUntilDailyQuota: (use) => secondsUntilDailyQuota(use).catch(() => undefined),
    markMinuteExhausted: () => spendMinute(sql, provider, perMinute).catch(() => {}),
  };
}

/** Until the day's calls are counted anew. */
const secondsToTomorrow = (): number => 86_400 - ((Date.now() / 1_000) % 86_400);
