import type { MemberSql, ServiceSql } from '../../platform/database/roles.ts';

/** Amounts come as text (`numeric`). */
export interface NetWorthRow {
  currency: string;
  cash: string;
  investments: string;
}

export interface SnapshotRow extends NetWorthRow {
  /** YYYY-MM-DD. */
  date: string;
  /** A price of the simulator is in it. */
  sample: boolean;
}

/** What the member owns now, per currency. Reads accounts and holdings, never the watchlist. */
export function readNetWorth(sql: MemberSql, idpId: string): Promise<NetWorthRow[]> {
  return sql.query<NetWorthRow>(
    'select n.currency, n.cash, n.investments from public.get_net_worth($1) n order by n.currency',
    [idpId],
  );
}

/** The member's snapshots from a date on, per currency, oldest first. */
export function listSnapshots(sql: MemberSql, idpId: string, from: string): Promise<SnapshotRow[]> {
  return sql.query<SnapshotRow>(
    `select s.d::text as date, s.currency, s.cash, s.investments, s.sample from public.net_worth_snapshots s
      where s.idp_id = $1 and s.d >= $2::date order by s.currency, s.d`,
    [idpId, from],
  );
}

/**
 * Held symbols with what keeps them out of the sums (no price, and nothing from an institution) or marks them as sample
 * data.
 */
export function listHeldPrices(sql: MemberSql): Promise<{ symbol: string; priced: boolean; sample: boolean }[]> {
  return sql.query<{ symbol: string; priced: boolean; sample: boolean }>(
    `select t.symbol, t.current_price is not null and t.currency is not null or held.valued as priced,
       t.source = 'simulator' and t.current_price is not null as sample
       from (select h.symbol, bool_and(h.institution_value is not null) as valued
               from public.held_positions h group by h.symbol) held
       join public.tracked_tickers_latest t on t.symbol = held.symbol order by t.symbol`,
  );
}

/** Members whose snapshots one transaction writes: its statements stay far below their timeout, however many there are. */
const SNAPSHOT_BATCH = 10_000;

/**
 * Writes every member's net worth under a date, a batch of members in each transaction. Run again for the date it
 * replaces what is there, also of a currency that the member no longer has; a run that ended early is made whole by the
 * next one. Nothing is written where a holding had a sample price in the last week and has none now: its real one is on
 * the way, and without it the history would show a loss that never was. Returns the rows written.
 */
export async function writeSnapshots(sql: ServiceSql, date: string, batch = SNAPSHOT_BATCH): Promise<number> {
  let written = 0;
  for await (const members of iterateMemberBatches(sql, batch))
    written += await sql.transaction(async (tx) => {
      await tx.query(DELETE_STALE_SNAPSHOTS_SQL, [date, members]);
      return (await tx.query(UPSERT_SNAPSHOTS_SQL, [date, members])).length;
    });
  return written;
}

/** The living members' identifiers in order, a batch at a time. */
async function* iterateMemberBatches(sql: ServiceSql, batch: number): AsyncGenerator<string[]> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const rows: { idp_id: string }[] = await sql.query<{ idp_id: string }>(
      'select m.idp_id from public.active_members m where m.idp_id > $1 order by m.idp_id limit $2',
      [after, batch],
    );
    if (rows.length > 0) yield rows.map(({ idp_id: id }) => id);
    after = rows.length === batch ? rows.at(-1)?.idp_id : undefined;
  }
}

/** Written one after the other: a distributed server changes rows in one place of a statement. */
const DELETE_STALE_SNAPSHOTS_SQL = `with worth as materialized (
       select n.idp_id, n.currency from public.get_net_worth_of_members($2) n
     )
     delete from public.net_worth_snapshots s
      where s.idp_id = any ($2::text[]) and s.d = $1::date
        and not exists (select from worth w where w.idp_id = s.idp_id and w.currency = s.currency)`;

/** With the currencies in which a holding has a sample price, or waits for its own. */
const UPSERT_SNAPSHOTS_SQL = `with worth as (
       select n.idp_id, n.currency, n.cash, n.investments from public.get_net_worth_of_members($2) n
     ), positions as materialized (
       select h.idp_id, h.symbol from public.held_positions h where h.idp_id = any ($2::text[])
     ), held as (
       select h.idp_id, t.currency, bool_or(t.current_price is not null and t.source = 'simulator') as sample,
              bool_or(n.ticker_id is not null) as waits
         from positions h join public.tracked_tickers_latest t on t.symbol = h.symbol
         left join market.pending_prices n using (ticker_id)
        group by h.idp_id, t.currency
     )
     insert into public.net_worth_snapshots as s (idp_id, d, currency, cash, investments, sample)
       select w.idp_id, $1::date, w.currency, w.cash, w.investments, coalesce(h.sample, false)
         from worth w left join held h using (idp_id, currency) where h.waits is not true order by w.idp_id, w.currency
       on conflict (idp_id, d, currency) do update
         set cash = excluded.cash, investments = excluded.investments, sample = excluded.sample,
           taken_at = excluded.taken_at
       returning 1`;

/** How many days of net worth are kept one by one; of older ones the last of each week. */
const DAILY_SNAPSHOT_DAYS = 400;

/** Fewer members than of a day's writing: each may have years to thin the first time. */
const DOWNSAMPLE_BATCH = 2_000;

/**
 * Removes snapshots that are older than `DAILY_SNAPSHOT_DAYS` before `date`, except the last of each week and currency. A week is
 * thinned once all of it is that old. A batch of members in each statement; returns how many were removed.
 */
export async function downsampleSnapshots(sql: ServiceSql, date: string, batch = DOWNSAMPLE_BATCH): Promise<number> {
  let removed = 0;
  for await (const members of iterateMemberBatches(sql, batch)) {
    const rows = await sql.query(
      `delete from public.net_worth_snapshots s using (
         select o.idp_id, o.d, o.currency,
                row_number() over (
                  partition by o.idp_id, o.currency, o.d - extract(isodow from o.d)::int order by o.d desc) as place
           from public.net_worth_snapshots o join unnest($1::text[]) m (idp_id) on m.idp_id = o.idp_id
          where o.d < date_trunc('week', $2::date - $3::int)::date
       ) p
        where p.place > 1 and s.idp_id = p.idp_id and s.d = p.d and s.currency = p.currency
        returning 1`,
      [members, date, DAILY_SNAPSHOT_DAYS],
    );
    removed += rows.length;
  }
  return removed;
}
