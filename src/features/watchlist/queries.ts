import { queryFirstRow } from '../../platform/database/query-first-row.ts';
import type { MemberSql, ServiceSql } from '../../platform/database/roles.ts';
import type { ActiveItem, AssetType, ImportOutcome, OrderResponse, TickerDetail } from './contract.ts';
import type { TierWithLimit } from './tier-cache.ts';

/** The member's plan and the length of the list. */
export interface ListHead extends TierWithLimit {
  item_count: number;
}

type ReplacedFields = 'locked' | 'price_unit' | 'next_report' | 'closes' | 'created_at' | 'updated_at' | 'price_at';

/** A row of the list. Market fields are null if the row is locked. */
export interface ListRow extends Omit<ActiveItem, ReplacedFields> {
  ticker_id: number;
  locked: boolean;
  created_at: Date;
  updated_at: Date;
  price_at: Date | null;
}

/** Price fields of a detail that a row does not have. */
type DayPriceRow = Pick<TickerDetail, 'open' | 'day_low' | 'day_high'>;

const TICKER_COLUMNS = `t.ticker_id, t.asset_type, t.name, t.exchange, t.logo, t.currency`;
const PRICE_COLUMNS =
  't.current_price as price, t.change_1d, t.change_amount, t.prev_close, t.market_cap, t.price_at, ' +
  `t.volume::float8 as volume, t.delayed_minutes, ` +
  `t.source = 'simulator' and t.current_price is not null as sample`;

/** Selects the plan of the member `$1`. On a cluster it runs on the member's worker, unlike a call of `get_tier`. */
const MEMBER_PLAN_SQL = `from public.plans p where p.tier = coalesce(
  (select m.tier from public.member_tiers m where m.idp_id = $1), 'free')`;
const MEMBER_LIMIT_SQL = `select p.watchlist_limit ${MEMBER_PLAN_SQL}`;

/** A plan that was read already, so that the tables of tiers are not read. */
interface PlanOverride {
  cachedPlan?: TierWithLimit | undefined;
}

type FullRow = ListRow & DayPriceRow;

/** Reads the member's plan and all rows in one statement, and therefore from one snapshot. */
export const readList = (
  sql: MemberSql,
  idpId: string,
  plan: PlanOverride = {},
): Promise<{ head: ListHead; rows: FullRow[] } | undefined> => selectList(sql, idpId, null, plan);

/** Reads the member's plan and the row of one symbol, if the symbol is on the list. */
export async function readRow(
  sql: MemberSql,
  idpId: string,
  symbol: string,
  plan: PlanOverride = {},
): Promise<{ head: ListHead; row: FullRow | undefined } | undefined> {
  const list = await selectList(sql, idpId, symbol, plan);
  return list && { head: list.head, row: list.rows[0] };
}

/** Reads the member's plan and the length of the list. */
export async function readListHead(
  sql: MemberSql,
  idpId: string,
  { cachedPlan }: PlanOverride = {},
): Promise<{ head: ListHead } | undefined> {
  const itemCountSql = 'select count(*)::int from public.watchlist_items where idp_id = $1';
  const [head] = await sql.query<ListHead>(
    cachedPlan
      ? `select $2::text as tier, $3::int as watchlist_limit, (${itemCountSql}) as item_count`
      : `select p.tier, p.watchlist_limit, (${itemCountSql}) as item_count ${MEMBER_PLAN_SQL}`,
    cachedPlan ? [idpId, cachedPlan.tier, cachedPlan.watchlist_limit] : [idpId],
  );
  return head && { head };
}

