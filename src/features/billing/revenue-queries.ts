import type { ServiceSql } from '../../platform/database/roles.ts';
import type { NetRevenue } from './contract.ts';

/** First and last day (`YYYY-MM-DD`, UTC), both inclusive. */
export interface DateRange {
  from?: string | undefined;
  to?: string | undefined;
}

export type NetRow = Omit<NetRevenue, 'label' | 'bucket'> & { tier: string | null };

/** Returns net revenue and new subscriptions of the range by source, tier and currency. */
export const selectNet = (sql: ServiceSql, { from, to }: DateRange) =>
  sql.query<NetRow>(
    `select n.entry_source, n.tier, n.currency, sum(n.net_minor)::float8 as net_minor,
            sum(n.new_subscriptions)::int as new_subscriptions
       from public.revenue_net_by_source n
      where ($1::date is null or n.day >= $1) and ($2::date is null or n.day <= $2)
      group by 1, 2, 3 order by 1, 2, 3`,
    [from ?? null, to ?? null],
  );

/** Queries of the other reports, with their columns in order. Money is in the minor unit. */
const REPORTS = {
  mrr: `select v.month::text, v.currency, v.start_minor::float8, v.new_minor::float8, v.expansion_minor::float8,
      v.reactivation_minor::float8, v.contraction_minor::float8, v.churn_minor::float8, v.end_minor::float8
    from public.revenue_mrr_monthly v
   where ($1::date is null or v.month >= date_trunc('month', $1::date)) and ($2::date is null or v.month <= $2)
   order by v.month, v.currency`,
  cohorts: `select v.month::text, v.entry_source, v.currency, v.payers, v.paying_now, v.mrr_minor::float8
    from public.revenue_cohorts v
   where ($1::date is null or v.month >= date_trunc('month', $1::date)) and ($2::date is null or v.month <= $2)
   order by v.month, v.entry_source, v.currency`,
  funnel: `select v.day::text, v.entry_source, v.clicked, v.viewed_plans, v.viewed_modal, v.confirmed, v.started, v.paid
    from public.revenue_funnel_daily v
   where ($1::date is null or v.day >= $1) and ($2::date is null or v.day <= $2) order by v.day, v.entry_source`,
} as const;

export type ReportName = keyof typeof REPORTS;

export const selectReport = (sql: ServiceSql, name: ReportName, { from, to }: DateRange) =>
  sql.query<Record<string, string | number | null>>(REPORTS[name], [from ?? null, to ?? null]);

/** Runs reads in one snapshot, so that the parts of a response are consistent. */
export const inSnapshot = <Value>(sql: ServiceSql, work: (sql: ServiceSql) => Promise<Value>): Promise<Value> =>
  sql.transaction(async (transaction) => {
    await transaction.query('set transaction isolation level repeatable read, read only');
    return work(transaction);
  });
