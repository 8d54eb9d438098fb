import type { ReadOnly } from '../../src/platform/database/read-only.ts';
import { runSql, type SqlResult } from '../../src/features/assistant/sql/run-sql.ts';
import type { TestDatabase } from './database.ts';

export const ADA = 'user_ada';
export const BOB = 'user_bob';

/** A text in every row of Bob that has room for it, and in no other row. */
export const SECRET = 'bobs-secret';
export const SECRET_QUANTITY = 777_777;

/** Listings with prices and a year of closes: symbol, name, kind, exchange, currency, price, previous close. */
const LISTINGS: [string, string, string, string, string, number, number | null][] = [
  ['AAPL', 'Apple Inc.', 'stock', 'NASDAQ', 'USD', 230, 225],
  ['MSFT', 'Microsoft Corporation', 'stock', 'NASDAQ', 'USD', 410, 420],
  ['NVDA', 'NVIDIA Corporation', 'stock', 'NASDAQ', 'USD', 140, 133],
  ['SAP', 'SAP SE', 'stock', 'XETRA', 'EUR', 210, 212],
  ['VOD', 'Vodafone Group', 'stock', 'LSE', 'GBP', 0.75, 0.74],
  ['VTI', 'Vanguard Total Stock Market', 'etf', 'NYSE', 'USD', 280, 279],
  ['BND', 'Vanguard Total Bond Market', 'etf', 'NASDAQ', 'USD', 72, 72],
  ['FXAIX', 'Fidelity 500 Index', 'mutual_fund', 'MUTF', 'USD', 200, null],
  ['US10Y', 'Treasury 4.25% 2034', 'bond', 'BOND', 'USD', 98.5, null],
  ['TSLA', 'Tesla, Inc.', 'stock', 'NASDAQ', 'USD', 330, 350],
  ['LOCKED', 'Locked Holdings plc', 'stock', 'NYSE', 'USD', 55, 50],
  ['BOBX', 'Bob Example plc', 'stock', 'NYSE', 'USD', 10, 9],
];

/** Ada's list in order. Her plan covers the first twenty, and LOCKED is the 21st. */
const WATCHED_SYMBOLS = [
  'NVDA',
  'TSLA',
  'AAPL',
  'SAP',
  'VTI',
  ...Array.from({ length: 15 }, (_, index) => `F${index}`),
  'LOCKED',
];

/** The last day with closes and net worth. */
const LAST_DAY = '2026-11-20';

/**
 * Inserts two members with accounts, holdings, lists and 60 days of net worth, and a catalog of `fillerCount` further
 * listings with 20 closes each.
 */
export async function seedSqlFixture({ owner }: Pick<TestDatabase, 'owner'>, fillerCount = 300): Promise<void> {
  await owner(
    `insert into public.all_users (idp_id, email) values ($1, 'ada@example.com'), ($2, '${SECRET}@example.com')`,
    [ADA, BOB],
  );
  for (const [symbol, name, kind, exchange, currency, price, previousClose] of LISTINGS)
    await owner(
      `insert into public.tracked_tickers_latest (symbol, asset_type, name, exchange, currency, current_price,
         prev_close, change_amount, change_1d, volume, market_cap, price_at, source)
       values ($1, $3, $2, $4, $5, $6::float8, $7::float8,
         case when $7::float8 is not null then $6::float8 - $7::float8 end,
         case when $7::float8 is not null then 100 * ($6::float8 - $7::float8) / $7::float8 end,
         case when $3 = 'stock' then 1000000 end, case when $3 = 'stock' then $6::float8 * 1e9 end,
         '2026-11-20T20:00:00Z', 'fmp')`,
      [symbol, name, kind, exchange, currency, price, previousClose],
    );
  await owner(
    `insert into public.tracked_tickers_latest (symbol, asset_type, name, exchange, currency, current_price, prev_close,
       change_amount, change_1d, price_at, source)
     select 'F' || n, 'stock', 'Filler ' || n, 'NYSE', 'USD', 10 + n % 90, 10 + n % 90, 0, 0,
            '2026-11-20T20:00:00Z', 'fmp'
       from generate_series(0, $1::int - 1) n`,
    [fillerCount],
  );
  await owner(
    `insert into public.tracked_tickers_historical (ticker_id, d, close)
     select t.ticker_id, d::date, t.current_price * (1 - (date '${LAST_DAY}' - d::date) * 0.001)
       from public.tracked_tickers_latest t
       cross join generate_series(date '${LAST_DAY}' - 364, date '${LAST_DAY}', interval '1 day') d
      where extract(isodow from d) < 6 and t.asset_type in ('stock', 'etf')
        and (t.symbol !~ '^F[0-9]' or d > date '${LAST_DAY}' - 28)`,
  );
  await owner(
    `insert into public.accounts (idp_id, name, currency, balance) values
       ($1, 'Everyday', 'USD', 1500), ($1, 'Brokerage', 'USD', 250.5), ($1, 'Euro', 'EUR', 900),
       ($2, '${SECRET}', 'USD', ${SECRET_QUANTITY})`,
    [ADA, BOB],
  );
  await owner(
    `insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity, cost_basis)
     select a.idp_id, a.id, h.symbol, h.quantity, h.cost
       from (values ($1, 'Brokerage', 'AAPL', 10, 1500), ($1, 'Brokerage', 'MSFT', 5, 2200),
                    ($1, 'Everyday', 'AAPL', 2, 400),
                    ($1, 'Brokerage', 'US10Y', 10000, 9900), ($1, 'Brokerage', 'FXAIX', 20, null),
                    ($1, 'Euro', 'SAP', 4, 600),
                    ($2, '${SECRET}', 'BOBX', ${SECRET_QUANTITY}, 1))
              as h (who, account, symbol, quantity, cost)
       join public.accounts a on a.idp_id = h.who and a.name = h.account`,
    [ADA, BOB],
  );
  await owner(
    `insert into public.watchlist_items (idp_id, symbol, position, created_at)
     select $1, s, n, timestamptz '2026-10-01 12:00Z' + n * interval '1 day'
       from unnest($2::text[]) with ordinality w (s, n)
     union all select $3, 'BOBX', 1, now()`,
    [ADA, WATCHED_SYMBOLS, BOB],
  );
  await owner(
    `insert into public.net_worth_snapshots (idp_id, d, currency, cash, investments)
     select $1, date '${LAST_DAY}' - n, 'USD', 1750.5, 18000 - n * 10 from generate_series(0, 59) n
     union all select $1, date '${LAST_DAY}' - n, 'EUR', 900, 840 - n from generate_series(0, 59) n
     union all select $2, date '${LAST_DAY}' - n, 'USD', ${SECRET_QUANTITY}, ${SECRET_QUANTITY}
       from generate_series(0, 59) n`,
    [ADA, BOB],
  );
  await owner('analyze');
}

/** Creates the tool like the route, in Ada's name. */
export const createSqlRunner =
  (database: { readOnly: ReadOnly | undefined }, idpId = ADA) =>
  (sql: string): Promise<SqlResult> =>
    runSql({ database: database.readOnly!, isWatchlistOn: async () => true }, idpId, sql);
