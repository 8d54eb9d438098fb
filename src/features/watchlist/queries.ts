import type { MemberSql, ServiceSql } from '../../platform/database/roles.ts';
import type { ActiveItem, AssetType, ImportOutcome, OrderResponse, TickerDetail } from './contract.ts';
import type { TierWithLimit } from './tier-cache.ts';

/** The member's plan and how long the list is. */
export interface ListHead extends TierWithLimit {
  item_count: number;
}

type DifferingFields = 'locked' | 'price_unit' | 'next_report' | 'closes' | 'created_at' | 'updated_at' | 'price_at';

/** A row of the list; all of the market is null where it is locked. */
export interface ListRow extends Omit<ActiveItem, DifferingFields> {
  ticker_id: number;
  locked: boolean;
  created_at: Date;
  updated_at: Date;
  price_at: Date | null;
}

/** What a detail shows beyond the row. */
type DayPriceRow = Pick<TickerDetail, 'open' | 'day_low' | 'day_high'>;

const IDENTITY_COLUMNS = `t.ticker_id, t.asset_type, t.name, t.exchange, t.logo, t.currency`;
const MARKET_COLUMNS =
  't.current_price as price, t.change_1d, t.change_amount, t.prev_close, t.market_cap, t.price_at, ' +
  `t.volume::float8 as volume, t.delayed_minutes, ` +
  `t.source = 'simulator' and t.current_price is not null as sample`;

/** The plan of the member `$1`. Asked in a sub-select, the tier is looked up once a statement. */
const MEMBER_PLAN_SQL = `from public.plans p where p.tier = (select public.get_tier($1))`;
const MEMBER_LIMIT_SQL = `select p.watchlist_limit ${MEMBER_PLAN_SQL}`;

/** A plan that is known already, so that the tables of tiers are not read. */
interface PlanOverride {
  cachedPlan?: TierWithLimit | undefined;
}

type FullRow = ListRow & DayPriceRow;

/** The member's plan and all rows, in one statement and hence of one moment. */
export const readList = (
  sql: MemberSql,
  idpId: string,
  plan: PlanOverride = {},
): Promise<{ head: ListHead; rows: FullRow[] } | undefined> => selectList(sql, idpId, null, plan);

/** The member's plan and the row of one symbol, if it is on the list. */
export async function readRow(
  sql: MemberSql,
  idpId: string,
  symbol: string,
  plan: PlanOverride = {},
): Promise<{ head: ListHead; row: FullRow | undefined } | undefined> {
  const list = await selectList(sql, idpId, symbol, plan);
  return list && { head: list.head, row: list.rows[0] };
}

/** The member's plan and the length of the list. */
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

/** Market columns are read for active rows only, so that nothing of a locked row leaves the database. */
async function selectList(
  sql: MemberSql,
  idpId: string,
  /** Null for all rows. */
  symbol: string | null,
  { cachedPlan }: PlanOverride,
): Promise<{ head: ListHead; rows: FullRow[] } | undefined> {
  const rows = await sql.query<ListHead & FullRow>(
    `with plan as materialized (
       ${cachedPlan ? 'select $3::text as tier, $4::int as watchlist_limit' : `select p.tier, p.watchlist_limit ${MEMBER_PLAN_SQL}`}
     ), mine as materialized (
       select w.*, row_number() over (order by w.position, w.id) as place,
              exists (select from public.held_positions h where h.idp_id = $1 and h.symbol = w.symbol) as held
         from public.watchlist_items w where w.idp_id = $1
     )
     select plan.tier, plan.watchlist_limit, (select count(*)::int from mine) as item_count,
            mine.id, mine.symbol, mine.place::int as position, mine.place > plan.watchlist_limit as locked,
            mine.created_at, mine.updated_at, ${IDENTITY_COLUMNS},
            mine.held, m.*
       from plan
       left join mine on $2::text is null or mine.symbol = $2
       left join public.tracked_tickers_latest t on t.symbol = mine.symbol
       left join lateral (
         select ${MARKET_COLUMNS}, t.open, t.day_low, t.day_high
          where mine.place <= plan.watchlist_limit
       ) m on true
      order by mine.place`,
    cachedPlan ? [idpId, symbol, cachedPlan.tier, cachedPlan.watchlist_limit] : [idpId, symbol],
  );
  const [head] = rows;
  return head && { head, rows: head.id === null ? [] : rows };
}

/** The member's plan, where their tier names one. */
export async function readPlan(sql: MemberSql, idpId: string): Promise<TierWithLimit | undefined> {
  const [plan] = await sql.query<TierWithLimit>(`select p.tier, p.watchlist_limit ${MEMBER_PLAN_SQL}`, [idpId]);
  return plan;
}

/** What an add meets: the list's length, and whether list and catalog have the symbol. */
interface AddChecks {
  item_count: number;
  watched: boolean;
  /** Null where the catalog lacks the symbol. */
  asset_type: AssetType | null;
}

