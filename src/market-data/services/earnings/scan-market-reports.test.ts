import assert from 'node:assert/strict';
import { test, type TestContext } from 'vitest';
import { pino } from 'pino';
import { FINNHUB_KEY, startFinnhubFake } from '../../../../test/fakes/finnhub/finnhub-fake.ts';
import { FMP_KEY, startFmpFake } from '../../../../test/fakes/fmp/fmp-fake.ts';
import { startBarrierServer } from '../../../../test/fakes/gate.ts';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { createJobs } from '../../../platform/jobs/jobs.ts';
import { createProviderChain } from '../../providers/chain/provider-chain.ts';
import { withTtlCache } from '../../providers/single-flight/ttl-cache.ts';
import { createReports } from './list-reports.ts';
import { createSimulator } from '../../../embedded/market-data/simulator.ts';
import { createMarketData } from '../../market-data.ts';
import type { MarketDataService } from '../market-data-service.ts';
import { createProviderEntries, type ProviderSettings } from '../../providers/provider-entries.ts';

const range = { from: '2026-11-20', to: '2027-02-18' };
const now = (): Date => new Date('2026-11-20T16:20:00Z');
const logger = pino({ level: 'silent' });

/** Returns `A01`, `A02` and so on. */
const named = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => letter + String(index + 1).padStart(2, '0'));

async function setUp(t: TestContext, callsPerMinute = 10_000) {
  const [db, fake] = await Promise.all([createTestDatabase(t), startFmpFake()]);
  t.onTestFinished(() => fake.close());
  const settings: ProviderSettings = { fmp: { key: FMP_KEY, baseUrl: fake.url, callsPerMinute } };
  const startProcess = (providers = settings, clock = now): MarketDataService =>
    createMarketData({
      sql: db.database.service,
      jobs: createJobs(db.database),
      logger,
      providers,
      createEmbedded: createSimulator,
      now: clock,
    });
  const calls = (path: string): number => fake.requests.filter((request) => request.path === path).length;
  return { db, fake, settings, marketData: startProcess(), startProcess, calls };
}

type Stage = Awaited<ReturnType<typeof setUp>>;

/** Adds companies to the list of a member. If a date is given, each reports on it. */
async function watch({ db, fake }: Stage, symbols: readonly string[], date?: string): Promise<void> {
  await db.owner(`insert into public.tracked_tickers_latest (symbol, asset_type) select unnest($1::text[]), 'stock'`, [
    symbols,
  ]);
  await db.owner(`insert into public.all_users (idp_id) values ('user_many') on conflict do nothing`);
  await db.owner(
    `insert into public.watchlist_items (idp_id, symbol, position)
     select 'user_many', symbol, place + (select count(*) from public.watchlist_items)
       from unnest($1::text[]) with ordinality as w (symbol, place)`,
    [symbols],
  );
  if (date !== undefined) fake.state.earnings.push(...symbols.map((symbol) => ({ symbol, date, epsEstimated: 1 })));
}

const age = ({ db }: Stage, time: string): Promise<unknown> =>
  db.owner(
    `with scans as (update market.earnings_scans set done_at = done_at - $1::interval) update market.earnings_cache
     set fetched_at = fetched_at - $1::interval`,
    [time],
  );

test('shares one market-wide scan between two processes with different lists', async (t) => {
  const stage = await setUp(t);
  const lists = [named('A', 6), named('B', 6), named('C', 6)];
  for (const list of lists) await watch(stage, list, '2027-01-28');
  const requestAll = async () => {
    const other = stage.startProcess();
    const answers = await Promise.all(
      lists.flatMap((list) =>
        [stage.marketData, other].map((marketData) => marketData.earnings(list, range, { untilDone: true })),
      ),
    );
    assert.deepEqual(
      answers.map(({ complete, reports }) => [complete, reports.length]),
      answers.map(() => [true, 6]),
    );
  };
  await requestAll();
  assert.deepEqual([stage.calls('/earnings-calendar'), stage.calls('/earnings')], [13, 0]);
  await age(stage, '13 hours');
  await requestAll();
  assert.deepEqual(
    [stage.calls('/earnings-calendar'), stage.calls('/earnings')],
    [26, 0],
    "concurrent claims read each other's state",
  );
});

