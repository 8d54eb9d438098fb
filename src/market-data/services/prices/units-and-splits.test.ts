// @module-tag slow
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'vitest';
import { FINNHUB_KEY, startFinnhubFake } from '../../../../test/fakes/finnhub/finnhub-fake.ts';
import { createFmpCandles, createFmpQuote } from '../../../../test/fakes/fmp/fmp-fake.ts';
import {
  createMarket,
  setUpMarketFixture,
  type MarketFixture,
  removeJobs,
  addToWatchlist,
} from '../../../../test/support/market-fixture.ts';
import { listStoredPrices, recordSplitCheck } from './price-queries.ts';

test('keeps the old price when a price’s unit changes', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'VOD.L', 'AAPL');
  const before = await stage.readRow('VOD.L');
  stage.fake.state.quotes.set('VOD.L', createFmpQuote('VOD.L', 72.3, 72));
  stage.fake.state.quotes.set('AAPL', createFmpQuote('AAPL', 233, 228.02));
  await stage.run('market-refresh');
  const quarantined = await stage.readRow('VOD.L');
  assert.equal(quarantined.current_price, before.current_price);
  assert.match(quarantined.quarantine_reason!, /change of unit/);
  assert.equal((await stage.readRow('AAPL')).current_price, 233, 'the rest of the batch is written');
  stage.fake.state.quotes.set('VOD.L', createFmpQuote('VOD.L', 7_230, 7_200));
  await stage.run('market-refresh');
  const recovered = await stage.readRow('VOD.L');
  assert.deepEqual([recovered.current_price, recovered.quarantine_reason], [72.3, null]);
});

describe('when the split feed confirms a jump', () => {
  const CLOSES_AFTER_SPLIT: [string, number][] = [
    ['2026-11-18', 2.27],
    ['2026-11-19', 2.28],
  ];

  /** Refreshes AAPL, whose history is stored, after a split of 100 to 1. */
  async function refreshAfterSplit(t: TestContext) {
    const stage = await setUpMarketFixture(t);
    await addToWatchlist(stage, 'AAPL');
    await stage.run('market-backfill', { symbol: 'AAPL' });
    const [storedPrice] = await listStoredPrices(stage.db.database.service, ['AAPL']);
    stage.fake.state.quotes.set('AAPL', createFmpQuote('AAPL', 2.33, 2.28));
    stage.fake.state.splits.set('AAPL', [{ symbol: 'AAPL', date: '2026-11-20', numerator: 100, denominator: 1 }]);
    stage.fake.state.candles.set('AAPL', createFmpCandles('AAPL', CLOSES_AFTER_SPLIT));
    await stage.run('market-refresh');
    return { stage, storedPrice };
  }

  test('reads the last three closes to compare the quote with', async (t) => {
    const { storedPrice } = await refreshAfterSplit(t);

    assert.equal(storedPrice!.last_close, 228.02);
    assert.deepEqual(storedPrice!.closes, [
      ['2026-11-16', 224.1],
      ['2026-11-17', 226.4],
      ['2026-11-19', 228.02],
    ]);
  });

  test('accepts the price and requests the history again', async (t) => {
    const { stage } = await refreshAfterSplit(t);

    const { current_price: price, quarantine_reason: reason } = await stage.readRow('AAPL');
    assert.deepEqual([price, reason], [2.33, null]);
    const waiting = await stage.db.owner<{ payload: object }>(
      `select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks k on k.id = j.task_id
       where k.identifier = 'market-backfill'`,
    );
    assert.deepEqual(waiting, [{ payload: { symbol: 'AAPL', again: true } }]);
  });

  test('replaces every close of before the split', async (t) => {
    const { stage } = await refreshAfterSplit(t);

    await stage.db.owner(`update market.backfills set done_at = done_at - interval '2 minutes'`);
    await stage.run('market-backfill', { symbol: 'AAPL', again: true });

    assert.deepEqual(await stage.readCloses('AAPL'), CLOSES_AFTER_SPLIT);
  });
});

