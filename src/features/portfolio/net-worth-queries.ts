import type { AssetType, ReferenceCurrency } from '../../market-data/contract.ts';
import type { MemberSql, ServiceSql } from '../../platform/database/roles.ts';
import { dateFlows } from './flow-queries.ts';

/** Cash of one account, or one holding, as net worth counts it. */
export interface NetWorthPart {
  kind: 'cash' | 'holding';
  account_name: string;
  /** Symbol, or the name of a holding that the catalog does not list. Null for cash. */
  name: string | null;
  asset_type: AssetType | null;
  /** Null for a holding without price whose currency is unknown. */
  currency: string | null;
  quantity: string | null;
  price: number | null;
  price_at: Date | null;
  /** Provider of the price, or the kind of the account that states the amount. */
  source: string;
  /** `numeric`. Null for a holding without price, which net worth omits. */
  amount: string | null;
}

/**
 * Common table expressions with the amounts of the member `$1` whose sums per currency are net worth. Like
 * `get_net_worth_of_members`, but within the statement, so that a distributed server runs it on the member's node.
 */
const partsCtes = `held as materialized (
       select m.account_id, m.symbol, m.symbol as name, m.quantity, null::text as currency,
              null::numeric as institution_value, null::timestamptz as as_of
         from public.manual_public_holdings m where m.idp_id = $1
       union all
       select c.account_id, c.symbol, coalesce(c.symbol, c.name), c.quantity, c.currency, c.institution_value, c.as_of
         from public.connected_holdings c where c.idp_id = $1
     ), parts as (
       select 'cash' as kind, a.id as account_id, null::text as name, null::text as asset_type, a.currency,
              null::numeric as quantity, null::float8 as price, a.updated_at as price_at, a.kind as source,
              a.balance as amount
         from public.accounts a where a.idp_id = $1
       union all
       select 'holding', h.account_id, h.name, t.asset_type, t.currency, h.quantity, t.current_price, t.price_at, t.source,
              public.holding_value(h.quantity, t.current_price, t.asset_type)
         from held h join public.tracked_tickers_latest t on t.symbol = h.symbol
        where t.current_price is not null and t.currency is not null
       union all
       select 'holding', h.account_id, h.name, t.asset_type, coalesce(h.currency, t.currency), h.quantity, null, h.as_of,
              a.kind, h.institution_value
         from held h join public.accounts a on a.idp_id = $1 and a.id = h.account_id
         left join public.tracked_tickers_latest t on t.symbol = h.symbol
        where t.current_price is null or t.currency is null
     )`;

/** Selects the net worth of the member `$1` per currency: cash, the negative part of it, and investments. */
export const netWorthSql = `with ${partsCtes}
     select p.currency, coalesce(sum(p.amount) filter (where p.kind = 'cash'), 0)::text as cash,
            coalesce(sum(p.amount) filter (where p.kind = 'cash' and p.amount < 0), 0)::text as liabilities,
            coalesce(sum(p.amount) filter (where p.kind = 'holding'), 0)::text as investments
       from parts p where p.amount is not null group by p.currency order by p.currency`;

/** Selects the parts of net worth of the member `$1`, by account, then by symbol. */
export const netWorthPartsSql = `with ${partsCtes}
     select p.kind, a.name as account_name, p.name, p.asset_type, p.currency, p.quantity::text, p.price, p.price_at,
            p.source, p.amount::text
       from parts p join public.accounts a on a.idp_id = $1 and a.id = p.account_id
      order by a.created_at, a.name, a.id, p.kind, p.name, p.quantity`;

/** Returns the member's base currency, or undefined if none was chosen. */
export async function readBaseCurrency(sql: MemberSql): Promise<ReferenceCurrency | undefined> {
  const [row] = await sql.query<{ base_currency: ReferenceCurrency }>(
    'select p.base_currency from public.portfolio_settings p where p.idp_id = $1',
    [sql.idpId],
  );
  return row?.base_currency;
}

export async function writeBaseCurrency(sql: MemberSql, idpId: string, currency: ReferenceCurrency): Promise<void> {
  await sql.query(
    `insert into public.portfolio_settings (idp_id, base_currency) values ($1, $2)
     on conflict (idp_id) do update set base_currency = excluded.base_currency, updated_at = excluded.updated_at`,
    [idpId, currency],
  );
}

/** A held symbol. */
export interface HeldPrice {
  symbol: string;
  /** False excludes the symbol from the sums: it has neither a price nor an institution's value. */
  priced: boolean;
  /** True for a simulated price. */
  sample: boolean;
}

