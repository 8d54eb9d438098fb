import { isDeclined } from '../analytics/declined.ts';
import type { MemberSql, ServiceSql } from '../database/roles.ts';
import type { ActiveItem, ImportOutcome, OrderResponse, TickerDetail, WatchlistTier } from './contract.ts';
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

/** The member's tier, where it names a plan; for finding out whether it can be read at all. */
export async function readTier(sql: MemberSql, idpId: string): Promise<WatchlistTier | undefined> {
  const [row] = await sql.query<{ tier: WatchlistTier }>(`select p.tier ${OWN_PLAN}`, [idpId]);
  return row?.tier;
}

/** What a row of the list has beside its place. */
type Candidate = Omit<ListRow, keyof PlacedRow | 'locked'>;

/** A row as it was written. */
type PlacedRow = Pick<ListRow, 'id' | 'symbol' | 'position' | 'created_at' | 'updated_at'>;

/**
 * What an add found: the plan, whether the symbol was on the list, and the row that it is or would be; no `ticker_id`
 * where the catalog lacks it.
 */
type FoundRow = ListHead & { watched: boolean } & (Candidate | { ticker_id: null });

/** That, and the row if it was written. */
interface Attempt {
  found: FoundRow;
  placed: PlacedRow | null;
}

// Whether the member declines to be followed is read from the request under way (`isDeclined`); outside a request: no.

/**
 * Reports an added row `a` behind it, in its transaction; one with a place of its own (`$3`) is put back. `$1` is the
 * member, the first of `more` whether they decline to be followed.
 */
const capturedAdd = (assetType: string, more: string): string =>
  `public.capture_watchlist_change($1,
     case when $3::int is null then 'watchlist_symbol_added' else 'watchlist_removal_undone' end,
     jsonb_build_object('symbol', a.symbol, 'asset_type', ${assetType}), ${more})`;

/**
 * Adds a symbol of the catalog where it is not on the list and the list has room, and says in any case what stood
 * there; one round trip. `undefined` where the member's tier names no plan. Throws as `addItem` does where another add
 * was faster. The function's argument is a column of `vacancy`, so that it is not called where there is none.
 */
export async function addCandidate(
  sql: ServiceSql,
  idpId: string,
  symbol: string,
  position?: number,
): Promise<Attempt | undefined> {
  if (sql.distributed) return addInTwoSteps(sql, idpId, symbol, position);
  const [row] = await sql.query<FoundRow & (PlacedRow | { id: null })>(
    `with before as materialized (${BEFORE_ADD}
     ), vacancy as materialized (
       select $1::text as idp_id, b.tier as plan, b.watchlist_limit as room, b.asset_type as kind from before b
         where b.ticker_id is not null and not b.watched and b.item_count < b.watchlist_limit
     ), added as materialized (
       select a.*, ${capturedAdd('v.kind', '$4, v.plan, v.room')} as captured
         from vacancy v cross join lateral public.add_watchlist_item(v.idp_id, $2, $3) a
     )
     select b.*, added.* from before b left join added on true`,
    [idpId, symbol, position ?? null, isDeclined()],
  );
  return row && { found: row, placed: row.id === null ? null : row };
}

/** What an add of symbol `$2` meets on the list of `$1`; the member's own rows are read by themselves. */
const BEFORE_ADD = `with own as materialized (
       select count(*)::int as total, coalesce(bool_or(i.symbol = $2), false) as watched,
              exists (select from public.held_positions h where h.idp_id = $1 and h.symbol = $2) as held
         from public.watchlist_items i where i.idp_id = $1
     ), plan as materialized (select p.tier, p.watchlist_limit ${OWN_PLAN})
     select p.tier, p.watchlist_limit, w.total as item_count, w.watched, ${IDENTITY}, ${MARKET}, w.held
       from plan p cross join own w left join public.tracked_tickers_latest t on t.symbol = $2`;

/** The same where a statement that reads members' rows cannot call a function that does: the add judges once more. */
async function addInTwoSteps(
  sql: ServiceSql,
  idpId: string,
  symbol: string,
  position?: number,
): Promise<Attempt | undefined> {
  const [found] = await sql.query<FoundRow>(BEFORE_ADD, [idpId, symbol]);
  if (!found) return undefined;
  const hasRoom = found.watchlist_limit === null || found.item_count < found.watchlist_limit;
  const isNew = found.ticker_id !== null && !found.watched;
  return { found, placed: isNew && hasRoom ? await addItem(sql, idpId, symbol, position) : null };
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
    `with added as materialized (select a.* from public.add_watchlist_item($1, $2, $3) a)
     select a.id, a.symbol, a.position, a.created_at, a.updated_at,
            ${capturedAdd('t.asset_type', '$4')} as captured
       from added a left join public.tracked_tickers_latest t on t.symbol = a.symbol`,
    [idpId, symbol, position ?? null, isDeclined()],
  );
  return row!;
}

