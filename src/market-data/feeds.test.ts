import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { pino } from 'pino';
import type { FmpFake } from '../../test/fakes/fmp/fmp-fake.ts';
import { FINNHUB_KEY, startFinnhubFake } from '../../test/fakes/finnhub/finnhub-fake.ts';
import { FMP_KEY, fmpCandles, fmpQuote, startFmpFake } from '../../test/fakes/fmp/fmp-fake.ts';
import type { TestDatabase } from '../../test/support/database.ts';
import { createTestDatabase } from '../../test/support/database.ts';
import { createJobs } from '../jobs/jobs.ts';
import type { TaskHelpers } from '../jobs/task.ts';
import type { MarketDataRoom } from './market-data.ts';
import { createMarketData } from './market-data.ts';

interface Stage {
  db: TestDatabase;
  fake: FmpFake;
  room: MarketDataRoom;
  /** Moves the clock of the room. */
  setTime(time: string): void;
  run(task: string, payload?: object): Promise<void>;
  row(symbol: string): Promise<Row>;
  closesOf(symbol: string): Promise<[string, number][]>;
}

interface Row {
  current_price: number | null;
  change_1d: number | null;
  change_amount: number | null;
  prev_close: number | null;
  market_cap: number | null;
  currency: string | null;
  price_at: Date | null;
  delayed_minutes: number;
  source: string;
  quarantine_reason: string | null;
}

const DURING = '2026-11-20T16:20:00Z';

async function setUp(t: TestContext, callsPerMinute = 10_000): Promise<Stage> {
  const [db, fake] = await Promise.all([createTestDatabase(t), startFmpFake()]);
  t.after(() => fake.close());
  let time = new Date(DURING);
  const room = createMarketData({
    sql: db.database.service,
    jobs: createJobs(db.database),
    logger: pino({ level: 'silent' }),
    providers: { fmp: { key: FMP_KEY, baseUrl: fake.url, callsPerMinute } },
    now: () => time,
  });
  const helpers: TaskHelpers = { jobId: '1', attempt: 1, maxAttempts: 1, signal: new AbortController().signal };
  return {
    db,
    fake,
    room,
    setTime: (next) => void (time = new Date(next)),
    run: (task, payload = {}) => room.tasks[task]!(payload as never, helpers),
    row: async (symbol) => (await db.owner<Row>('select * from public.tracked_tickers_latest where symbol = $1', [symbol]))[0]!,
    closesOf: async (symbol) =>
      (await db.owner<{ closes: [string, number][] }>('select r.closes from market.recent_closes r join public.tracked_tickers_latest t using (ticker_id) where t.symbol = $1', [symbol]))[0]?.closes ?? [],
  };
}

/** Puts symbols on somebody's list, so that the feed has a reason to fetch them. */
async function watch({ db, room }: Stage, ...symbols: string[]): Promise<void> {
  await db.owner(`insert into public.all_users (idp_id) values ('user_feed') on conflict do nothing`);
  for (const [place, symbol] of symbols.entries()) {
    assert.equal((await room.registerSymbol(symbol)).ok, true, symbol);
    await db.owner(`insert into public.watchlist_items (idp_id, symbol, position) values ('user_feed', $1, $2)`, [symbol, place + 1]);
  }
}

test('the feed writes what is watched: day change for stocks and ETFs, the price alone for funds, pence as pounds', async (t) => {
  const stage = await setUp(t);
  await watch(stage, 'AAPL', 'BRK.B', 'VOO', 'VTSAX', 'VOD.L');
  stage.fake.requests.length = 0;
  await stage.run('market-refresh');
  assert.deepEqual(stage.fake.requests.map(({ path, params }) => [path, params.get('symbols')?.split(',').sort()]), [['/batch-quote', ['AAPL', 'BRK-B', 'VOD.L', 'VOO', 'VTSAX']]], 'one call for all');
  const apple = await stage.row('AAPL');
  assert.deepEqual([apple.current_price, apple.prev_close, apple.source, apple.delayed_minutes], [232.8, 228.02, 'fmp', 15]);
  assert.equal(apple.price_at!.toISOString(), '2026-11-20T16:15:00.000Z');
  assert.equal(apple.change_amount!.toFixed(2), '4.78');
  const fund = await stage.row('VTSAX');
  assert.deepEqual([fund.current_price, fund.change_1d, fund.change_amount, fund.prev_close], [141.2, null, null, null]);
  const vodafone = await stage.row('VOD.L');
  assert.deepEqual([vodafone.current_price, vodafone.prev_close, vodafone.currency], [72.15, 72, 'GBP']);
});

