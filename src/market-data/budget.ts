import type { ServiceSql } from '../database/roles.ts';
import { spendMinute, takeCall } from './budget-queries.ts';
import type { CallClass, Spend } from './port.ts';

/** Calls that a provider's plan allows. */
export interface CallLimits {
  perMinute: number;
  perDay: number;
}

/** How much of the limits each class may use up: prices come first; searches, reports and news go without first. */
const shares: Readonly<Record<CallClass, number>> = { quotes: 1, backfill: 0.8, background: 0.6 };

export interface Budget {
  spend: Spend;
  /** The provider has refused a call for its rate: nobody calls again in this minute. */
  exhaust(): Promise<void>;
}

/** The budget of one provider, counted in the database and so shared by every process. Where that cannot be reached nothing is spent. */
export function createBudget(sql: ServiceSql, provider: string, { perMinute, perDay }: CallLimits): Budget {
  return {
    async spend(use) {
      const share = (limit: number): number => Math.max(1, Math.floor(limit * shares[use]));
      return takeCall(sql, provider, { minute: share(perMinute), day: share(perDay) }).catch(() => false);
    },
    exhaust: () => spendMinute(sql, provider, perMinute).catch(() => {}),
  };
}
