/**
 * `npm run lab -- measure-growth [members …]` (1000 10000 100000): fills a database with that many members in turn,
 * with ten watched symbols of 5,000, an account, two holdings and a day of net worth each. Measures at each size what a
 * member's request and the jobs for all members ask of the database; then, at the last size, what a request costs the
 * server and the database over HTTP, and what Redis takes. Figures for docs/scaling.md.
 */
import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { createSharedLimits } from '../src/http/shared-limits.ts';
import { readNetWorth, writeSnapshots } from '../src/investments/net-worth-queries.ts';
import { lackCloses } from '../src/market-data/history/history-queries.ts';
import { pricesToRefresh } from '../src/market-data/prices/price-queries.ts';
import { stocksInUse } from '../src/market-data/reports/report-queries.ts';
import { addItem, readList } from '../src/watchlist/queries.ts';
import { eventually } from '../test/support/eventually.ts';
import { SITE, TestBrowser } from '../test/support/identity.ts';
import { prepareDatabase, startRedis, startSeveral } from '../test/support/several-processes.ts';
import { median } from '../test/support/median.ts';

const given = process.argv.slice(2).map(Number);
const sizes = given.length > 0 ? given : [1_000, 10_000, 100_000];
const [READS, ADDS, REQUESTS, LISTINGS] = [400, 100, 1_000, 5_000];
const DAY = '2026-09-01';
const TABLES = ['watchlist_items', 'net_worth_snapshots', 'manual_public_holdings', 'accounts', 'all_users'];

const { db } = await prepareDatabase();
const sql = db.database.service;
const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
const print = (name: string, figures: string): void => console.log(`${name.padEnd(34)} ${figures}`);

/** Milliseconds that each process has computed, to 10 ms (Linux). */
function computed(pids: readonly number[]): Map<number, number> {
  const found = new Map<number, number>();
  for (const pid of pids) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ');
      found.set(pid, 10 * (Number(fields[11]) + Number(fields[12])));
    } catch {
      // It has ended meanwhile.
    }
  }
  return found;
}

/** What they have computed since; one that came later has computed all of it since. */
const since = (before: ReadonlyMap<number, number>, pids: readonly number[]): number =>
  [...computed(pids)].reduce((sum, [pid, value]) => sum + value - (before.get(pid) ?? 0), 0);