test('the feed rests outside the session, on weekends and holidays, and takes the last prices after the close', async (t) => {
  const stage = await setUp(t);
  await watch(stage, 'AAPL');
  for (const [time, calls] of [['2026-11-21T16:20:00Z', 0], ['2026-11-26T16:20:00Z', 0], ['2026-11-20T14:15:00Z', 0], ['2026-11-20T22:00:00Z', 0], ['2026-11-27T19:00:00Z', 0], ['2026-11-20T14:30:00Z', 1], ['2026-11-20T21:15:00Z', 1], ['2026-11-27T18:30:00Z', 1]] as const) {
    stage.fake.requests.length = 0;
    stage.setTime(time);
    await stage.run('market-refresh');
    assert.equal(stage.fake.requests.length, calls, time);
  }
});

test('pitfall 7: a price that changed its unit overnight is held back and the old one stays, until it is itself again', async (t) => {
  const stage = await setUp(t);
  await watch(stage, 'VOD.L', 'AAPL');
  const before = await stage.row('VOD.L');
  stage.fake.state.quotes.set('VOD.L', fmpQuote('VOD.L', 72.3, 72));
  stage.fake.state.quotes.set('AAPL', fmpQuote('AAPL', 233, 228.02));
  await stage.run('market-refresh');
  const held = await stage.row('VOD.L');
  assert.equal(held.current_price, before.current_price);
  assert.match(held.quarantine_reason!, /change of unit/);
  assert.equal((await stage.row('AAPL')).current_price, 233, 'the rest of the batch is written');
  stage.fake.state.quotes.set('VOD.L', fmpQuote('VOD.L', 7_230, 7_200));
  await stage.run('market-refresh');
  const healed = await stage.row('VOD.L');
  assert.deepEqual([healed.current_price, healed.quarantine_reason], [72.3, null]);
});

test('pitfall 7: a split of that size is taken where the split feed knows it, and its history is fetched anew', async (t) => {
  const stage = await setUp(t);
  await watch(stage, 'AAPL');
  await stage.run('market-backfill', { symbol: 'AAPL' });
  assert.deepEqual((await stage.closesOf('AAPL')).at(-1), ['2026-11-19', 228.02]);
  stage.fake.state.quotes.set('AAPL', fmpQuote('AAPL', 2.33, 2.28));
  stage.fake.state.splits.set('AAPL', [{ symbol: 'AAPL', date: '2026-11-20', numerator: 100, denominator: 1 }]);
  stage.fake.state.candles.set('AAPL', fmpCandles('AAPL', [['2026-11-18', 2.27], ['2026-11-19', 2.28]]));
  await stage.run('market-refresh');
  assert.deepEqual([(await stage.row('AAPL')).current_price, (await stage.row('AAPL')).quarantine_reason], [2.33, null]);
  const waiting = await stage.db.owner<{ payload: object }>(`select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks k on k.id = j.task_id where k.identifier = 'market-backfill'`);
  assert.deepEqual(waiting, [{ payload: { symbol: 'AAPL', again: true } }]);
  await stage.db.owner(`update market.backfills set done_at = done_at - interval '2 minutes'`);
  await stage.run('market-backfill', { symbol: 'AAPL', again: true });
  assert.deepEqual(await stage.closesOf('AAPL'), [['2026-11-18', 2.27], ['2026-11-19', 2.28]], 'nothing of the old scale is left');
});