test('refetches the history only when the split feed confirms a small split', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'AAPL', 'BRK.B');
  for (const symbol of ['AAPL', 'BRK.B']) await stage.run('market-backfill', { symbol });
  const tick = async () => {
    await stage.run('market-refresh');
    return (await removeJobs(stage)).map(({ symbol }) => symbol);
  };
  const splitCalls = () => stage.fake.requests.filter(({ path }) => path === '/splits').length;
  stage.fake.state.quotes.set('AAPL', createFmpQuote('AAPL', 183, 182.4)); // 5 for 4
  stage.fake.state.quotes.set('BRK-B', createFmpQuote('BRK-B', 191, 190)); // no split
  assert.deepEqual(await tick(), [], 'the split feed lacks the split');
  assert.equal(splitCalls(), 2);
  await stage.db.owner(`update market.quote_checks set split_checked_at = now() - interval '21 hours'`);
  stage.fake.state.splits.set('AAPL', [{ symbol: 'AAPL', date: '2026-11-20', numerator: 5, denominator: 4 }]);
  assert.deepEqual(await tick(), ['AAPL']);
  assert.equal(splitCalls(), 4);
  // The candles stay unchanged, so the doubt remains.
  await stage.db.owner(`update market.backfills set done_at = done_at - interval '2 minutes'`);
  await stage.run('market-backfill', { symbol: 'AAPL', again: true });
  assert.deepEqual(await tick(), []);
  assert.equal(splitCalls(), 4, 'called once a day');
});

test('checks the split feed once a day when a price is quarantined', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'AAPL');
  stage.fake.state.splits.set('AAPL', [
    { symbol: 'AAPL', date: '2026-11-20', numerator: 75, denominator: 1 },
    { symbol: 'AAPL', date: '2026-11-20', numerator: 125, denominator: 1 },
  ]);
  stage.fake.state.quotes.set('AAPL', createFmpQuote('AAPL', 2.33, 2.28));
  const splitCalls = () => stage.fake.requests.filter(({ path }) => path === '/splits').length;
  const since = () =>
    stage.db.owner('select quarantined_at from public.tracked_tickers_latest where quarantined_at is not null');
  await stage.run('market-refresh');
  const first = await since();
  for (let tick = 0; tick < 2; tick += 1) await stage.run('market-refresh');
  assert.deepEqual([splitCalls(), (await stage.readRow('AAPL')).current_price], [1, 232.8]);
  assert.deepEqual([first.length, await since()], [1, first], 'the time of the first quarantine stays');
  // The feed may have been paused for a week since.
  stage.fake.state.splits.set('AAPL', [{ symbol: 'AAPL', date: '2026-11-12', numerator: 100, denominator: 1 }]);
  await stage.db.owner(`update market.quote_checks set split_checked_at = now() - interval '19 hours 55 minutes'`);
  await stage.run('market-refresh');
  assert.deepEqual([splitCalls(), (await stage.readRow('AAPL')).current_price], [1, 232.8]);
  await stage.db.owner(`update market.quote_checks set split_checked_at = now() - interval '20 hours 1 minute'`);
  await stage.run('market-refresh');
  assert.deepEqual([splitCalls(), (await stage.readRow('AAPL')).current_price], [2, 2.33]);
});

test('fetches one unit and postpones the rest when a provider returns no unit', async (t) => {
  const stage = await setUpMarketFixture(t);
  const symbols = ['TSCO.L', 'VOD.L'];
  await stage.db.owner(
    `insert into public.tracked_tickers_latest (symbol, asset_type, currency, declared_unit)
     select unnest($1::text[]), 'stock', 'GBP', 'GBp'`,
    [symbols],
  );
  for (const symbol of symbols) {
    stage.fake.state.quotes.set(symbol, createFmpQuote(symbol, 7_215, 7_200));
    stage.fake.state.profiles.set(symbol, { symbol, companyName: symbol, currency: 'GBp', exchange: 'LSE' });
  }
  stage.fake.failWith('a server error', 1);
  assert.equal((await stage.marketData.refreshNow(symbols)).rejected, 2);
  assert.deepEqual(
    stage.fake.requests.map(({ path }) => path),
    ['/batch-quote', '/profile'],
  );
  stage.fake.failWith(undefined);
  assert.equal((await stage.marketData.refreshNow(symbols)).written, 2);
  assert.equal((await stage.readRow('TSCO.L')).current_price, 72.15);
});

