/**
 * `npm run lab -- measure-snapshots [members] [days]` (300,000 and 0): writes the day's net worth of that many members,
 * each with an account and two holdings, by one statement for all and in batches, after one another, over as many
 * earlier days of theirs. Prints the whole time and the longest statement of each; a statement has 60 s. With earlier
 * days it also thins those beyond the bound, and lays the same rows out in a partition a month beside the one table:
 * how long a member's year takes to read from each (docs/scaling.md).
 */
import pg from 'pg';
import { thinSnapshots, writeSnapshots } from '../src/investments/net-worth-queries.ts';
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts';

const [members = 300_000, days = 0] = process.argv.slice(2).map(Number);
const DAY = '2026-09-01';
const READS = 300;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

const db = await createTestDatabase();
try {
  const fill = [
    `insert into public.all_users (idp_id) select 'user_' || md5(n::text) from generate_series(1, ${members}) n`,
    `insert into public.accounts (idp_id, name, balance) select idp_id, 'Cash', 100 from public.all_users`,
    `insert into public.tracked_tickers_latest (symbol, name, asset_type, currency, current_price, source)
      values ('MSA', 'First', 'stock', 'USD', 10, 'fmp'), ('MSB', 'Second', 'stock', 'EUR', 20, 'fmp')`,
    `insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity)
      select a.idp_id, a.id, s, 3 from public.accounts a cross join unnest(array['MSA', 'MSB']) s`,
    // Day by day, as they were written: the rows of one member lie on as many pages.
    `insert into public.net_worth_snapshots (idp_id, d, currency, cash, investments)
      select u.idp_id, date '${DAY}' - n, c, 100, 90 from generate_series(${days}, 1, -1) n
       cross join public.all_users u cross join unnest(array['USD', 'EUR']) c`,
    'vacuum analyze',
  ];
  for (const text of fill) await db.owner(text);
  for (const batch of [members + 1, undefined, members + 1, undefined]) {
    await db.owner(`delete from public.net_worth_snapshots where d = '${DAY}'`);
    await db.owner('vacuum analyze public.net_worth_snapshots');
    await measure(batch === undefined ? 'in batches' : 'at once', (sql) => writeSnapshots(sql, DAY, batch));
  }
  if (days > 0) {
    await compareReads(db);
    await measure('thinned', (sql) => thinSnapshots(sql, DAY));
    await measure('thinned again', (sql) => thinSnapshots(sql, DAY));
  }
} finally {
  await db.drop();
}

async function measure(
  name: string,
  work: (sql: TestDatabase['database']['service']) => Promise<number>,
): Promise<void> {
  let [statements, longest] = [0, 0];
  const timed = {
    ...db.database.service,
    async query<Row extends object>(text: string, values?: readonly unknown[]) {
      const from = performance.now();
      const rows = await db.database.service.query<Row>(text, values);
      longest = Math.max(longest, performance.now() - from);
      statements += 1;
      return rows;
    },
  };
  const from = performance.now();
  const rows = await work(timed);
  console.log(
    `${name}: ${rows.toLocaleString('en')} rows by ${statements} statements, ` +
      `${seconds(performance.now() - from)}, the longest ${seconds(longest)}`,
  );
}

/** A member's year from the table, and from the same rows in a partition a month. */
async function compareReads({ owner, ownerUrl }: TestDatabase): Promise<void> {
  await owner(`create table public.by_month (like public.net_worth_snapshots, primary key (idp_id, d, currency))
    partition by range (d)`);
  await owner(`do $$ begin for n in 0..${Math.ceil(days / 28) + 1} loop
    execute format('create table public.%I partition of public.by_month for values from (%L) to (%L)', 'month_' || n,
      date_trunc('month', date '${DAY}') - make_interval(months => n),
      date_trunc('month', date '${DAY}') - make_interval(months => n - 1)); end loop; end $$`);
  await owner('insert into public.by_month select * from public.net_worth_snapshots order by d');
  await owner('vacuum analyze public.by_month');
  const ids = await owner<{ id: string }>(`select idp_id as id from public.all_users limit ${READS}`);
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const times = new Map<string, number[]>();
  for (const prepared of [false, true])
    for (const { id } of ids)
      for (const table of ['net_worth_snapshots', 'by_month']) {
        const from = performance.now();
        await client.query({
          ...(prepared ? { name: table } : {}),
          text: `select d, currency, cash, investments from public.${table}
                  where idp_id = $1 and d >= $2::date order by currency, d`,
          values: [id, '2025-08-31'],
        });
        const key = `${table}, ${prepared ? '' : 'not '}prepared`;
        times.set(key, [...(times.get(key) ?? []), performance.now() - from]);
      }
  await client.end();
  for (const [key, list] of times)
    console.log(`a year of one member from ${key}: median ${list.toSorted((a, b) => a - b)[READS / 2]!.toFixed(2)} ms`);
}