test('a small split is looked up and its history fetched anew; a wild day, and the same split again on that day, are not', async (t) => {
  const stage = await setUp(t);
  await watch(stage, 'AAPL', 'BRK.B');
  for (const symbol of ['AAPL', 'BRK.B']) await stage.run('market-backfill', { symbol });
  const tick = async () => {
    await stage.run('market-refresh');
    return (await stage.db.owner<{ symbol: string }>(`delete from graphile_worker._private_jobs returning payload ->> 'symbol' as symbol`)).map(({ symbol }) => symbol);
  };
  const splitCalls = () => stage.fake.requests.filter(({ path }) => path === '/splits').length;
  stage.fake.state.quotes.set('AAPL', fmpQuote('AAPL', 183, 182.4)); // 5 for 4
  stage.fake.state.quotes.set('BRK-B', fmpQuote('BRK-B', 191, 190)); // no split
  assert.deepEqual(await tick(), [], 'the split feed does not know it yet');
  assert.equal(splitCalls(), 2);
  await stage.db.owner(`update market.quote_notes set split_checked_at = now() - interval '21 hours'`);
  stage.fake.state.splits.set('AAPL', [{ symbol: 'AAPL', date: '2026-11-20', numerator: 5, denominator: 4 }]);
  assert.deepEqual(await tick(), ['AAPL']);
  assert.equal(splitCalls(), 4);
  // The candles stay as they were, and so the doubt.
  await stage.db.owner(`update market.backfills set done_at = done_at - interval '2 minutes'`);
  await stage.run('market-backfill', { symbol: 'AAPL', again: true });
  assert.deepEqual(await tick(), []);
  assert.equal(splitCalls(), 4, 'once a day');
});

test('pitfall 10: whatever the provider does, the feed ends quietly and the last prices stay', async (t) => {
  const stage = await setUp(t);
  await watch(stage, 'AAPL');
  for (const fault of ['payment required', 'a server error', 'an HTML page with 200', 'a closed connection', 'too many requests'] as const) {
    stage.fake.failWith(fault);
    await stage.run('market-refresh');
    assert.equal((await stage.row('AAPL')).current_price, 232.8, fault);
  }
  assert.deepEqual(await stage.room.registerSymbol('VOO'), { ok: false, reason: 'unavailable' });
  assert.deepEqual(await stage.room.news([['AAPL']], 3), []);
  assert.deepEqual(await stage.room.earnings(['AAPL'], { from: '2026-11-20', to: '2027-02-18' }), { reports: [], complete: false });
  assert.equal((await stage.room.status())!.session, 'open');
});

test('an older quote never replaces a newer one', async (t) => {
  const stage = await setUp(t);
  await watch(stage, 'AAPL');
  stage.fake.state.quotes.set('AAPL', fmpQuote('AAPL', 100, 99, { timestamp: Date.parse('2026-11-20T15:00:00Z') / 1_000 }));
  await stage.run('market-refresh');
  assert.equal((await stage.row('AAPL')).current_price, 232.8);
});

test('after the close the day\'s prices become its closes, for all in one go and once', async (t) => {
  const stage = await setUp(t);
  await watch(stage, 'AAPL', 'BRK.B', 'VTSAX');
  for (const symbol of ['AAPL', 'BRK.B']) await stage.run('market-backfill', { symbol });
  stage.setTime('2026-11-20T21:10:00Z');
  const late = { timestamp: Date.parse('2026-11-20T21:00:00Z') / 1_000 };
  stage.fake.state.quotes.set('AAPL', fmpQuote('AAPL', 234.5, 228.02, late));
  await stage.run('market-refresh'); // the other's last price stays one of the morning
  stage.setTime('2026-11-20T21:34:00Z');
  await stage.run('market-roll-closes');
  assert.deepEqual((await stage.closesOf('AAPL')).at(-1), ['2026-11-19', 228.02], 'prices may still come in');
  stage.setTime('2026-11-20T21:40:00Z');
  await stage.run('market-roll-closes');
  await stage.run('market-roll-closes');
  assert.deepEqual((await stage.closesOf('AAPL')).slice(-2), [['2026-11-19', 228.02], ['2026-11-20', 234.5]]);
  assert.deepEqual((await stage.closesOf('BRK.B')).at(-1), ['2026-11-19', 228.02], 'a morning price is no close');
});

