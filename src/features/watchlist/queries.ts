import type { MemberSql, ServiceSql } from '../../platform/database/roles.ts';
import type { ActiveItem, ImportOutcome, OrderResponse, TickerDetail } from './contract.ts';
import type { KnownTier } from './known-tiers.ts';

/** The member's plan and how long the list is. */
export interface ListHead extends KnownTier {
  item_count: number;
}

type Unlike = 'locked' | 'price_unit' | 'next_report' | 'closes' | 'created_at' | 'updated_at' | 'price_at';

/** A row of the list; all of the market is null where it is locked. */
export interface ListRow extends Omit<ActiveItem, Unlike> {
  ticker_id: number;
  locked: boolean;
  created_at: Date;
  updated_at: Date;
  price_at: Date | null;
}

/** What a detail shows beyond the row. */
type DayRow = Pick<TickerDetail, 'open' | 'day_low' | 'day_high'>;

const IDENTITY = `t.ticker_id, t.asset_type, t.name, t.exchange, t.logo, t.currency`;
const MARKET =
  't.current_price as price, t.change_1d, t.change_amount, t.prev_close, t.market_cap, t.price_at, ' +
  `t.volume::float8 as volume, t.delayed_minutes, ` +
  `t.source = 'simulator' and t.current_price is not null as sample`;

/** The plan of the member `$1`. Asked in a sub-select, the tier is looked up once a statement. */
const OWN_PLAN = `from public.plans p where p.tier = (select public.tier_of($1))`;
const OWN_LIMIT = `select p.watchlist_limit ${OWN_PLAN}`;

/**
 * Plan and rows in one statement, hence of one moment; `rows` says which: all, one symbol's or none. Market columns are
 * read for active rows only, so that nothing of a locked one leaves the database. By a `known` tier the tier's tables
 * are not touched.
 */
export async function readList(
  sql: MemberSql,
  idpId: string,
  { rows: wanted = 'all', known }: { rows?: 'all' | 'none' | { symbol: string }; known?: KnownTier | undefined } = {},
): Promise<{ head: ListHead; rows: (ListRow & DayRow)[] } | undefined> {
  // No row has the empty symbol.
  const symbol = typeof wanted === 'object' ? wanted.symbol : wanted === 'none' ? '' : null;
  const rows = await sql.query<ListHead & ListRow & DayRow>(
    `with plan as materialized (
       ${known ? 'select $3::text as tier, $4::int as watchlist_limit' : `select p.tier, p.watchlist_limit ${OWN_PLAN}`}
     ), mine as materialized (
       select w.*, row_number() over (order by w.position, w.id) as place,
              exists (select from public.held_positions h where h.idp_id = $1 and h.symbol = w.symbol) as held
         from public.watchlist_items w where w.idp_id = $1
     )
     select plan.tier, plan.watchlist_limit, (select count(*)::int from mine) as item_count,
            mine.id, mine.symbol, mine.place::int as position, mine.place > plan.watchlist_limit as locked,
            mine.created_at, mine.updated_at, ${IDENTITY},
            mine.held, m.*
       from plan
       left join mine on $2::text is null or mine.symbol = $2
       left join public.tracked_tickers_latest t on t.symbol = mine.symbol
       left join lateral (
         select ${MARKET}, t.open, t.day_low, t.day_high
          where mine.place <= plan.watchlist_limit
       ) m on true
      order by mine.place`,
    known ? [idpId, symbol, known.tier, known.watchlist_limit] : [idpId, symbol],
  );
  const [head] = rows;
  return head && { head, rows: head.id === null ? [] : rows };
}

/** The member's plan, where their tier names one. */
export async function readPlan(sql: MemberSql, idpId: string): Promise<KnownTier | undefined> {
  const [plan] = await sql.query<KnownTier>(`select p.tier, p.watchlist_limit ${OWN_PLAN}`, [idpId]);
  return plan;
}