test('scans the market once an hour and fetches further companies one by one', async (t) => {
  const stage = await setUp(t);
  const rounds = [
    ['A', '0', 13, 0],
    ['B', '59 minutes', 13, 6],
    ['C', '2 minutes', 26, 6],
  ] as const;
  for (const [letter, time, scans, single] of rounds) {
    await watch(stage, named(letter, 6), '2027-01-28');
    await age(stage, time);
    assert.equal(
      (await stage.marketData.earnings(named(letter, 6), range, { untilDone: true })).reports.length,
      6,
      letter,
    );
    assert.deepEqual([stage.calls('/earnings-calendar'), stage.calls('/earnings')], [scans, single], letter);
  }
});

test('deduplicates reports when the provider sends one twice', async (t) => {
  const stage = await setUp(t);
  for (let time = 0; time < 2; time += 1)
    stage.fake.state.earnings.push(...named('A', 6).map((symbol) => ({ symbol, date: '2027-01-28' })));
  await watch(stage, named('A', 6));
  const listDates = async (symbols: string[]) =>
    (await stage.marketData.earnings(symbols, range, { untilDone: true })).reports.map(
      ({ symbol, date }) => `${symbol} ${date}`,
    );
  assert.deepEqual(await listDates(['A01']), ['A01 2027-01-28'], 'fetched as a single company');
  await age(stage, '13 hours');
  assert.deepEqual(
    await listDates(named('A', 6)),
    named('A', 6).map((symbol) => `${symbol} 2027-01-28`),
    'deduplicated in the calendar',
  );
});

test('frees an unfinished claim after two minutes, with incomplete results until then', async (t) => {
  const stage = await setUp(t);
  await watch(stage, named('A', 6), '2027-01-28');
  await stage.db.owner(`insert into market.earnings_scans (sources) values ('fmp')`);
  const reports = createReports({
    sql: stage.db.database.service,
    reads: stage.db.database.service,
    providers: createProviderChain(
      createProviderEntries(stage.db.database.service, stage.settings, createSimulator, now),
      logger,
    ),
    singleFlight: withTtlCache(Date.now),
    logger,
    now,
    waitTimeoutMs: 1,
  });
  assert.deepEqual(await reports.earnings(named('A', 6), range), { reports: [], complete: false });
  assert.equal(stage.fake.requests.length, 0);
  await stage.db.owner(`update market.earnings_scans set claimed_at = claimed_at - interval '2 minutes'`);
  await eventually(async () => (await reports.earnings(named('A', 6), range)).complete);
  assert.equal(stage.calls('/earnings-calendar'), 13);
});

test('resumes a scan where the quota ended it and keeps the reports it found', async (t) => {
  const stage = await setUp(t, 10); // six for reports
  const firstHalf = named('E', 6);
  const secondHalf = named('L', 6);
  await watch(stage, firstHalf, '2026-11-24');
  await watch(stage, secondHalf, '2027-02-16');
  const all = [...firstHalf, ...secondHalf];
  const requestEarnings = async () => {
    await stage.db.owner('delete from market.provider_calls');
    const { complete, reports } = await stage.marketData.earnings(all, range, { untilDone: true });
    return [complete, reports.length, stage.calls('/earnings-calendar')];
  };
  // A minute may end in between, which allows more calls.
  const [complete, found, calls] = await requestEarnings();
  assert.deepEqual([complete, found], [false, 6]);
  assert.ok(Number(calls) < 13);
  await eventually(async () => (await requestEarnings())[0] === true);
  assert.deepEqual(
    [await requestEarnings(), stage.calls('/earnings')],
    [[true, 12, 13], 0],
    'no week is fetched twice',
  );
});