test('days that were missed while nothing ran are fetched, by the start or before the next close is added', async (t) => {
  const stage = await setUp(t);
  await watch(stage, 'AAPL', 'BRK.B', 'VTSAX');
  for (const symbol of ['AAPL', 'BRK.B']) await stage.run('market-backfill', { symbol });
  const asked = async () =>
    (await stage.db.owner<{ symbol: string }>(`select payload ->> 'symbol' as symbol from graphile_worker._private_jobs where payload ->> 'symbol' is not null order by 1`)).map(({ symbol }) => symbol);
  stage.setTime('2026-11-20T21:40:00Z');
  await stage.run('market-roll-closes');
  await stage.room.catchUp();
  assert.deepEqual(await asked(), [], 'nothing is missing');
  await stage.db.owner(`update market.backfills set done_at = done_at - interval '4 days'`);
  stage.setTime('2026-11-24T16:00:00Z');
  await stage.room.catchUp();
  assert.deepEqual(await asked(), ['AAPL', 'BRK.B'], 'Friday is');
  await stage.db.owner('delete from graphile_worker._private_jobs');
  stage.setTime('2026-11-24T21:40:00Z');
  await stage.run('market-roll-closes');
  assert.deepEqual(await asked(), ['AAPL', 'BRK.B']);
  await stage.db.owner('delete from market.recent_closes');
  await stage.db.owner('delete from graphile_worker._private_jobs');
  await stage.room.catchUp();
  assert.deepEqual(await asked(), ['AAPL', 'BRK.B'], 'closes that are not there at all; funds have none');
});

test('a watched listing whose price is old gets a new one by a job', async (t) => {
  const stage = await setUp(t);
  await watch(stage, 'VTSAX');
  const jobs = () => stage.db.owner<{ payload: object }>('select payload from graphile_worker._private_jobs');
  await stage.room.requestBackfill('VTSAX');
  assert.deepEqual(await jobs(), []);
  stage.setTime('2026-12-01T16:20:00Z');
  await stage.room.requestBackfill('VTSAX');
  assert.deepEqual(await jobs(), [{ payload: { symbol: 'VTSAX' } }]);
  stage.fake.state.quotes.set('VTSAX', fmpQuote('VTSAX', 142, null, { timestamp: Date.parse('2026-11-30T21:00:00Z') / 1_000 }));
  await stage.run('market-refresh-symbol', { symbol: 'VTSAX' });
  assert.equal((await stage.row('VTSAX')).current_price, 142);
});

test('where a minute\'s budget does not reach for all, the oldest prices come first and the rest follows by a job', async (t) => {
  const stage = await setUp(t);
  await watch(stage, 'AAPL', 'BRK.B');
  await stage.db.owner(`insert into market.provider_calls select 'fmp', 'minute', date_trunc('minute', now(), 'UTC') + n * interval '1 minute', 100000 from generate_series(0, 2) n on conflict (provider, span, starts_at) do update set used = 100000`);
  await stage.run('market-refresh');
  const waiting = await stage.db.owner<{ payload: object; later: boolean }>(`select payload, run_at > now() + interval '30 seconds' as later from graphile_worker._private_jobs`);
  assert.equal(waiting.length, 1);
  const { since, ...rest } = waiting[0]!.payload as { since: string };
  assert.deepEqual([rest, waiting[0]!.later], [{ always: false, round: 2, fundsFirst: false }, true]);
  assert.ok(Date.parse(since) <= Date.now());
  assert.deepEqual(await queuesOf(stage), ['market-refresh']);
});