test('reads each provider in its own unit when one quotes pence and one pounds', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'VOD.L');
  const finnhub = await startFinnhubFake();
  t.onTestFinished(() => finnhub.close());
  // Finnhub's search finds US listings only, so it returns no currency for this one.
  finnhub.state.quotes.set('VOD.L', { ...finnhub.state.quotes.get('AAPL'), c: 72.3, pc: 72, o: 72, h: 72.4, l: 72 });
  finnhub.state.candles.set('VOD.L', finnhub.state.candles.get('AAPL')!);
  const other = createMarket(stage.db.database, { finnhub: { key: FINNHUB_KEY, baseUrl: finnhub.url } });
  assert.deepEqual(
    [(await stage.readRow('VOD.L')).current_price, (await stage.readRow('VOD.L')).source],
    [72.15, 'fmp'],
  );
  const first = await other.refreshNow(['VOD.L']);
  assert.deepEqual(
    [first.written, (await stage.readRow('VOD.L')).current_price, (await stage.readRow('VOD.L')).source],
    [1, 72.3, 'finnhub'],
  );
  const countLookups = () =>
    [...finnhub.requests, ...stage.fake.requests].filter(({ path }) => path === '/search' || path === '/profile')
      .length;
  const lookupsBefore = countLookups();
  await other.refreshNow(['VOD.L']);
  await stage.marketData.refreshNow(['VOD.L']);
  assert.deepEqual(
    [(await stage.readRow('VOD.L')).current_price, (await stage.readRow('VOD.L')).source],
    [72.15, 'fmp'],
  );
  assert.equal(countLookups(), lookupsBefore, 'each provider is called once for its unit');
  await other.backfillNow('VOD.L', false);
  assert.deepEqual((await stage.readCloses('VOD.L')).at(-1), ['2026-11-19', 228.02], 'candles are converted too');
});

const at = (time: string) => ({ timestamp: Date.parse(time) / 1_000 });

for (const [name, price, prevClose, taken] of [
  ['a quarantined price', 2.33, 2.28, 232.8],
  ['a price that looks like a small split', 183, 182.4, 183],
] as const) {
  test(`calls the split feed again at the next refresh when it fails: ${name}`, async (t) => {
    const stage = await setUpMarketFixture(t);
    await addToWatchlist(stage, 'AAPL');
    await stage.run('market-backfill', { symbol: 'AAPL' });
    stage.fake.state.quotes.set('AAPL', createFmpQuote('AAPL', price, prevClose));
    const tick = async () => {
      stage.fake.requests.length = 0;
      await stage.run('market-refresh');
      return stage.fake.requests.map(({ path }) => path);
    };
    stage.fake.failWith('a server error', 1);
    assert.deepEqual(await tick(), ['/quote', '/splits']);
    assert.deepEqual([(await stage.readRow('AAPL')).current_price, await removeJobs(stage)], [taken, []]);
    stage.fake.failWith(undefined);
    assert.deepEqual(await tick(), ['/quote', '/splits']);
    assert.deepEqual(await tick(), ['/quote']);
  });
}

