import type { AssetType, ReferenceCurrency } from '../../../market-data/contract.ts';
import type { MemberSql, ServiceSql } from '../../../platform/database/roles.ts';
import { listMemberRanges } from '../../../platform/identity/member-range-queries.ts';
import { dateFlows } from './flow-queries.ts';
import type { RowsSql } from './row-queries.ts';
import type { CurrentNetWorthRow, SnapshotRow } from './rows.ts';

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
  /** Day change of a holding. Null if it is unknown, and for cash. */
  change_amount: string | null;
}

/**
 * Common table expressions with the amounts of the member `$1` whose sums per currency are net worth, as in
 * `amountsSql`. They are no database function, since a cluster would run that on the coordinator.
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
              a.balance as amount, null::numeric as change_amount
         from public.accounts a where a.idp_id = $1
       union all
       select 'holding', h.account_id, h.name, t.asset_type, t.currency, h.quantity, t.current_price, t.price_at, t.source,
              public.holding_value(h.quantity, t.current_price, t.asset_type),
              public.holding_value(h.quantity, t.change_amount, t.asset_type)
         from held h join public.listings t on t.symbol = h.symbol
        where t.current_price is not null and t.currency is not null
       union all
       select 'holding', h.account_id, h.name, t.asset_type, coalesce(h.currency, t.currency), h.quantity, null, h.as_of,
              a.kind, h.institution_value, public.holding_value(h.quantity, t.change_amount, t.asset_type)
         from held h join public.accounts a on a.idp_id = $1 and a.id = h.account_id
         left join public.listings t on t.symbol = h.symbol
        where t.current_price is null or t.currency is null
     )`;

/** Selects the net worth of the member `$1` per currency: cash, the negative part of it, and investments. */
export const netWorthSql: RowsSql<CurrentNetWorthRow> = `with ${partsCtes}
     select p.currency, coalesce(sum(p.amount) filter (where p.kind = 'cash'), 0)::text as cash,
            coalesce(sum(p.amount) filter (where p.kind = 'cash' and p.amount < 0), 0)::text as liabilities,
            coalesce(sum(p.amount) filter (where p.kind = 'holding'), 0)::text as investments
       from parts p where p.amount is not null group by p.currency order by p.currency`;

/** Selects the parts of net worth of the member `$1`, by account, then by symbol. */
export const netWorthPartsSql: RowsSql<NetWorthPart> = `with ${partsCtes}
     select p.kind, a.name as account_name, p.name, p.asset_type, p.currency, p.quantity::text, p.price, p.price_at,
            p.source, p.amount::text, p.change_amount::text
       from parts p join public.accounts a on a.idp_id = $1 and a.id = p.account_id
      order by a.created_at, a.name, a.id, p.kind, p.name, p.quantity`;

/** Selects the snapshots of the member `$1` since the date `$2`, per currency, oldest first. */
export const snapshotsSql: RowsSql<SnapshotRow> = `select s.d::text as date, s.currency, s.cash::text,
            s.investments::text, s.sample
       from public.net_worth_snapshots s
      where s.idp_id = $1 and s.d >= $2::date order by s.currency, s.d`;

/** The base currency of a member who has chosen one. */
export interface SettingsRow {
  base_currency: ReferenceCurrency;
}

/** Selects at most one row, the settings of the member `$1`. */
export const settingsSql: RowsSql<SettingsRow> =
  'select p.base_currency from public.portfolio_settings p where p.idp_id = $1';