/** The queues of the jobs that wait. */
const queuesOf = async ({ db }: Stage) =>
  (await db.owner<{ name: string | null }>('select q.queue_name as name from graphile_worker._private_jobs j left join graphile_worker._private_job_queues q on q.id = j.job_queue_id')).map(({ name }) => name);

test('with few calls a minute everybody has a turn: in the evening funds first and each once, by day who has waited longest', async (t) => {
  const stage = await setUp(t);
  const finnhub = await startFinnhubFake();
  t.after(() => finnhub.close());
  const stocks = Array.from({ length: 12 }, (_, place) => `S${String(place).padStart(2, '0')}`);
  await stage.db.owner(`insert into public.all_users (idp_id) values ('user_feed')`);
  for (const [place, symbol] of [...stocks, 'ZFUND'].entries()) {
    await stage.db.owner(`insert into public.tracked_tickers_latest (symbol, asset_type, currency) values ($1, $2, 'USD')`, [symbol, symbol === 'ZFUND' ? 'mutual_fund' : 'stock']);
    await stage.db.owner(`insert into public.watchlist_items (idp_id, symbol, position) values ('user_feed', $1, $2)`, [symbol, place + 1]);
    if (symbol !== 'S00') finnhub.state.quotes.set(symbol, finnhub.state.quotes.get('AAPL')!); // nobody knows the first
  }
  const room = createMarketData({
    sql: stage.db.database.service,
    jobs: createJobs(stage.db.database),
    logger: pino({ level: 'silent' }),
    providers: { finnhub: { key: FINNHUB_KEY, baseUrl: finnhub.url, callsPerMinute: 10 } },
    now: () => new Date(DURING),
  });
  const round = async (task: string, payload: object): Promise<string[]> => {
    finnhub.requests.length = 0;
    await stage.db.owner('delete from market.provider_calls');
    await room.tasks[task]!(payload as never, { jobId: '1', attempt: 1, maxAttempts: 1, signal: new AbortController().signal });
    return finnhub.requests.map(({ params }) => params.get('symbol')!);
  };
  const rest = async () => (await stage.db.owner<{ payload: object }>('delete from graphile_worker._private_jobs returning payload'))[0]?.payload;

  assert.deepEqual(await round('market-refresh-evening', { always: true }), ['ZFUND', ...stocks.slice(0, 9)]);
  assert.deepEqual(await round('market-refresh', (await rest())!), stocks.slice(9));
  assert.equal(await rest(), undefined, 'each was asked for once');

  await stage.db.owner('truncate market.quote_notes');
  assert.deepEqual(await round('market-refresh', {}), stocks.slice(0, 10));
  assert.deepEqual((await round('market-refresh', {})).slice(0, 2), stocks.slice(10), 'though nobody knows the first and all prices are of one time');
});

test('while the provider is away a refresh asks twice and leaves the rest for later', async (t) => {
  const stage = await setUp(t);
  const symbols = Array.from({ length: 100 }, (_, place) => `S${String(place).padStart(2, '0')}`);
  await stage.db.owner(`insert into public.tracked_tickers_latest (symbol, asset_type, currency) select unnest($1::text[]), 'stock', 'USD'`, [symbols]);
  stage.fake.failWith('a server error');
  const { unanswered, unasked, missing } = await stage.room.refreshNow(symbols);
  assert.deepEqual({ unanswered, unasked, missing }, { unanswered: 40, unasked: 60, missing: 0 });
});

test('a first price that got no answer is tried again; one that nobody has is not', async (t) => {
  const stage = await setUp(t);
  await watch(stage, 'AAPL');
  stage.fake.failWith('a server error');
  await assert.rejects(stage.run('market-refresh-symbol', { symbol: 'AAPL' }), /no answer for the price of AAPL/);
  stage.fake.failWith(undefined);
  stage.fake.state.quotes.delete('AAPL');
  await stage.run('market-refresh-symbol', { symbol: 'AAPL' });
});

