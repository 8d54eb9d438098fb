import type { ServiceSql } from '../database/roles.ts';
import type { MostCalls } from './budget-queries.ts';
import { dayIsSpent, spendMinute, takeCall } from './budget-queries.ts';
import { quotesShare } from './pace-quotes.ts';
import type { CallClass, Spend } from './port.ts';

/** Calls that a provider's plan allows. */
export interface CallLimits {
  perMinute: number;
  perDay: number;
}

/** How much of a minute each class may use up: prices come first; searches, reports and news go without first. */
const minuteShares: Readonly<Record<CallClass, number>> = { quotes: 1, backfill: 0.8, background: 0.6 };

/**
 * How much of a day each class may use up. `all`: together with every other class, so that the last calls stay for symbols that are new.
 * `kind`: of quotes alone, which are paced (see `quotesShare`), or of all calls but quotes, so that neither leaves the other nothing.
 */
const dayShares: Readonly<Record<CallClass, { all: number; kind: number | undefined }>> = {
  quotes: { all: 1, kind: undefined },
  backfill: { all: 1, kind: 0.8 },
  background: { all: 0.9, kind: 0.6 },
};

export interface Budget {
  spend: Spend;
  /** The provider has refused a call for its rate: nobody calls again in this minute. */
  exhaust(): Promise<void>;
  /** Whether it is the day, not the minute, that has no call of this class left; false where that cannot be known. */
  spentToday(use: CallClass): Promise<boolean>;
}

/** The budget of one provider, counted in the database and so shared by every process. Where that cannot be reached nothing is spent. */
export function createBudget(sql: ServiceSql, provider: string, { perMinute, perDay }: CallLimits, now: () => Date): Budget {
  const share = (limit: number, part: number): number => Math.max(1, Math.floor(limit * part));
  const mostOf = (use: CallClass): MostCalls => {
    const { all, kind = quotesShare(now()) } = dayShares[use];
    return { isQuote: use === 'quotes', minute: share(perMinute, minuteShares[use]), day: share(perDay, all), ofKind: share(perDay, kind) };
  };
  return {
    spend: (use) => takeCall(sql, provider, mostOf(use)).catch(() => false),
    spentToday: (use) => dayIsSpent(sql, provider, mostOf(use)).catch(() => false),
    exhaust: () => spendMinute(sql, provider, perMinute).catch(() => {}),
  };
}