/** Returns the member's base currency, or undefined if none was chosen. */
export async function readBaseCurrency(sql: MemberSql): Promise<ReferenceCurrency | undefined> {
  const [row] = await sql.query<SettingsRow>(settingsSql, [sql.idpId]);
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
export const heldPricesSql: RowsSql<HeldPrice> = `select t.symbol,
       t.current_price is not null and t.currency is not null or held.valued as priced,
       t.source = 'simulator' and t.current_price is not null as sample
       from (select h.symbol, bool_and(h.institution_value is not null) as valued
               from public.held_positions h where h.idp_id = $1 group by h.symbol) held
       join public.listings t on t.symbol = held.symbol order by t.symbol`;

/** Average number of members per transaction. Its statements stay far below their timeout for any number of members. */
const SNAPSHOT_BATCH = 10_000;

/**
 * Writes every member's net worth under a date, with one transaction per range of members. A second run for the date
 * replaces its rows and deletes those of currencies that the member no longer has. A run after an interrupted one
 * completes it. No row is written if a holding had a sample price in the last week and has no price now. Its real price
 * is still pending, and without it the history would show a loss. Flows since the last snapshot get the date.
 */
export async function writeSnapshots(sql: ServiceSql, date: string, batch = SNAPSHOT_BATCH): Promise<void> {
  for (const { after, until } of await listMemberRanges(sql, batch))
    await sql.transaction(async (tx) => {
      // A flow that commits between two statements would be dated without being part of the snapshot.
      await tx.query('set transaction isolation level repeatable read');
      // A worker of a cluster cannot read this view of the coordinator.
      const pending = await tx.query<{ ticker_id: number }>('select n.ticker_id from market.pending_prices n');
      await tx.query(DELETE_STALE_SNAPSHOTS_SQL, [after, until, date]);
      await tx.query(UPSERT_SNAPSHOTS_SQL, [after, until, date, pending.map(({ ticker_id: id }) => id)]);
      await dateFlows(tx, date, { after, until });
    });
}

/**
 * Selects the amounts of the members above `$1` and up to `$2` whose sums per member and currency are net worth. A
 * holding without a price has a row without amounts.
 */
const amountsSql = `select a.idp_id, a.currency, a.balance as cash, null::numeric as investments, null::integer as ticker_id,
              false as sample
         from public.accounts a where a.idp_id > $1 and a.idp_id <= $2
       union all
       select m.idp_id, t.currency, null, public.holding_value(m.quantity, t.current_price, t.asset_type), t.ticker_id,
              t.current_price is not null and t.source = 'simulator'
         from public.manual_public_holdings m join public.listings t on t.symbol = m.symbol and t.currency is not null
        where m.idp_id > $1 and m.idp_id <= $2
       union all
       select c.idp_id, t.currency, null, public.holding_value(c.quantity, t.current_price, t.asset_type), t.ticker_id,
              t.current_price is not null and t.source = 'simulator'
         from public.connected_holdings c join public.listings t on t.symbol = c.symbol and t.currency is not null
        where c.idp_id > $1 and c.idp_id <= $2
       union all
       select c.idp_id, c.currency, null, c.institution_value, null, false
         from public.connected_holdings c left join public.listings t on t.symbol = c.symbol and t.currency is not null
        where c.idp_id > $1 and c.idp_id <= $2 and t.current_price is null`;

/**
 * Deletes the stored rows of the date whose member has no amount in their currency any more. It is a statement of its
 * own, because Citus allows one data change per statement. For a new date the planner expects few stored rows and would
 * use nested loops. So the subquery groups them with the amounts instead of joining both, and the outer join compares
 * the date with the group's, not with `$3`.
 */
const DELETE_STALE_SNAPSHOTS_SQL = `delete from public.net_worth_snapshots s using (
       select u.idp_id, u.currency, max(u.d) as d from (
         select o.idp_id, o.currency, o.d
           from public.active_members m join public.net_worth_snapshots o on o.idp_id = m.idp_id and o.d = $3::date
          where m.idp_id > $1 and m.idp_id <= $2
         union all
         select n.idp_id, n.currency, null from (${amountsSql}) n where coalesce(n.cash, n.investments) is not null
       ) u group by u.idp_id, u.currency having bool_and(u.d is not null)
     ) stale
      where s.idp_id = stale.idp_id and s.d = stale.d and s.currency = stale.currency`;

/** Writes sums of real and sample prices, except those with a listing whose price is pending (`$4`). */
const UPSERT_SNAPSHOTS_SQL = `insert into public.net_worth_snapshots as s (idp_id, d, currency, cash, investments, sample)
     select w.idp_id, $3::date, w.currency, w.cash, w.investments, w.sample from (
       select n.idp_id, n.currency, coalesce(sum(n.cash), 0) as cash, coalesce(sum(n.investments), 0) as investments,
              bool_or(n.sample) as sample, count(coalesce(n.cash, n.investments)) as amounts,
              coalesce(bool_or(n.ticker_id = any ($4::integer[])), false) as is_pending
         from (${amountsSql}) n group by n.idp_id, n.currency
       ) w where w.amounts > 0 and not w.is_pending
         on conflict (idp_id, d, currency) do update
        set cash = excluded.cash, investments = excluded.investments, sample = excluded.sample,
            taken_at = excluded.taken_at`;

/** Number of days for which daily snapshots are kept. Older weeks keep their last one. */
const DAILY_SNAPSHOT_DAYS = 400;

/** Smaller than the batch of the daily job, because the first run may downsample years per member. */
const DOWNSAMPLE_BATCH = 2_000;

/**
 * Deletes snapshots older than `DAILY_SNAPSHOT_DAYS` before `date`, except the last of each week and currency. A week
 * is downsampled when all its days are that old. Each statement processes a range of members.
 */
export async function downsampleSnapshots(sql: ServiceSql, date: string, batch = DOWNSAMPLE_BATCH): Promise<void> {
  for (const { after, until } of await listMemberRanges(sql, batch))
    await sql.query(
      `delete from public.net_worth_snapshots s using (
         select o.idp_id, o.d, o.currency,
                row_number() over (
                  partition by o.idp_id, o.currency, o.d - extract(isodow from o.d)::int
                  order by o.d desc) as rank_in_week
           from public.active_members m join public.net_worth_snapshots o on o.idp_id = m.idp_id
          where m.idp_id > $1 and m.idp_id <= $2 and o.d < date_trunc('week', $3::date - $4::int)::date
       ) p
        where p.rank_in_week > 1 and s.idp_id = p.idp_id and s.d = p.d and s.currency = p.currency`,
      [after, until, date, DAILY_SNAPSHOT_DAYS],
    );
}