/** Selects the symbols that the member `$1` holds. */
export const heldPricesSql = `select t.symbol,
       t.current_price is not null and t.currency is not null or held.valued as priced,
       t.source = 'simulator' and t.current_price is not null as sample
       from (select h.symbol, bool_and(h.institution_value is not null) as valued
               from public.held_positions h where h.idp_id = $1 group by h.symbol) held
       join public.tracked_tickers_latest t on t.symbol = held.symbol order by t.symbol`;

/** Number of members per transaction. Its statements stay far below their timeout for any number of members. */
const SNAPSHOT_BATCH = 10_000;

/**
 * Writes every member's net worth under a date, with one transaction per batch of members. A second run for the date
 * replaces its rows and deletes those of currencies that the member no longer has. A run after an interrupted one
 * completes it. No row is written if a holding had a sample price in the last week and has no price now. Its real price
 * is still pending, and without it the history would show a loss. Flows since the last snapshot get the date. Returns the
 * number of rows written.
 */
export async function writeSnapshots(sql: ServiceSql, date: string, batch = SNAPSHOT_BATCH): Promise<number> {
  let written = 0;
  for await (const members of iterateMemberBatches(sql, batch))
    written += await sql.transaction(async (tx) => {
      // A flow that commits between two statements would be dated without being part of the snapshot.
      await tx.query('set transaction isolation level repeatable read');
      await tx.query(DELETE_STALE_SNAPSHOTS_SQL, [date, members]);
      const rows = await tx.query(UPSERT_SNAPSHOTS_SQL, [date, members]);
      await dateFlows(tx, date, members);
      return rows.length;
    });
  return written;
}

/** Yields the ids of active members in order, one batch at a time. */
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

/** A statement of its own, because a distributed server allows one data change per statement. */
const DELETE_STALE_SNAPSHOTS_SQL = `with net_worth as materialized (
       select n.idp_id, n.currency from public.get_net_worth_of_members($2) n
     )
     delete from public.net_worth_snapshots s
      where s.idp_id = any ($2::text[]) and s.d = $1::date
        and not exists (select from net_worth w where w.idp_id = s.idp_id and w.currency = s.currency)`;

/** Includes the currencies in which a holding has a sample price or no price yet. */
const UPSERT_SNAPSHOTS_SQL = `with net_worth as (
       select n.idp_id, n.currency, n.cash, n.investments from public.get_net_worth_of_members($2) n
     ), positions as materialized (
       select h.idp_id, h.symbol from public.held_positions h where h.idp_id = any ($2::text[])
     ), price_states as (
       select h.idp_id, t.currency, bool_or(t.current_price is not null and t.source = 'simulator') as sample,
              bool_or(n.ticker_id is not null) as is_pending
         from positions h join public.tracked_tickers_latest t on t.symbol = h.symbol
         left join market.pending_prices n using (ticker_id)
        group by h.idp_id, t.currency
     )
     insert into public.net_worth_snapshots as s (idp_id, d, currency, cash, investments, sample)
       select w.idp_id, $1::date, w.currency, w.cash, w.investments, coalesce(h.sample, false)
         from net_worth w left join price_states h using (idp_id, currency)
        where h.is_pending is not true order by w.idp_id, w.currency
       on conflict (idp_id, d, currency) do update
         set cash = excluded.cash, investments = excluded.investments, sample = excluded.sample,
           taken_at = excluded.taken_at
       returning 1`;

/** Number of days for which daily snapshots are kept. Older weeks keep their last one. */
const DAILY_SNAPSHOT_DAYS = 400;

/** Smaller than the batch of the daily job, because the first run may downsample years per member. */
const DOWNSAMPLE_BATCH = 2_000;

/**
 * Deletes snapshots older than `DAILY_SNAPSHOT_DAYS` before `date`, except the last of each week and currency. A week
 * is downsampled when all its days are that old. Each statement processes a batch of members. Returns the number of
 * deleted rows.
 */
export async function downsampleSnapshots(sql: ServiceSql, date: string, batch = DOWNSAMPLE_BATCH): Promise<number> {
  let removed = 0;
  for await (const members of iterateMemberBatches(sql, batch)) {
    const rows = await sql.query(
      `delete from public.net_worth_snapshots s using (
         select o.idp_id, o.d, o.currency,
                row_number() over (
                  partition by o.idp_id, o.currency, o.d - extract(isodow from o.d)::int
                  order by o.d desc) as rank_in_week
           from public.net_worth_snapshots o join unnest($1::text[]) m (idp_id) on m.idp_id = o.idp_id
          where o.d < date_trunc('week', $2::date - $3::int)::date
       ) p
        where p.rank_in_week > 1 and s.idp_id = p.idp_id and s.d = p.d and s.currency = p.currency
        returning 1`,
      [members, date, DAILY_SNAPSHOT_DAYS],
    );
    removed += rows.length;
  }
  return removed;
}
