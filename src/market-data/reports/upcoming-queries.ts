import type { ServiceSql } from '../../database/roles.ts';
import type { DateRange, ReportDate } from '../providers/port.ts';

interface ReportRow extends ReportDate {
  name: string | null;
  /** It is the simulator's. */
  sample: boolean;
}

/** Reports of these symbols in the range, out of the table that the daily job fills. */
export function listReports(sql: ServiceSql, symbols: readonly string[], range: DateRange): Promise<ReportRow[]> {
  return sql.query<ReportRow>(
    `select e.symbol, t.name, e.date::text as date, e."when", e.eps_estimate, e.estimated, e.sample
       from public.earnings e join public.tracked_tickers_latest t on t.symbol = e.symbol
      where e.symbol = any ($1::text[]) and e.date between $2::date and $3::date`,
    [symbols, range.from, range.to],
  );
}

/** Names of those of the symbols that are companies: funds, ETFs and bonds do not report. */
export async function companiesAmong(sql: ServiceSql, symbols: readonly string[]): Promise<Map<string, string | null>> {
  const rows = await sql.query<{ symbol: string; name: string | null }>(
    `select t.symbol, t.name from public.tracked_tickers_latest t
     where t.symbol = any ($1::text[]) and t.asset_type = 'stock'`,
    [symbols],
  );
  return new Map(rows.map(({ symbol, name }) => [symbol, name]));
}

/**
 * Whether the table may lack a report of one of these symbols: a company without one in the range that was not
 * requested for two days (the daily job may be late), or of which one is known that has not been written yet.
 */
export async function lacksReports(sql: ServiceSql, symbols: readonly string[], range: DateRange): Promise<boolean> {
  const [row] = await sql.query<{ lacks: boolean }>(
    `select exists (
       select from public.tracked_tickers_latest t
        where t.symbol = any ($1::text[]) and t.asset_type = 'stock'
          and not exists (select from public.earnings e
            where e.symbol = t.symbol and e.date between $2::date and $3::date)
          and not exists (
            select from market.earnings_cache c
             where c.symbol = t.symbol and c.fetched_at > now() - interval '2 days'
               and not exists (select from jsonb_to_recordset(c.reports) as r (date text)
                 where r.date between ($2::date)::text and ($3::date)::text))
     ) as lacks`,
    [symbols, range.from, range.to],
  );
  return row!.lacks;
}

/**
 * Writes what was said of these companies in the range. Other dates of theirs are removed there: a report that was
 * moved to another day must not stand there twice. Sample reports touch no company of which the range holds a real one.
 */
export async function writeReports(
  sql: ServiceSql,
  answered: readonly { symbol: string; sample: boolean }[],
  range: DateRange,
  reports: readonly ReportDate[],
): Promise<void> {
  await sql.query(
    `with answered as (
       select a.* from jsonb_to_recordset($2::jsonb) as a (symbol text, sample boolean)
        where not a.sample
           or not exists (select from public.earnings e
             where e.symbol = a.symbol and e.date between $3::date and $4::date and not e.sample)
     ), fresh as (
       select distinct on (r.symbol, r.date) r.*, a.sample from jsonb_to_recordset($1::jsonb)
         as r (symbol text, date date, "when" text, eps_estimate double precision, estimated boolean)
         join answered a using (symbol) order by r.symbol, r.date
     ), moved as (
       delete from public.earnings e using answered a
        where e.symbol = a.symbol and e.date between $3::date and $4::date
          and not exists (select from fresh f where f.symbol = e.symbol and f.date = e.date)
     )
     insert into public.earnings (symbol, date, "when", eps_estimate, estimated, sample)
     select f.symbol, f.date, f."when", f.eps_estimate, f.estimated, f.sample from fresh f order by f.symbol, f.date
     on conflict (symbol, date) do update
       set "when" = excluded."when", eps_estimate = excluded.eps_estimate, estimated = excluded.estimated,
         sample = excluded.sample, updated_at = now()`,
    [JSON.stringify(reports), JSON.stringify(answered), range.from, range.to],
  );
}