/** Reads market columns only for active rows, so that no market data of a locked row leaves the database. */
async function selectList(
  sql: MemberSql,
  idpId: string,
  /** null selects all rows. */
  symbol: string | null,
  { cachedPlan }: PlanOverride,
): Promise<{ head: ListHead; rows: FullRow[] } | undefined> {
  const rows = await sql.query<ListHead & FullRow>(
    `with numbered_items as materialized (
       select w.*, row_number() over (order by w.position, w.id) as row_position,
              exists (select from public.held_positions h where h.idp_id = $1 and h.symbol = w.symbol) as held
         from public.watchlist_items w where w.idp_id = $1
     )
     select plan.tier, plan.watchlist_limit, (select count(*)::int from numbered_items) as item_count,
            i.id, i.symbol, i.row_position::int as position, i.row_position > plan.watchlist_limit as locked,
            i.created_at, i.updated_at, i.held, ${TICKER_COLUMNS}, m.*
       from (${cachedPlan ? 'select $3::text as tier, $4::int as watchlist_limit' : `select p.tier, p.watchlist_limit ${MEMBER_PLAN_SQL}`}) plan
       left join numbered_items i on $2::text is null or i.symbol = $2
       left join public.listings t on t.symbol = i.symbol
       left join lateral (
         select ${PRICE_COLUMNS}, t.open, t.day_low, t.day_high where i.row_position <= plan.watchlist_limit
       ) m on true
      order by i.row_position`,
    cachedPlan ? [idpId, symbol, cachedPlan.tier, cachedPlan.watchlist_limit] : [idpId, symbol],
  );
  const [head] = rows;
  // A plan without items is one row whose columns of an item are null.
  return head && { head, rows: head.id === null ? [] : rows };
}

/** State that an add needs: the list's length, and whether list and catalog contain the symbol. */
interface AddChecks {
  item_count: number;
  watched: boolean;
  /** null if the symbol is not in the catalog. */
  asset_type: AssetType | null;
}

/** Reads the state that an add needs, before the locked function decides. */
export async function readAddChecks(sql: MemberSql, idpId: string, symbol: string): Promise<AddChecks> {
  const [checks] = await sql.query<AddChecks>(
    `select count(*)::int as item_count, coalesce(bool_or(i.symbol = $2), false) as watched,
            (select t.asset_type from public.listings t where t.symbol = $2) as asset_type
       from public.watchlist_items i where i.idp_id = $1`,
    [idpId, symbol],
  );
  return checks!;
}

/** Returns the length of a member's list. */
export async function countItems(sql: ServiceSql, idpId: string): Promise<number> {
  const [row] = await sql.query<{ items: number }>(
    'select count(*)::int as items from public.watchlist_items where idp_id = $1',
    [idpId],
  );
  return row!.items;
}

/** Closes of a ticker as JSON text, `[[date, close], …]`. `closes` is null if there are none. */
type ClosesRow = { ticker_id: number; closes: string | null };

/** Reads the last 30 closes of each ticker: the stored text, or else the closes of the history. */
export function readCloses(sql: ServiceSql, tickerIds: readonly number[]): Promise<ClosesRow[]> {
  return sql.query(
    `select t.ticker_id, coalesce(r.closes, h.closes)::text as closes
       from unnest($1::int[]) as t (ticker_id)
       left join market.recent_closes r on r.ticker_id = t.ticker_id
       left join lateral (
         select json_agg(json_build_array(c.d, c.close) order by c.d) as closes
           from (select x.d, x.close from public.tracked_tickers_historical x
                  where x.ticker_id = t.ticker_id and r.ticker_id is null order by x.d desc limit 30) c
       ) h on true`,
    [tickerIds],
  );
}

/** Adds one symbol and returns the list's new length. `getAddRejection` maps its errors to the violated rule. */
export async function addItem(sql: ServiceSql, idpId: string, symbol: string, position?: number): Promise<number> {
  const [row] = await sql.query<{ item_count: number }>('select public.add_watchlist_item($1, $2, $3) as item_count', [
    idpId,
    symbol,
    position ?? null,
  ]);
  return row!.item_count;
}

/** SQLSTATE of a rule that a function of the database raises. */
const RAISED_BY_RULE = 'P0001';
const UNIQUE_VIOLATION = '23505';