test('search asks the provider for what the catalog lacks, once for the same words, and leaves coins out', async (t) => {
  const stage = await setUp(t);
  const found = await stage.room.search('Vanguard', 10);
  assert.deepEqual(found.map(({ symbol, asset_type, logo }) => [symbol, asset_type, logo]), [
    ['VOO', 'etf', '/api/logos/vanguard.svg'],
    ['VTSAX', 'mutual_fund', '/api/logos/vanguard.svg'],
  ]);
  assert.deepEqual(await stage.room.search('vanguard', 10), found);
  assert.deepEqual(stage.fake.requests.map(({ path }) => path), ['/search-symbol', '/search-name']);
  assert.deepEqual(await stage.room.search('BTC', 10), []);
  await stage.room.registerSymbol('VOO');
  assert.deepEqual((await stage.room.search('vanguard', 10)).map(({ symbol }) => symbol), ['VOO', 'VTSAX'], 'each once');
  stage.fake.failWith('no answer at all');
  assert.deepEqual((await stage.room.search('voo', 10)).map(({ symbol }) => symbol), ['VOO'], 'the catalog still answers');
});

test('a symbol that nobody knows is asked for once in a while; a provider that is away is not held against it', async (t) => {
  const stage = await setUp(t);
  for (let round = 0; round < 3; round += 1) assert.deepEqual(await stage.room.registerSymbol('NOSUCH'), { ok: false, reason: 'unknown' });
  for (let round = 0; round < 3; round += 1) assert.deepEqual(await stage.room.registerSymbol('BTCUSD'), { ok: false, reason: 'unsupported' });
  assert.equal(stage.fake.requests.length, 1);
  stage.fake.failWith('a server error');
  assert.deepEqual(await stage.room.registerSymbol('VOO'), { ok: false, reason: 'unavailable' });
  stage.fake.failWith(undefined);
  const registered = await stage.room.registerSymbol('VOO');
  assert.ok(registered.ok && registered.ticker.asset_type === 'etf');
  assert.equal((await stage.row('VOO')).current_price, 540.1, 'with its first price');
});

test('a look-up makes no row, and what it was told is not asked for again when the symbol is registered', async (t) => {
  const stage = await setUp(t);
  const lookUps = () => stage.fake.requests.filter(({ path }) => path === '/profile').length;
  for (let round = 0; round < 3; round += 1) assert.deepEqual(await stage.room.lookUpSymbol('voo'), { ok: true });
  assert.deepEqual(await stage.room.lookUpSymbol('NOSUCH'), { ok: false, reason: 'unknown' });
  assert.equal(await stage.row('VOO'), undefined);
  const asked = lookUps();
  assert.equal((await stage.room.registerSymbol('VOO')).ok, true);
  assert.deepEqual(await stage.room.registerSymbol('NOSUCH'), { ok: false, reason: 'unknown' });
  assert.deepEqual([asked, lookUps()], [2, 2]);
});

test('once a provider is configured, sample prices and sample closes go; and the simulator never writes over real ones', async (t) => {
  const stage = await setUp(t);
  const simulated = createMarketData({ sql: stage.db.database.service, jobs: createJobs(stage.db.database), logger: pino({ level: 'silent' }), providers: {}, now: () => new Date(DURING) });
  await simulated.seed();
  assert.ok((await stage.closesOf('AAPL')).length === 30);
  await stage.room.catchUp();
  assert.equal((await stage.row('AAPL')).current_price, null);
  assert.deepEqual(await stage.closesOf('AAPL'), []);
  assert.deepEqual(await stage.db.owner('select 1 from public.tracked_tickers_historical limit 1'), []);
  await stage.run('market-refresh', { always: true });
  assert.equal((await stage.row('AAPL')).current_price, 232.8);
  await simulated.tasks['market-refresh']!({ always: true } as never, { jobId: '1', attempt: 1, maxAttempts: 1, signal: new AbortController().signal });
  assert.deepEqual([(await stage.row('AAPL')).current_price, (await stage.row('AAPL')).source], [232.8, 'fmp']);
});

