import type { ServiceSql } from '../../../platform/database/roles.ts';
import type { DateRange } from '../../domain/market-data-provider.ts';
import type { FetchedReports } from './report-queries.ts';

/**
 * Writes fetched reports of companies in the range and deletes their other dates there. Otherwise a postponed report
 * would appear twice. Sample reports never change a company that has a real report in the range.
 */
export async function writeReports(
  sql: ServiceSql,
  fetched: readonly FetchedReports[],
  range: DateRange,
): Promise<void> {
  await sql.query(
    `with fetched as (
       select a.* from jsonb_to_recordset($1::jsonb)
         as a (symbol text, reports jsonb, sample boolean, fetched_at timestamptz)
        where not a.sample
           or not exists (select from public.earnings e
             where e.symbol = a.symbol and e.date between $2::date and $3::date and not e.sample)
     ), current_reports as (
       select distinct on (a.symbol, r.date) a.symbol, r.*, a.sample, a.fetched_at
         from fetched a, jsonb_to_recordset(a.reports)
           as r (date date, "when" text, eps_estimate double precision, estimated boolean)
        where r.date between $2::date and $3::date order by a.symbol, r.date
     ), removed as (
       delete from public.earnings e using fetched a
        where e.symbol = a.symbol and e.date between $2::date and $3::date
          and not exists (select from current_reports f where f.symbol = e.symbol and f.date = e.date)
     )
     insert into public.earnings (symbol, date, "when", eps_estimate, estimated, sample, updated_at)
     select f.symbol, f.date, f."when", f.eps_estimate, f.estimated, f.sample, f.fetched_at
       from current_reports f order by f.symbol, f.date
     on conflict (symbol, date) do update
       set "when" = excluded."when", eps_estimate = excluded.eps_estimate, estimated = excluded.estimated,
         sample = excluded.sample, updated_at = excluded.updated_at`,
    [JSON.stringify(fetched), range.from, range.to],
  );
}