/** Returns the rule that rejected `addItem`, from the SQLSTATE of its error. */
export function getAddRejection(error: unknown): 'duplicate' | 'full' | undefined {
  const { code } = error as { code?: string };
  if (code === UNIQUE_VIOLATION) return 'duplicate';
  return code === RAISED_BY_RULE ? 'full' : undefined;
}

/** Adds many symbols at once and returns the result of each, in order. */
export function addItems(
  sql: ServiceSql,
  idpId: string,
  symbols: readonly string[],
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<{ outcome: Extract<ImportOutcome, 'added' | 'duplicate' | 'over_limit'> }[]> {
  return sql.query('select a.outcome from public.add_watchlist_items($1, $2::text[], $3) a order by a.ordinal', [
    idpId,
    symbols,
    dryRun,
  ]);
}

/** Position of a row in the list's order. */
type OrderedRow = Pick<OrderResponse['items'][number], 'id' | 'position'>;

/** Stores the order of the list with the member's rights. Throws if the ids are not the member's (`isOrderConflict`). */
export const reorderItems = (sql: MemberSql, ids: readonly string[]): Promise<OrderedRow[]> =>
  sql.query('select r.id, r.position from public.reorder_watchlist_items($1::uuid[]) r order by r.position', [ids]);

/** Returns whether `reorderItems` threw because the ids are not the member's. */
export const isOrderConflict = (error: unknown): boolean => (error as { code?: string }).code === RAISED_BY_RULE;

/**
 * Moves one row to a position, at most the last one, and returns the new order. Returns an empty array if the row does
 * not exist.
 */
export const moveItem = (sql: MemberSql, id: string, position: number): Promise<OrderedRow[]> =>
  sql.query('select r.id, r.position from public.move_watchlist_item($1::uuid, $2::int) r order by r.position', [
    id,
    position,
  ]);

/** Returns the ids in list order. */
export async function selectIds(sql: MemberSql, idpId: string): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select id from public.watchlist_items where idp_id = $1 order by position, id`,
    [idpId],
  );
  return rows.map(({ id }) => id);
}

/** Removes one of the member's rows. Returns its symbol and the list's new length, or undefined without such a row. */
export const removeItem = (sql: MemberSql, id: string): Promise<{ symbol: string; item_count: number } | undefined> =>
  queryFirstRow(sql, 'select r.symbol, r.item_count from public.remove_watchlist_item($1::uuid) r', [id]);

/**
 * Returns the symbols of the list in order, with or without the symbols past the limit of the plan (or of
 * `cachedPlan`).
 */
export async function selectSymbols(
  sql: MemberSql,
  idpId: string,
  { includeLocked, cachedPlan }: PlanOverride & { includeLocked: boolean },
): Promise<string[]> {
  const rows = await sql.query<{ symbol: string }>(
    `select w.symbol from (
       select symbol, row_number() over (order by position, id) as row_position
         from public.watchlist_items where idp_id = $1
     ) w
      where $2 or w.row_position <= (${cachedPlan ? '$3::int' : MEMBER_LIMIT_SQL})
      order by w.row_position`,
    cachedPlan ? [idpId, includeLocked, cachedPlan.watchlist_limit] : [idpId, includeLocked],
  );
  return rows.map(({ symbol }) => symbol);
}

/**
 * Deletes a member's whole list. Takes the lock first, as every change of a list does, and so waits for a running
 * change.
 */
export async function deleteWatchlist(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(`select public.lock_watchlist($1)`, [idpId]);
  await sql.query(`delete from public.watchlist_items where idp_id = $1`, [idpId]);
}

/** Writes a list that may exceed the plan's limit. The caller holds the list's lock, and the list is empty. */
export async function insertList(sql: ServiceSql, idpId: string, symbols: readonly string[]): Promise<void> {
  await sql.query(
    `insert into public.watchlist_items (idp_id, symbol, position)
     select $1, s.symbol, s.position from unnest($2::text[]) with ordinality as s (symbol, position)`,
    [idpId, symbols],
  );
}