/**
 * Adds many in one transaction and says of each, in order, what became of it. Reports an import of so many `rows` where
 * it has added any; a seed has none.
 */
export function addItems(
  sql: ServiceSql,
  idpId: string,
  symbols: readonly string[],
  { dryRun = false, rows }: { dryRun?: boolean; rows: number | null },
): Promise<{ outcome: Extract<ImportOutcome, 'added' | 'duplicate' | 'over_limit'> }[]> {
  return sql.query(
    `with judged as materialized (
       select j.ordinal, j.outcome from public.add_watchlist_items($1, $2::text[], $3) j
     ), fact as materialized (
       select public.capture_watchlist_change(
                $1, 'watchlist_imported', jsonb_build_object('rows', $4::int, 'added', n.added), $5) as captured
         from (select count(*) as added from judged j where j.outcome = 'added') n
        where n.added > 0 and not $3 and $4::int is not null
     )
     select j.outcome, f.captured from judged j left join fact f on true order by j.ordinal`,
    [idpId, symbols, dryRun, rows, isDeclined()],
  );
}

/** The plan that locks and the event go by where the member's own is not looked up; null: nothing is said of them. */
export type GivenPlan = KnownTier | { tier: null; watchlist_limit: null };

type Order = OrderResponse['items'];

/** Calls a function that changes the order of `$1`'s list, reports it behind, and says which rows the plan locks. */
async function changeOrder(
  sql: MemberSql,
  change: string,
  [idpId, ...values]: [idpId: string, ...values: unknown[]],
  given?: GivenPlan,
): Promise<Order> {
  const next = values.length + 3;
  const plan = given
    ? `select $${next}::text as tier, $${next + 1}::int as watchlist_limit where $1::text <> ''`
    : `select p.tier, p.watchlist_limit ${OWN_PLAN}`;
  const rows = await sql.query<Order[number]>(
    `with plan as materialized (${plan}),
          changed as materialized (select r.id, r.position from public.${change} r),
          fact as materialized (
            select public.capture_watchlist_change($1, 'watchlist_reordered', '{}', $2,
                     (select p.tier from plan p), (select p.watchlist_limit from plan p)) as captured
             where exists (select from changed))
     select r.id, r.position, r.position > plan.watchlist_limit as locked, fact.captured
       from changed r cross join plan cross join fact order by r.position`,
    [idpId, isDeclined(), ...values, ...(given ? [given.tier, given.watchlist_limit] : [])],
  );
  return rows.map(({ id, position, locked }) => ({ id, position, locked }));
}

/** Puts the list into this order as the member; throws `order_conflict` where the ids are not the member's. */
export const reorderItems = (sql: MemberSql, idpId: string, ids: readonly string[], given?: GivenPlan) =>
  changeOrder(sql, 'reorder_watchlist_items($3::uuid[])', [idpId, ids], given);

/** Moves one row to a place (the last where there are fewer) and says how the list then is; empty for no such row. */
export const moveItem = (
  sql: MemberSql,
  idpId: string,
  { id, position }: { id: string; position: number },
  given?: GivenPlan,
) => changeOrder(sql, 'move_watchlist_item($3::uuid, $4::int)', [idpId, id, position], given);

/** The ids in order. */
export async function selectIds(sql: MemberSql, idpId: string): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select id from public.watchlist_items where idp_id = $1 order by position, id`,
    [idpId],
  );
  return rows.map(({ id }) => id);
}

/**
 * Removes one of the member's rows and reports it, by the `known` plan where the member's own cannot be read; false
 * where there is none of this id.
 */
export async function deleteItem(sql: MemberSql, id: string, known?: KnownTier): Promise<boolean> {
  const removed = await sql.query(
    `with removed as materialized (select public.remove_watchlist_item($1::uuid) as symbol),
          plan as materialized (
            select coalesce(p.tier, $3::text) as tier,
                   case when p.tier is null then $4::integer else p.watchlist_limit end as watchlist_limit
              from public.plan_for_event(public.member_id()) p)
     select r.symbol, public.capture_watchlist_change(
              public.member_id(), 'watchlist_symbol_removed', jsonb_build_object('symbol', r.symbol), $2,
              (select p.tier from plan p), (select p.watchlist_limit from plan p)) as captured
       from removed r where r.symbol is not null`,
    [id, isDeclined(), known?.tier ?? null, known?.watchlist_limit ?? null],
  );
  return removed.length > 0;
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