test('fetches 25 companies per request, longest-waiting first, without a calendar plan', async (t) => {
  const stage = await setUp(t);
  stage.fake.state.plan = 'free';
  const symbols = named('F', 40);
  await watch(stage, symbols, '2027-01-28');
  const first = await stage.marketData.earnings(symbols, range, { untilDone: true });
  assert.deepEqual([first.complete, first.reports.length], [false, 25]);
  assert.deepEqual([stage.calls('/earnings-calendar'), stage.calls('/earnings')], [1, 25]);
  const second = await stage.marketData.earnings(symbols, range, { untilDone: true });
  assert.deepEqual([second.complete, second.reports.length], [true, 40]);
  assert.deepEqual(
    [stage.calls('/earnings-calendar'), stage.calls('/earnings')],
    [1, 40],
    'the calendar is not fetched for an hour',
  );
  assert.deepEqual(
    await stage
      .startProcess()
      .earnings(['F01'], range)
      .then(({ complete }) => complete),
    true,
  );

  await stage.db.owner(
    `update market.earnings_cache set fetched_at = fetched_at - interval '13 hours' - case
       when symbol > 'F30' then interval '1 minute' else '0' end`,
  );
  stage.fake.requests.length = 0;
  await stage.marketData.earnings(symbols, range, { untilDone: true });
  const asked = stage.fake.requests.map(({ params }) => params.get('symbol'));
  assert.deepEqual(asked.slice(0, 10), symbols.slice(30));
});

test('fetches a company once in twelve hours when the calendar omits it', async (t) => {
  const stage = await setUp(t);
  const finnhub = await startFinnhubFake();
  t.onTestFinished(() => finnhub.close());
  const symbols = named('A', 6);
  await watch(stage, symbols, '2027-01-28');
  stage.fake.state.plan = 'free'; // only the calendar of the other provider is readable, and it has none of them
  const marketData = stage.startProcess({
    ...stage.settings,
    finnhub: { key: FINNHUB_KEY, baseUrl: finnhub.url, callsPerMinute: 10_000 },
  });
  const answer = await marketData.earnings(symbols, range, { untilDone: true });
  assert.deepEqual([answer.complete, answer.reports.length], [true, 6]);
  assert.deepEqual(
    [finnhub.requests.length, stage.calls('/earnings-calendar'), stage.calls('/earnings')],
    [13 + 6, 1, 6],
  );
  await marketData.earnings(symbols, range, { untilDone: true });
  assert.equal(stage.calls('/earnings'), 6);
});

test('continues with the next companies when one company cannot be fetched', async (t) => {
  const stage = await setUp(t);
  const finnhub = await startFinnhubFake();
  t.onTestFinished(() => finnhub.close());
  finnhub.failWith('a server error');
  await watch(stage, ['A01', 'A02']);
  await watch(stage, ['A03'], '2027-01-28');
  const marketData = stage.startProcess({
    ...stage.settings,
    finnhub: { key: FINNHUB_KEY, baseUrl: finnhub.url, callsPerMinute: 10_000 },
  });
  const { complete, reports } = await marketData.earnings(['A01', 'A02', 'A03'], range, { untilDone: true });
  assert.deepEqual([complete, reports.map(({ symbol }) => symbol)], [false, ['A03']]);
});

test('stops after three companies when the provider fails', async (t) => {
  const stage = await setUp(t);
  await watch(stage, named('A', 5), '2027-01-28');
  stage.fake.failWith('a server error');
  assert.deepEqual(await stage.marketData.earnings(named('A', 5), range, { untilDone: true }), {
    reports: [],
    complete: false,
  });
  assert.equal(stage.calls('/earnings'), 3);
});

