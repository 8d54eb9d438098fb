/**
 * `npm run lab -- measure-snapshots [members]` (300,000): writes the day's net worth of that many members, each with
 * an account and two holdings, by one statement for all and in batches, after one another. Prints the whole time and
 * the longest statement of each; a statement has 60 s (docs/scaling.md).
 */
import { writeSnapshots } from '../src/investments/net-worth-queries.ts';
import { createTestDatabase } from '../test/support/database.ts';

const [members = 300_000] = process.argv.slice(2).map(Number);
const DAY = '2026-09-01';

const db = await createTestDatabase();
try {
  const fill = [
    `insert into public.all_users (idp_id) select 'user_' || md5(n::text) from generate_series(1, ${members}) n`,
    `insert into public.accounts (idp_id, name, balance) select idp_id, 'Cash', 100 from public.all_users`,
    `insert into public.tracked_tickers_latest (symbol, name, asset_type, currency, current_price, source)
      values ('MSA', 'First', 'stock', 'USD', 10, 'fmp'), ('MSB', 'Second', 'stock', 'EUR', 20, 'fmp')`,
    `insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity)
      select a.idp_id, a.id, s, 3 from public.accounts a cross join unnest(array['MSA', 'MSB']) s`,
    'analyze',
  ];
  for (const text of fill) await db.owner(text);
  for (const batch of [members + 1, undefined, members + 1, undefined]) {
    await db.owner('delete from public.net_worth_snapshots');
    await db.owner('vacuum analyze public.net_worth_snapshots');
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
    const rows = await writeSnapshots(timed, DAY, batch);
    const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
    console.log(
      `${batch === undefined ? 'in batches' : 'at once'}: ${rows.toLocaleString('en')} rows by ${statements}, ` +
        `${seconds(performance.now() - from)}, the longest ${seconds(longest)}`,
    );
  }
} finally {
  await db.drop();
}