test('earnings are asked once in twelve hours, skipped while the budget is spent, and what is known is answered', async (t) => {
  const stage = await setUp(t);
  await watch(stage, 'AAPL', 'BRK.B');
  const range = { from: '2026-11-20', to: '2027-02-18' };
  await Promise.all(Array.from({ length: 8 }, () => stage.room.nextReports(['AAPL']))); // every connection is open
  stage.fake.requests.length = 0;
  const [first, ...others] = await Promise.all(Array.from({ length: 8 }, () => stage.room.earnings(['AAPL'], range)));
  assert.deepEqual(first, { reports: [{ symbol: 'AAPL', date: '2027-01-28', when: null, eps_estimate: 2.6, estimated: true }], complete: true });
  for (const other of others) assert.deepEqual(other, first);
  assert.equal(stage.fake.requests.length, 1, 'members share one call');
  assert.deepEqual((await stage.room.nextReports(['AAPL'])).get('AAPL'), { date: '2027-01-28', when: null });

  await stage.db.owner(`insert into market.provider_calls select 'fmp', 'minute', date_trunc('minute', now(), 'UTC') + n * interval '1 minute', 100000 from generate_series(0, 2) n on conflict (provider, span, starts_at) do update set used = 100000`);
  const spent = await stage.room.earnings(['AAPL', 'BRK.B'], range);
  assert.deepEqual([spent.complete, spent.reports.map(({ symbol }) => symbol)], [false, ['AAPL']]);
  assert.equal(stage.fake.requests.length, 1);

  await stage.db.owner('delete from market.provider_calls');
  await stage.db.owner(`update market.earnings_cache set fetched_at = now() - interval '12 hours 1 minute'`);
  stage.fake.state.earnings = [];
  assert.deepEqual(await stage.room.earnings(['AAPL'], range), { reports: [], complete: true }, 'after twelve hours it is asked again');
  assert.equal(stage.fake.requests.length, 2);
});

test('news are asked once in ten minutes for the same symbols, and an old copy stands in for a provider that is away', async (t) => {
  const stage = await setUp(t);
  const articles = await stage.room.news([['AAPL', 'MSFT']], 10);
  assert.deepEqual(articles.map(({ title, summary, published_at: at, symbols }) => [title, summary, at, symbols]), [
    ['Newest & first', 'Bold words', '2026-11-20T14:30:00.000Z', ['AAPL']],
    ['Older', 'Text', '2026-11-19T23:00:00.000Z', ['MSFT']],
  ]);
  assert.deepEqual(await stage.room.news([['MSFT', 'AAPL'], ['AAPL']], 1), articles.slice(0, 1));
  assert.equal(stage.fake.requests.length, 1);
  await stage.db.owner(`update market.news_cache set fetched_at = now() - interval '11 minutes'`);
  stage.fake.failWith('a server error');
  assert.deepEqual(await stage.room.news([['AAPL', 'MSFT']], 10), articles);
  assert.equal(stage.fake.requests.length, 2);
});

test('a process that only refreshes or only fetches history leaves no sample history under a real price', async (t) => {
  const stage = await setUp(t);
  const simulated = createMarketData({ sql: stage.db.database.service, jobs: createJobs(stage.db.database), logger: pino({ level: 'silent' }), providers: {}, now: () => new Date(DURING) });
  await simulated.seed();
  await stage.room.earnings(['AAPL'], { from: '2026-11-20', to: '2027-02-18' });
  assert.equal((await stage.closesOf('AAPL')).length, 30);
  await stage.db.owner(`update public.tracked_tickers_latest set market_cap = 5 where symbol = 'VOO'`);
  await stage.room.refreshNow(['AAPL', 'VOO', 'VTSAX']);
  const waiting = await stage.db.owner<{ symbol: string }>(
    `select payload ->> 'symbol' as symbol from graphile_worker._private_jobs j join graphile_worker._private_tasks k on k.id = j.task_id where k.identifier = 'market-backfill' order by 1`,
  );
  assert.deepEqual(waiting, [{ symbol: 'AAPL' }, { symbol: 'VOO' }], 'the real year is asked for; funds have none');
  await stage.room.catchUp();
  assert.deepEqual([(await stage.row('AAPL')).current_price, (await stage.row('AAPL')).source], [232.8, 'fmp']);
  assert.equal((await stage.row('VOO')).market_cap, null, 'no figure of the sample stays');
  assert.deepEqual(await stage.closesOf('AAPL'), []);
  assert.deepEqual(await stage.db.owner('select 1 from public.tracked_tickers_historical limit 1'), []);
  assert.deepEqual(await stage.room.nextReports(['AAPL']), new Map());
  assert.deepEqual(await stage.room.backfillNow('AAPL', false), { outcome: 'stored', candles: 3 });
  await stage.room.refreshNow(['AAPL']);
  assert.equal((await stage.closesOf('AAPL')).length, 3, 'real closes stay');
});

