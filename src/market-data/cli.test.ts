import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { FMP_KEY, type FmpFake, createFmpQuote, startFmpFake } from '../../test/fakes/fmp/fmp-fake.ts';
import { createMarket } from '../../test/support/market-fixture.ts';
import { marketCommand } from './cli.ts';
import type { MarketDataService } from './services/market-data-service.ts';

let db: TestDatabase;
let fake: FmpFake;
let marketData: MarketDataService;
beforeAll(async () => {
  [db, fake] = await Promise.all([createTestDatabase(), startFmpFake()]);
  marketData = createMarket(db.database, { fmp: { key: FMP_KEY, baseUrl: fake.url } });
});
afterAll(async () => {
  await db.drop();
  await fake.close();
});

async function run(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const output = { out: '', err: '' };
  const code = await marketCommand((work) => work(marketData)).run(argv, {
    out: (text) => {
      output.out += text;
    },
    err: (text) => {
      output.err += text;
    },
  });
  return { code, ...output };
}

test('refresh stores prices and prints their number as text or JSON', async () => {
  assert.deepEqual(await run('refresh', 'aapl', 'VTSAX'), {
    code: 0,
    out: '2 prices written from fmp; 0 quarantined, 0 rejected, 0 missing.\n',
    err: '',
  });
  const { code, out } = await run('refresh', '--json');
  assert.equal(code, 0);
  assert.deepEqual(Object.keys(JSON.parse(out) as object), [
    'source',
    'written',
    'quarantined',
    'refused',
    'missing',
    'unanswered',
    'unasked',
    'unregistered',
  ]);
});

test('refresh fails when a price is quarantined, until the operator accepts it', async () => {
  await run('refresh', 'BRK.B');
  fake.state.quotes.set('BRK-B', createFmpQuote('BRK-B', 48_025, 47_900));
  assert.equal((await run('refresh', 'BRK.B')).code, 1);
  assert.equal((await run('refresh', 'BRK.B', '--accept')).code, 0);
  const [row] = await db.owner<{ current_price: number; quarantined_at: Date | null }>(
    `select current_price, quarantined_at from public.tracked_tickers_latest where symbol = 'BRK.B'`,
  );
  assert.deepEqual(row, { current_price: 48_025, quarantined_at: null });
});

test('backfill stores a year once and refetches it with --force', async () => {
  assert.deepEqual(await run('backfill', 'AAPL'), { code: 0, out: 'AAPL: 3 candles stored\n', err: '' });
  assert.match((await run('backfill', 'AAPL')).out, /fetched recently/);
  await db.owner(`update market.backfills set done_at = done_at - interval '2 minutes'`);
  assert.deepEqual(JSON.parse((await run('backfill', 'AAPL', '--force', '--json')).out), {
    symbol: 'AAPL',
    outcome: 'stored',
    candles: 3,
  });
});

test('refresh prints unknown symbols and fails when a price is rejected', async () => {
  const { code, out, err } = await run('refresh', 'XXNO', 'AAPL', '--json');
  assert.deepEqual([code, err], [1, 'tally market: XXNO is unknown.\n']);
  const result = JSON.parse(out) as { written: number; unregistered: object[] };
  assert.deepEqual([result.written, result.unregistered], [1, [{ symbol: 'XXNO', reason: 'unknown' }]]);
  assert.equal(
    (JSON.parse((await run('refresh', 'XXNO', '--json')).out) as { written: number }).written,
    0,
    'does not refresh all listings in use',
  );
  fake.state.quotes.set(
    'AAPL',
    createFmpQuote('AAPL', 240, 239, { timestamp: Date.parse('2026-11-21T16:20:00Z') / 1_000 }),
  );
  assert.deepEqual(await run('refresh', 'AAPL'), {
    code: 1,
    out: '0 prices written from fmp; 0 quarantined, 1 rejected, 0 missing.\n',
    err: '',
  });
  fake.state.quotes.set('AAPL', createFmpQuote('AAPL', 232.8, 228.02));
});

test('backfill prints the reason and fails when it stores no candles', async () => {
  assert.deepEqual(await run('backfill', 'VTSAX'), {
    code: 1,
    out: 'VTSAX: funds and bonds have no candles\n',
    err: '',
  });
  assert.deepEqual(await run('backfill', 'VOO'), {
    code: 1,
    out: 'VOO: no candles: the provider has none for the last year\n',
    err: '',
  });
  assert.deepEqual(await run('backfill', 'VOO', '--force'), {
    code: 3,
    out: 'VOO: fetched a moment ago; try again in a minute\n',
    err: '',
  });
  await db.owner(`update market.backfills set done_at = done_at - interval '2 minutes'`);
  fake.state.uncoveredSymbols.add('VOO');
  assert.deepEqual(await run('backfill', 'VOO', '--force'), {
    code: 1,
    out: 'VOO: no provider has candles for it\n',
    err: '',
  });
  fake.state.uncoveredSymbols.delete('VOO');
  await db.owner('delete from market.backfills');
});

test('returns the documented exit code when a command cannot complete', async () => {
  assert.equal((await run('refresh', 'NOSUCH')).code, 1);
  assert.equal((await run('backfill', 'BTC-USD')).code, 1);
  for (const argv of [
    [],
    ['sell'],
    ['backfill'],
    ['refresh', '--all'],
    ['refresh', 'a b'],
    ['refresh', '--accept'],
    ['backfill', 'AAPL', '--accept'],
    ['refresh', 'AAPL', '--force'],
  ]) {
    const { code, err } = await run(...argv);
    assert.equal(code, 2, argv.join(' '));
    assert.match(err, /^tally market: .*See tally market --help\.\n$/);
  }
  fake.failWith('a server error');
  try {
    assert.equal((await run('refresh', 'AAPL')).code, 3);
    assert.equal((await run('refresh', 'VOO')).code, 3);
    assert.equal((await run('backfill', 'VOO')).code, 3);
  } finally {
    fake.failWith(undefined);
  }
});

test('budget shows the calls of today and this minute beside the limits of the plan', async () => {
  const limited = createMarket(db.database, {
    fmp: { key: FMP_KEY, baseUrl: fake.url, callsPerDay: 250 },
    finnhub: { key: 'a-key', baseUrl: fake.url },
  });
  await db.owner('truncate market.provider_calls');
  await db.owner(`insert into market.provider_calls (provider, period, starts_at, used, quotes) values
    ('fmp', 'day', date_trunc('day', now(), 'UTC'), 40, 30),
    ('fmp', 'day', date_trunc('day', now(), 'UTC') - interval '1 day', 250, 200),
    ('removed', 'day', date_trunc('day', now(), 'UTC'), 9, 9)`);
  assert.deepEqual(await limited.readCallBudgets(), [
    { provider: 'fmp', used_today: 40, quotes_today: 30, per_day: 250, used_this_minute: 0, per_minute: 300 },
    { provider: 'finnhub', used_today: 0, quotes_today: 0, per_day: null, used_this_minute: 0, per_minute: 60 },
  ]);
  const { code, out } = await run('budget');
  assert.equal(code, 0);
  assert.match(out, /^provider +today +for prices +per day/);
  assert.match(out, /^fmp +40 +30 +no limit +0 +300$/m);
  assert.deepEqual(await createMarket(db.database, {}).readCallBudgets(), [], 'calls for sample data are free');
});
