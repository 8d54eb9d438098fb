import { withDatabase, queryAsOwner } from '../../test/support/cluster.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { migrateJobs } from '../../src/platform/jobs/migrate-jobs.ts';
import type { EmbeddedServer } from '../../src/platform/database/embedded.ts';
import type { DatabaseUrls } from '../../src/platform/database/connect.ts';

export interface FilledDatabase {
  ownerUrl: string;
  urls: DatabaseUrls;
  rows: number;
  gigabytes: number;
  seconds: number;
}

/** Trading days that one statement loads, which limits memory for any length of history. */
const DAYS_PER_STATEMENT = 63;

/**
 * Creates a migrated database with `symbols` stocks and `days` market days of closes each. Closes are written day by
 * day like a daily job, so those of one symbol are not adjacent in the table. Prices change by up to 2 % a day and have
 * two decimals.
 */
export async function fillDatabase(
  server: EmbeddedServer,
  name: string,
  symbols: number,
  days: number,
): Promise<FilledDatabase> {
  const started = performance.now();
  await queryAsOwner(server.ownerUrl, `create database ${name}`);
  const ownerUrl = withDatabase(server.ownerUrl, name);
  await migrate(ownerUrl, { logins: server.urls, afterMigrations: migrateJobs });
  const execute = (text: string, values?: readonly unknown[]) => queryAsOwner<{ size: number }>(ownerUrl, text, values);
  await execute(
    `insert into public.tracked_tickers_latest (symbol, asset_type, name, exchange, currency, current_price, change_1d,
      change_amount, prev_close, open, day_low, day_high, volume, market_cap, price_at, source)
     select 'S' || lpad(n::text, 6, '0'), 'stock', initcap(substr(md5(n::text), 1, 7)) || ' '
       || initcap(substr(md5(n::text), 9, 5)) || ' Inc.', 'NASDAQ', 'USD',
            p, round((random() * 6 - 3)::numeric, 2), round((random() * 8 - 4)::numeric, 2), p, p, p, p,
              (random() * 1e7)::bigint, round((random() * 1e12)::numeric), now() - interval '20 minutes', 'fmp'
       from generate_series(1, $1::int) n,
         lateral (select round((5 + 400 * random() + n * 0)::numeric, 2)::float8 as p) price`,
    [symbols],
  );
  // Without the primary key index and the foreign key trigger, a load takes a tenth of the time. Both are restored
  // before any measurement.
  await execute(
    'alter table public.tracked_tickers_historical drop constraint tracked_tickers_historical_pkey, ' +
      'drop constraint tracked_tickers_historical_ticker_id_fkey',
  );
  for (let from = 0; from < days; from += DAYS_PER_STATEMENT) {
    await execute(
      `insert into public.tracked_tickers_historical (ticker_id, d, close)
       select t.ticker_id, day,
         floor(t.prev_close * (100 + 2 * sin(t.ticker_id * 7.3 + (day - date '2020-01-01') * 0.9) +
         10 * sin(t.ticker_id + (day - date '2020-01-01') / 40.0))) / 100
         from (select current_date - 1 - (n * 7 / 5) as day from generate_series($1::int, $2::int) n
           order by n desc) days cross join public.tracked_tickers_latest t`,
      [days - Math.min(from + DAYS_PER_STATEMENT, days), days - from - 1],
    );
  }
  await execute(
    `set maintenance_work_mem = '512MB'; alter table public.tracked_tickers_historical ` +
      'add primary key (ticker_id, d) include (close)',
  );
  await execute(`alter table public.tracked_tickers_historical add constraint tracked_tickers_historical_ticker_id_fkey
               foreign key (ticker_id)
                 references public.tracked_tickers_latest (ticker_id) on delete cascade not valid`);
  await execute('vacuum (analyze) public.tracked_tickers_historical');
  await execute(
    `insert into market.recent_closes (ticker_id, closes, closes_to)
     select t.ticker_id, last.closes, last.closes_to from public.tracked_tickers_latest t, lateral (
       select json_agg(json_build_array(n.d, n.close) order by n.d) as closes, max(n.d) as closes_to
         from (select h.d, h.close from public.tracked_tickers_historical h where h.ticker_id = t.ticker_id
           order by h.d desc limit 30) n) last`,
  );
  await execute(
    'insert into public.earnings (symbol, date, "when") select symbol, current_date + 1 + ticker_id % 80, ' +
      `'amc' from public.tracked_tickers_latest where ticker_id % 3 = 0`,
  );
  await execute('vacuum (analyze)');
  // Write the loaded data to disk before any measurement. Otherwise every commit would wait for gigabytes of writes.
  await execute('checkpoint');
  const [size] = await execute(`select pg_database_size(current_database())::float8 as size`);
  const urls = {
    authenticator: withDatabase(server.urls.authenticator, name),
    service: withDatabase(server.urls.service, name),
  };
  return {
    ownerUrl,
    urls,
    rows: symbols * days,
    gigabytes: size!.size / 2 ** 30,
    seconds: (performance.now() - started) / 1000,
  };
}

/**
 * Adds members of the Max plan by id, each with `rows` random symbols of the catalog. They are only for statements and
 * cannot sign in.
 */
export async function addMembers(ownerUrl: string, prefix: string, members: number, rows: number): Promise<void> {
  await queryAsOwner(
    ownerUrl,
    'insert into public.all_users (idp_id) select $1 || n from generate_series(0, $2::int - 1) ' +
      'n on conflict do nothing',
    [prefix, members],
  );
  await queryAsOwner(
    ownerUrl,
    `insert into public.subscriptions (idp_id, tier, status) select $1 || n, 'max', 'active' ` +
      'from generate_series(0, $2::int - 1) n',
    [prefix, members],
  );
  for (let n = 0; rows > 0 && n < members; n += 1) await fillList(ownerUrl, `${prefix}${n}`, rows);
}

/** Adds `rows` random symbols of the catalog to a member's empty list. */
export async function fillList(ownerUrl: string, idpId: string, rows: number): Promise<void> {
  await queryAsOwner(
    ownerUrl,
    `insert into public.watchlist_items (idp_id, symbol, position)
     select $1, s.symbol, row_number() over () from (select symbol from public.tracked_tickers_latest order by random()
       limit $2) s`,
    [idpId, rows],
  );
}