test('a real year replaces a sample one that is no day old, and its sample price goes with it', async (t) => {
  const stage = await setUp(t);
  const simulated = createMarketData({ sql: stage.db.database.service, jobs: createJobs(stage.db.database), logger: pino({ level: 'silent' }), providers: {}, now: () => new Date(DURING) });
  await simulated.seed();
  assert.deepEqual(await stage.room.backfillNow('AAPL', false), { outcome: 'stored', candles: 3 });
  assert.deepEqual((await stage.closesOf('AAPL')).map(([day]) => day), ['2026-11-16', '2026-11-17', '2026-11-19']);
  assert.equal((await stage.row('AAPL')).current_price, null);
  await stage.room.refreshNow(['AAPL']);
  assert.deepEqual([(await stage.row('AAPL')).current_price, (await stage.closesOf('AAPL')).length], [232.8, 3]);
});

test('pitfall 7: where one provider quotes pence and the other pounds, each is read in its own unit', async (t) => {
  const stage = await setUp(t);
  await watch(stage, 'VOD.L');
  const finnhub = await startFinnhubFake();
  t.after(() => finnhub.close());
  finnhub.state.listings.set('VOD.L', { description: 'VODAFONE GROUP PLC', type: 'Common Stock' });
  finnhub.state.profiles.set('VOD.L', { country: 'GB', currency: 'GBP', exchange: 'LONDON STOCK EXCHANGE', name: 'Vodafone', ticker: 'VOD.L', logo: '' });
  finnhub.state.quotes.set('VOD.L', { ...finnhub.state.quotes.get('AAPL'), c: 72.3, pc: 72, o: 72, h: 72.4, l: 72 });
  finnhub.state.candles.set('VOD.L', finnhub.state.candles.get('AAPL')!);
  const other = createMarketData({
    sql: stage.db.database.service,
    jobs: createJobs(stage.db.database),
    logger: pino({ level: 'silent' }),
    providers: { finnhub: { key: FINNHUB_KEY, baseUrl: finnhub.url } },
    now: () => new Date(DURING),
  });
  assert.deepEqual([(await stage.row('VOD.L')).current_price, (await stage.row('VOD.L')).source], [72.15, 'fmp']);
  const first = await other.refreshNow(['VOD.L']);
  assert.deepEqual([first.written, (await stage.row('VOD.L')).current_price, (await stage.row('VOD.L')).source], [1, 72.3, 'finnhub']);
  const lookUps = () => [...finnhub.requests, ...stage.fake.requests].filter(({ path }) => path === '/search' || path === '/profile').length;
  const asked = lookUps();
  await other.refreshNow(['VOD.L']);
  await stage.room.refreshNow(['VOD.L']);
  assert.deepEqual([(await stage.row('VOD.L')).current_price, (await stage.row('VOD.L')).source], [72.15, 'fmp']);
  assert.equal(lookUps(), asked, 'each says it once');
  await other.backfillNow('VOD.L', false);
  assert.deepEqual((await stage.closesOf('VOD.L')).at(-1), ['2026-11-19', 228.02], 'candles too');
});