test('detects no split after a volatile day', async (t) => {
  const stage = await setUpMarketFixture(t);
  const { fake } = stage;
  stage.setTime('2026-07-14T20:30:00Z');
  const days: [string, number][] = [
    ['2026-07-09', 101],
    ['2026-07-10', 102],
    ['2026-07-13', 100],
  ];
  fake.state.candles.set('AAPL', createFmpCandles('AAPL', days));
  fake.state.quotes.set('AAPL', createFmpQuote('AAPL', 150, 100, at('2026-07-14T20:00:00Z')));
  await addToWatchlist(stage, 'AAPL');
  await stage.run('market-backfill', { symbol: 'AAPL' });
  stage.setTime('2026-07-14T20:40:00Z');
  await stage.run('market-write-closes');
  stage.setTime('2026-07-15T00:45:00Z');
  await stage.run('market-refresh-evening', { always: true });
  assert.deepEqual(await removeJobs(stage), []);
  await stage.db.owner(`update market.backfills set done_at = done_at - interval '2 minutes'`);
  assert.deepEqual(await stage.marketData.backfillNow('AAPL', true), { outcome: 'stored', candles: 3 });
  assert.deepEqual(await stage.readCloses('AAPL'), [...days, ['2026-07-14', 150]]);
});

/** Simulates the days around a split: prices, daily closes and fetches of the jobs of each day. */
async function simulateDays(
  stage: MarketFixture,
  days: readonly string[],
  getQuoteOn: (day: string) => readonly [price: number, prevClose: number],
  getCandlesOn: (day: string) => [string, number][],
): Promise<string[][]> {
  const { fake } = stage;
  const fetched: string[][] = [];
  for (const day of days) {
    fake.requests.length = 0;
    await stage.db.owner(`update market.backfills set done_at = done_at - interval '1 day'`);
    await stage.db.owner(`update market.quote_checks set split_checked_at = split_checked_at - interval '1 day'`);
    fake.state.candles.set('AAPL', createFmpCandles('AAPL', getCandlesOn(day)));
    for (const [time, task] of [
      ['15:15', 'market-refresh'],
      ['17:40', 'market-write-closes'],
      ['18:40', 'market-write-closes'],
      ['21:15', 'market-refresh'],
      ['21:40', 'market-write-closes'],
      ['22:40', 'market-write-closes'],
    ] as const) {
      const now = `${day}T${time}:00Z`;
      stage.setTime(now);
      fake.state.quotes.set(
        'AAPL',
        createFmpQuote('AAPL', ...getQuoteOn(day), at(time > '21' ? `${day}T21:00:00Z` : now)),
      );
      await stage.run(task);
      // Move past the minute that blocks a second fresh copy, so that an unnecessary one would be visible.
      await stage.db.owner(`update market.backfills set done_at = done_at - interval '2 minutes'`);
      for (const payload of await removeJobs(stage)) await stage.run('market-backfill', payload);
    }
    fetched.push(
      fake.requests.map(({ path }) => path).filter((path) => path.startsWith('/historical') || path === '/splits'),
    );
  }
  return fetched;
}
const history = '/historical-price-eod/full';
const before: [string, number][] = [
  ['2026-11-11', 101],
  ['2026-11-12', 102],
  ['2026-11-13', 100],
];
/** The split is on the first of these days. */
const splitDays = [16, 17, 18, 19, 20, 23, 24, 25].map((day) => `2026-11-${day}`);
const halveCloses = (closes: readonly [string, number][]) =>
  closes.map(([day, close]): [string, number] => [day, close / 2]);
const daysUntil = (day: string): [string, number][] => splitDays.filter((one) => one < day).map((one) => [one, 51]);

/** A split that the history contains already does not count as missing. */
const earlier = { symbol: 'AAPL', date: '2026-11-12', numerator: 3, denominator: 1 };

async function setUpSplit(t: TestContext): Promise<MarketFixture> {
  const stage = await setUpMarketFixture(t);
  stage.fake.state.splits.set('AAPL', [earlier]);
  stage.setTime('2026-11-15T16:00:00Z');
  stage.fake.state.candles.set('AAPL', createFmpCandles('AAPL', before));
  stage.fake.state.quotes.set('AAPL', createFmpQuote('AAPL', 100, 102, at('2026-11-13T21:00:00Z')));
  await addToWatchlist(stage, 'AAPL');
  await stage.run('market-backfill', { symbol: 'AAPL' });
  return stage;
}