/** A row as it was written. */
type PlacedRow = Pick<ListRow, 'id' | 'symbol' | 'position' | 'created_at' | 'updated_at'>;

/**
 * What an add meets: the list's length, whether the symbol is on it, and what the row has beside its place; no
 * `ticker_id` where the catalog lacks the symbol.
 */
type Candidate = { item_count: number; watched: boolean } & (
  | Omit<ListRow, keyof PlacedRow | 'locked'>
  | { ticker_id: null }
);

export async function readCandidate(sql: ServiceSql, idpId: string, symbol: string): Promise<Candidate> {
  const [candidate] = await sql.query<Candidate>(
    `with own as materialized (
       select count(*)::int as item_count, coalesce(bool_or(i.symbol = $2), false) as watched,
              exists (select from public.held_positions h where h.idp_id = $1 and h.symbol = $2) as held
         from public.watchlist_items i where i.idp_id = $1
     )
     select w.item_count, w.watched, w.held, ${IDENTITY}, ${MARKET}
       from own w left join public.tracked_tickers_latest t on t.symbol = $2`,
    [idpId, symbol],
  );
  return candidate!;
}

/** The length of a member's list. */
export async function countItems(sql: MemberSql | ServiceSql, idpId: string): Promise<number> {
  const [row] = await sql.query<{ items: number }>(
    'select count(*)::int as items from public.watchlist_items where idp_id = $1',
    [idpId],
  );
  return row!.items;
}

/**
 * The last 30 closes of tickers as JSON text, `[[date, close], …]`: kept ready, else out of the history; null where
 * there are none.
 */
const recentCloses = (tickers: string): string =>
  `select t.ticker_id, coalesce(r.closes, h.closes)::text as closes
     from ${tickers}
     left join market.recent_closes r on r.ticker_id = t.ticker_id
     left join lateral (
       select json_agg(json_build_array(c.d, c.close) order by c.d) as closes
         from (select x.d, x.close from public.tracked_tickers_historical x
                where x.ticker_id = t.ticker_id and r.ticker_id is null order by x.d desc limit 30) c
     ) h on true`;

type ClosesRow = { ticker_id: number; closes: string | null };

export function readCloses(sql: ServiceSql, tickerIds: readonly number[]): Promise<ClosesRow[]> {
  return sql.query(recentCloses('unnest($1::int[]) as t (ticker_id)'), [tickerIds]);
}

/** Of one symbol, for who does not know its ticker yet. */
export function readClosesOfSymbol(sql: ServiceSql, symbol: string): Promise<ClosesRow[]> {
  const ticker = '(select ticker_id from public.tracked_tickers_latest where symbol = $1) as t';
  return sql.query(recentCloses(ticker), [symbol]);
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

/** Adds one symbol; throws `watchlist_limit_reached` and `watchlist_duplicate` as the database says them. */
export async function addItem(sql: ServiceSql, idpId: string, symbol: string, position?: number): Promise<PlacedRow> {
  const [row] = await sql.query<PlacedRow>(
    'select a.id, a.symbol, a.position, a.created_at, a.updated_at from public.add_watchlist_item($1, $2, $3) a',
    [idpId, symbol, position ?? null],
  );
  return row!;
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
  known?: KnownTier,
): Promise<string[]> {
  const rows = await sql.query<{ symbol: string }>(
    `select w.symbol from (
       select symbol, row_number() over (order by position, id) as place from public.watchlist_items where idp_id = $1
     ) w
      where $2 or w.place <= (${known ? '$3::int' : OWN_LIMIT})
      order by w.place`,
    known ? [idpId, includeLocked, known.watchlist_limit] : [idpId, includeLocked],
  );
  return rows.map(({ symbol }) => symbol);
}

/** Removes a member's whole list, behind a change under way: the lock comes first, as in every change of a list. */
export async function deleteWatchlistOf(sql: ServiceSql, idpId: string): Promise<void> {
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