const [backend] = await db.owner<{ pid: number }>('select pg_backend_pid() as pid');
const postmaster = Number(readFileSync(`/proc/${backend!.pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ')[1]);
const databasePids = (): number[] =>
  readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

/** Runs `work` so many times, one after another: the median, and the database's processor time of each. */
async function each(name: string, times: number, work: (turn: number) => Promise<unknown>): Promise<void> {
  await work(0);
  const taken: number[] = [];
  const before = computed(databasePids());
  for (let turn = 1; turn <= times; turn += 1) {
    const from = performance.now();
    await work(turn);
    taken.push(performance.now() - from);
  }
  const used = since(before, databasePids()) / times;
  print(name, `median ${ms(median(taken))}, ${ms(used)} of the database's processor`);
}

async function fill(from: number, to: number): Promise<void> {
  const members = `select 'user_' || md5(n::text) as idp_id, n from generate_series(${from + 1}, ${to}) n`;
  const symbol = (place: string): string =>
    `'M' || ((hashtext(m.idp_id)::bigint + 2147483648 + 37 * ${place}) % ${LISTINGS})`;
  for (const text of [
    `insert into public.all_users (idp_id) select idp_id from (${members}) m`,
    // By position, so that a list lies on as many pages as one that grew over months.
    `insert into public.watchlist_items (idp_id, symbol, position)
       select m.idp_id, ${symbol('p')}, p from generate_series(1, 10) p cross join (${members}) m`,
    `insert into public.accounts (idp_id, name, balance) select m.idp_id, 'Cash', 100 from (${members}) m`,
    `insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity)
       select m.idp_id, a.id, ${symbol('s')}, 3 from (${members}) m join public.accounts a using (idp_id)
        cross join generate_series(1, 2) s`,
    'vacuum analyze',
  ])
    await db.owner(text);
}

/** One of the members, another each time. */
async function someMembers(count: number, size: number): Promise<string[]> {
  const rows = await db.owner<{ id: string }>(
    `select 'user_' || md5(n::text) as id
       from (select (hashtext(g::text)::bigint + 2147483648) % $2 + 1 as n from generate_series(1, $1) g) t`,
    [count, size],
  );
  return rows.map(({ id }) => id);
}

async function measureSize(size: number): Promise<void> {
  console.log(`\n${size.toLocaleString('en')} members`);
  const ids = await someMembers(READS + 1, size);
  const as = (turn: number) => db.database.asMember({ sub: ids[turn]! });
  await each('a list of ten', READS, (turn) => readList(as(turn), ids[turn]!));
  await each('net worth', READS, (turn) => readNetWorth(as(turn), ids[turn]!));
  await each('an add', ADDS, (turn) => addItem(sql, ids[turn]!, `N${turn}`).catch(() => {}));
  await each('prices to refresh', 3, () => pricesToRefresh(sql, [], { spare: 0 }));
  const due = { rolled: [DAY], fetched: DAY, splitsFrom: DAY };
  await each('closes to fetch', 3, () => lackCloses(sql, [], due));
  await each('stocks in use', 3, () => stocksInUse(sql));
  let longest = 0;
  const timed = {
    ...sql,
    async query<Row extends object>(text: string, values?: readonly unknown[]) {
      const from = performance.now();
      const rows = await sql.query<Row>(text, values);
      longest = Math.max(longest, performance.now() - from);
      return rows;
    },
  };
  const from = performance.now();
  await writeSnapshots(timed, DAY);
  print('a day of net worth', `${ms(performance.now() - from)}, the longest statement ${ms(longest)}`);
  const bytes = await db.owner<{ name: string; each: number }>(
    `select t as name, (pg_total_relation_size('public.' || t)::float8 /
            greatest((xpath('/row/c/text()', query_to_xml('select count(*) as c from public.' || t, false, true, '')))
              [1]::text::int, 1))::int as each
       from unnest($1::text[]) t`,
    [TABLES],
  );
  print('bytes a row with indexes', bytes.map(({ name, each: size_ }) => `${name} ${size_}`).join(', '));
}

/** What requests cost the server and the database, one connection after another having its own member. */
async function measureRequests(redisUrl: string): Promise<void> {
  console.log('\nover HTTP, processor time');
  const service = await startSeveral(db, {
    processes: 1,
    redisUrl,
    settings: { API_RATE_LIMIT: '1000000', WORKER: 'off' },
  });
  try {
    const browser = new TestBrowser(service.url, SITE);
    const { sessionId, userId } = await browser.signUp();
    let token = await browser.token(sessionId);
    const read = async (path: string): Promise<void> => {
      const answer = await fetch(service.url + path, { headers: { authorization: `Bearer ${token}` } });
      if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}`);
      await answer.arrayBuffer();
    };
    await read('/api/me');
    for (let n = 0; n < 10; n += 1) await addItem(sql, userId, `M${n}`);
    const kinds = {
      'a session token': async () => void (token = await browser.token(sessionId)),
      'GET /api/watchlist': () => read('/api/watchlist'),
      'GET /api/net-worth': () => read('/api/net-worth'),
    };
    for (const [name, work] of Object.entries(kinds)) {
      for (let n = 0; n < 50; n += 1) await work();
      const before = [computed(service.pids()), computed(databasePids())] as const;
      for (let n = 0; n < REQUESTS; n += 1) await work();
      const [server, database] = [since(before[0], service.pids()), since(before[1], databasePids())];
      print(name, `server ${ms(server / REQUESTS)}, database ${ms(database / REQUESTS)}`);
    }
  } finally {
    await service.stop();
  }
}

async function measureRedis(url: string): Promise<void> {
  const limits = createSharedLimits(url, { warn: () => {} }, { answerWithin: 10_000 });
  const client = new Redis(url);
  const [takes, inFlight] = [40_000, 64];
  // Until it is connected, which a request does not wait for.
  await eventually(async () => (await limits.take('growth', 1, 1)) !== undefined);
  let missed = 0;
  for (const keys of [1, 1_000]) {
    let sent = 0;
    const from = performance.now();
    const worker = async (): Promise<void> => {
      while (sent < takes) {
        sent += 1;
        if (!(await limits.take(`growth-${keys}-${sent % keys}`, 6_000, 60_000))) missed += 1;
      }
    };
    await Promise.all(Array.from({ length: inFlight }, worker));
    const rate = takes / ((performance.now() - from) / 1000);
    print(`Redis, ${keys} organisations`, `${Math.round(rate).toLocaleString('en')} takes/s from one client`);
  }
  const stats = /^cmdstat_evalsha:.*usec_per_call=([\d.]+)/m.exec(await client.info('commandstats'));
  print('a take', `${stats?.[1] ?? '?'} µs of Redis's one thread`);
  if (missed > 0) throw new Error(`Redis did not answer ${missed} times`);
  let bytes = 0;
  for (const key of await client.keys('*')) bytes = Math.max(bytes, Number(await client.memory('USAGE', key)));
  print('the largest window (6,000 entries)', `${Math.round(bytes / 1024)} kB`);
  client.disconnect();
  await limits.close();
}

const redis = await startRedis();
try {
  await db.owner(`insert into public.tracked_tickers_latest (symbol, name, asset_type, currency, current_price, source)
    select p || n, 'Listing ' || n, 'stock', 'USD', 10, 'fmp'
      from generate_series(0, ${LISTINGS - 1}) n cross join unnest(array['M', 'N']) p`);
  let filled = 0;
  for (const size of sizes.toSorted((a, b) => a - b)) {
    await fill(filled, size);
    filled = size;
    await measureSize(size);
  }
  await measureRequests(redis.url);
  console.log();
  await measureRedis(redis.url);
} finally {
  await redis.stop();
  await db.drop();
}