export async function readAddChecks(sql: ServiceSql, idpId: string, symbol: string): Promise<AddChecks> {
  const [checks] = await sql.query<AddChecks>(
    `select count(*)::int as item_count, coalesce(bool_or(i.symbol = $2), false) as watched,
            (select t.asset_type from public.tracked_tickers_latest t where t.symbol = $2) as asset_type
       from public.watchlist_items i where i.idp_id = $1`,
    [idpId, symbol],
  );
  return checks!;
}

/** The length of a member's list. */
export async function countItems(sql: MemberSql | ServiceSql, idpId: string): Promise<number> {
  const [row] = await sql.query<{ items: number }>(
    'select count(*)::int as items from public.watchlist_items where idp_id = $1',
    [idpId],
  );
  return row!.items;
}

/** A ticker's closes as JSON text, `[[date, close], …]`; null where there are none. */
type ClosesRow = { ticker_id: number; closes: string | null };

/** The last 30 closes of tickers, as they are stored, else out of the history. */
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

/** Daily closes from a date on, oldest first. A year is 252 rows, far from the 1,000 that a read may have. */
export function readDailyCloses(
  sql: ServiceSql,
  tickerId: number,
  from: string,
): Promise<{ date: string; close: number }[]> {
  return sql.query(
    `select d::text as date, close from public.tracked_tickers_historical
     where ticker_id = $1 and d >= $2::date order by d limit 1000`,
    [tickerId, from],
  );
}

/** Adds one symbol. `getAddRejection` names the rule that an error of it stands for. */
export async function addItem(sql: ServiceSql, idpId: string, symbol: string, position?: number): Promise<void> {
  await sql.query('select from public.add_watchlist_item($1, $2, $3)', [idpId, symbol, position ?? null]);
}

/** The rule that refused `addItem`, by the error that the database raises for it. */
export function getAddRejection(error: unknown): 'duplicate' | 'full' | undefined {
  switch ((error as Error).message) {
    case 'watchlist_duplicate':
      return 'duplicate';
    case 'watchlist_limit_reached':
      return 'full';
  }
}

/** Adds many at once and says of each, in order, what became of it. */
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

/** A row's place in the list's order. */
type OrderedRow = Pick<OrderResponse['items'][number], 'id' | 'position'>;

/** Puts the list into this order as the member; throws `order_conflict` where the ids are not the member's. */
export const reorderItems = (sql: MemberSql, ids: readonly string[]): Promise<OrderedRow[]> =>
  sql.query('select r.id, r.position from public.reorder_watchlist_items($1::uuid[]) r order by r.position', [ids]);

/** Moves one row to a place (the last where there are fewer) and says how the list then is; empty for no such row. */
export const moveItem = (sql: MemberSql, id: string, position: number): Promise<OrderedRow[]> =>
  sql.query('select r.id, r.position from public.move_watchlist_item($1::uuid, $2::int) r order by r.position', [
    id,
    position,
  ]);

/** The ids in order. */
export async function selectIds(sql: MemberSql, idpId: string): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select id from public.watchlist_items where idp_id = $1 order by position, id`,
    [idpId],
  );
  return rows.map(({ id }) => id);
}

/** Removes one of the member's rows and returns its symbol; null where there is none of this id. */
export async function removeItem(sql: MemberSql, id: string): Promise<string | null> {
  const [row] = await sql.query<{ symbol: string | null }>('select public.remove_watchlist_item($1::uuid) as symbol', [
    id,
  ]);
  return row!.symbol;
}

/** Symbols of the list in order, with those past the plan's limit (or the `known` one) or without. */
export async function selectSymbols(
  sql: MemberSql,
  idpId: string,
  includeLocked: boolean,
  cachedPlan?: TierWithLimit,
): Promise<string[]> {
  const rows = await sql.query<{ symbol: string }>(
    `select w.symbol from (
       select symbol, row_number() over (order by position, id) as place from public.watchlist_items where idp_id = $1
     ) w
      where $2 or w.place <= (${cachedPlan ? '$3::int' : MEMBER_LIMIT_SQL})
      order by w.place`,
    cachedPlan ? [idpId, includeLocked, cachedPlan.watchlist_limit] : [idpId, includeLocked],
  );
  return rows.map(({ symbol }) => symbol);
}

/** Removes a member's whole list, behind a change under way: the lock comes first, as in every change of a list. */
export async function deleteWatchlist(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(`select public.lock_watchlist($1)`, [idpId]);
  await sql.query(`delete from public.watchlist_items where idp_id = $1`, [idpId]);
}

/** Writes a list that may be longer than the plan allows; under the list's lock, with no row left. */
export async function insertList(sql: ServiceSql, idpId: string, symbols: readonly string[]): Promise<void> {
  await sql.query(
    `insert into public.watchlist_items (idp_id, symbol, position)
     select $1, s.symbol, s.place from unnest($2::text[]) with ordinality as s (symbol, place)`,
    [idpId, symbols],
  );
}