test('reports a lasting gap when no plan covers reports', async (t) => {
  const stage = await setUp(t);
  await watch(stage, ['A01']);
  stage.fake.failWith('payment required');
  assert.deepEqual(await stage.marketData.earnings(['A01'], range, { untilDone: true }), {
    reports: [],
    complete: false,
  });
});

test('returns reports of the range only, including its first and last day', async (t) => {
  const stage = await setUp(t);
  await watch(stage, ['A01'], '2026-12-01');
  await watch(stage, ['A02'], '2027-01-28');
  const within = async (from: string, to: string) =>
    (await stage.marketData.earnings(['A01', 'A02'], { from, to }, { untilDone: true })).reports.map(
      ({ symbol }) => symbol,
    );
  assert.deepEqual(
    [await within('2026-12-01', '2027-01-28'), await within('2026-12-02', '2027-01-27')],
    [['A01', 'A02'], []],
  );
});

test('stores the reports of held companies in a scan', async (t) => {
  const stage = await setUp(t);
  await watch(stage, named('A', 6), '2027-01-28');
  stage.fake.state.earnings.push(...['HELD', 'LOOSE'].map((symbol) => ({ symbol, date: '2027-01-28' })));
  await stage.db.owner(
    `insert into public.tracked_tickers_latest (symbol, asset_type) values ('HELD', 'stock'), ('LOOSE', 'stock')`,
  );
  await stage.db.owner(
    `with account as (insert into public.accounts (idp_id, name) values ('user_many', 'All') returning id)
     insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity) select 'user_many', id, 'HELD', 1
       from account`,
  );
  await stage.marketData.earnings(named('A', 6), range, { untilDone: true });
  assert.deepEqual(await stage.db.owner(`select symbol from market.earnings_cache where symbol not like 'A%'`), [
    { symbol: 'HELD' },
  ]);
});

test('returns before a slow provider responds and continues the call in the background', async (t) => {
  const stage = await setUp(t);
  const gate = await startBarrierServer(stage.fake.url);
  t.onTestFinished(() => gate.close());
  await watch(stage, ['A01'], '2027-01-28');
  const { service } = stage.db.database;
  const providers = createProviderChain(
    createProviderEntries(service, { fmp: { key: FMP_KEY, baseUrl: gate.url } }, createSimulator, now),
    logger,
  );
  const callOnce = withTtlCache(Date.now);
  let callers = 0;
  const singleFlight: typeof callOnce = (shared) => {
    callers += 1;
    return callOnce(shared);
  };
  const reports = createReports({
    sql: service,
    reads: service,
    providers,
    singleFlight,
    logger,
    now,
    waitTimeoutMs: 1,
  });
  assert.deepEqual(await reports.earnings(['A01'], range), { reports: [], complete: false });
  const fetching = reports.fetch(['A01']);
  await eventually(() => callers === 2);
  gate.open();
  assert.equal((await fetching).fetched.length, 1, 'a job waits until the end');
  assert.equal((await reports.earnings(['A01'], range)).complete, true);
  assert.equal(gate.count, 1);
});

test('keeps a report as the next one until its day ends in New York', async (t) => {
  const stage = await setUp(t);
  await watch(stage, ['CACHED', 'LISTED']);
  await stage.db.owner(`insert into public.earnings (symbol, date) values ('LISTED', '2026-11-20')`);
  await stage.db.owner(
    `insert into market.earnings_cache (symbol, reports, fetched_at)
     values ('CACHED', '[{"date": "2026-11-20"}]', now())`,
  );
  for (const [time, symbols] of [
    ['2026-11-21T02:00:00Z', ['CACHED', 'LISTED']],
    ['2026-11-21T05:00:00Z', []],
  ] as const) {
    const marketData = stage.startProcess(stage.settings, () => new Date(time));
    assert.deepEqual([...(await marketData.nextReports(['CACHED', 'LISTED'])).keys()].sort(), symbols, time);
  }
});