for (const [name, prevClose, asked] of [
  ['the previous close is adjusted', 50, []],
  ['not even the previous close is adjusted, but the split feed knows', 100, ['/splits']],
] as const) {
  test(`refetches daily until the provider adjusts its candles after two days: ${name}`, async (t) => {
    const stage = await setUpSplit(t);
    stage.fake.state.splits.set('AAPL', [
      { symbol: 'AAPL', date: '2026-11-16', numerator: 2, denominator: 1 },
      earlier,
    ]);
    const fetched = await simulateDays(
      stage,
      splitDays.slice(0, 5),
      (day) => [51, day === '2026-11-16' ? prevClose : 51],
      (day) => [...(day < '2026-11-18' ? before : halveCloses(before)), ...daysUntil(day)],
    );
    assert.deepEqual(fetched, [[...asked, history], [history], [history], [], []]);
    assert.deepEqual(await stage.readCloses('AAPL'), [...halveCloses(before), ...daysUntil('2026-11-21')]);
  });
}

test('gives up after five market days when candles are never adjusted', async (t) => {
  const stage = await setUpSplit(t);
  const fetched = await simulateDays(
    stage,
    splitDays,
    (day) => [51, day === '2026-11-16' ? 50 : 51],
    (day) => [...before, ...daysUntil(day)],
  );
  assert.deepEqual(fetched, [...Array.from({ length: 6 }, () => [history]), [], []]);
});

test('derives the expected close from splits when the quote has no previous close', async (t) => {
  const stage = await setUpSplit(t);
  stage.fake.state.splits.set('AAPL', [
    { symbol: 'AAPL', date: '2026-11-16', numerator: 100, denominator: 1 },
    earlier,
  ]);
  stage.setTime('2026-11-16T15:15:00Z');
  stage.fake.state.quotes.set('AAPL', createFmpQuote('AAPL', 1, 100, at('2026-11-16T15:00:00Z')));
  await stage.run('market-refresh');
  assert.deepEqual(
    await stage.db.owner(
      'select pending_split_date::text as day, pending_split_close as close from market.quote_checks',
    ),
    [{ day: '2026-11-13', close: 1 }],
  );
});

test('keeps waiting for an earlier split when the split feed returns none', async (t) => {
  const stage = await setUpSplit(t);
  const selectPendingSplits = () =>
    stage.db.owner('select pending_split_date::text as day, pending_split_close as close from market.quote_checks');
  for (const found of [{ day: '2026-11-13', adjustedClose: 50 }, undefined]) {
    await recordSplitCheck(stage.db.database.service, 'AAPL', found);
    assert.deepEqual(await selectPendingSplits(), [{ day: '2026-11-13', close: 50 }]);
  }
});

test('keeps the history when a price halves without a split', async (t) => {
  const stage = await setUpSplit(t);
  const fetched = await simulateDays(
    stage,
    splitDays.slice(0, 3),
    (day) => [51, day === '2026-11-16' ? 100 : 51],
    (day) => [...before, ...daysUntil(day)],
  );
  assert.deepEqual(fetched, [['/splits'], [], []]);
  assert.deepEqual(await stage.readCloses('AAPL'), [...before, ...daysUntil('2026-11-19')]);
});

test('keeps the history when it is adjusted and the previous close is not', async (t) => {
  const stage = await setUpSplit(t);
  await stage.db.owner(`update market.backfills set done_at = done_at - interval '1 day'`);
  stage.fake.state.candles.set('AAPL', createFmpCandles('AAPL', halveCloses(before)));
  await stage.marketData.backfillNow('AAPL', true);
  assert.deepEqual(
    await simulateDays(
      stage,
      splitDays.slice(0, 1),
      () => [51, 100],
      () => halveCloses(before),
    ),
    [[]],
  );
});
