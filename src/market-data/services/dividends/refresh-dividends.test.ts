import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createFmpCandles, createFmpDividend, createFmpQuote, FMP_KEY } from '../../../../test/fakes/fmp/fmp-fake.ts';
import { createFinnhubDividend, FINNHUB_KEY, startFinnhubFake } from '../../../../test/fakes/finnhub/finnhub-fake.ts';
import {
  addToWatchlist,
  createMarket,
  type MarketFixture,
  setUpMarketFixture,
} from '../../../../test/support/market-fixture.ts';

const listPaths = ({ fake }: MarketFixture): string[] =>
  fake.requests.map(({ path }) => path).filter((path) => path.startsWith('/dividends'));
const expire = ({ db }: MarketFixture, hours: number) =>
  db.owner(`update market.dividends set fetched_at = now() - $1 * interval '1 hour'`, [hours]);
const readAmounts = async ({ marketData }: MarketFixture, symbol: string) =>
  (await marketData.dividends([symbol]))[0]!.payments?.map(({ ex_date: exDate, amount }) => [exDate, amount]);

test('fetches the dividends of watched securities once a day', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'AAPL', 'BRK.B');

  await stage.run('refresh-dividends');
  await stage.run('refresh-dividends');

  assert.deepEqual(await readAmounts(stage, 'AAPL'), [
    ['2027-02-08', 0.26],
    ['2026-11-09', 0.26],
  ]);
  assert.deepEqual(await readAmounts(stage, 'BRK.B'), []);
  assert.equal(listPaths(stage).length, 2);
});

test('replaces a declared amount when the provider corrects it', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'AAPL');
  await stage.run('refresh-dividends');
  stage.fake.state.dividends = [createFmpDividend('AAPL', '2027-02-08', 0.27)];
  await expire(stage, 21);

  await stage.run('refresh-dividends');

  assert.deepEqual(await readAmounts(stage, 'AAPL'), [['2027-02-08', 0.27]]);
});

test('logs a fault of a security once and keeps its other dividends', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'AAPL');
  stage.fake.state.dividends = [
    createFmpDividend('AAPL', '2026-11-09', 0.26),
    createFmpDividend('AAPL', '2026-08-10', -0.26),
    createFmpDividend('AAPL', '2026-05-10', -0.26),
  ];

  for (let day = 0; day < 2; day += 1) {
    await stage.run('refresh-dividends');
    await expire(stage, 21);
  }

  assert.deepEqual(await readAmounts(stage, 'AAPL'), [['2026-11-09', 0.26]]);
  const logged = stage.logLines.filter((line) => line.includes('left out or corrected'));
  assert.deepEqual(
    logged.map((line) => JSON.parse(line)).map(({ provider, symbol, fault }) => [provider, symbol, fault]),
    [['fmp', 'AAPL', 'amount']],
  );
});

test('fetches dividends again after a split, since the provider adjusts them', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'AAPL');
  await stage.run('refresh-dividends');
  const closes = (factor: number) =>
    createFmpCandles('AAPL', [
      ['2026-11-18', 102 * factor],
      ['2026-11-19', 100 * factor],
    ]);
  stage.fake.state.candles.set('AAPL', closes(1));
  await stage.run('market-backfill', { symbol: 'AAPL' });
  stage.fake.state.splits.set('AAPL', [{ symbol: 'AAPL', date: '2026-11-20', numerator: 2, denominator: 1 }]);
  stage.fake.state.quotes.set(
    'AAPL',
    createFmpQuote('AAPL', 51, 50, { timestamp: Date.parse('2026-11-20T15:15:00Z') / 1_000 }),
  );
  stage.fake.state.dividends = [createFmpDividend('AAPL', '2026-11-09', 0.13)];
  await stage.run('refresh-dividends');
  assert.equal((await readAmounts(stage, 'AAPL'))!.length, 2, 'fresh');

  await stage.run('market-refresh', { always: true });
  await stage.run('refresh-dividends');

  assert.deepEqual(await readAmounts(stage, 'AAPL'), [['2026-11-09', 0.13]]);
});

for (const fault of ['too many requests', 'forbidden', 'a server error', 'an HTML page with 200'] as const)
  test(`keeps the stored dividends when the provider fails: ${fault}`, async (t) => {
    const stage = await setUpMarketFixture(t);
    await addToWatchlist(stage, 'AAPL');
    await stage.run('refresh-dividends');
    await expire(stage, 21);
    stage.fake.failWith(fault);

    await stage.run('refresh-dividends');

    assert.equal((await readAmounts(stage, 'AAPL'))!.length, 2);
  });

test('fetches only new dividends of the calendar when many securities are in use', async (t) => {
  const stage = await setUpMarketFixture(t);
  const symbols = Array.from({ length: 14 }, (_, index) => `T${index}`);
  await stage.db.owner(
    `insert into public.tracked_tickers_latest (symbol, asset_type, currency)
     select s, 'stock', 'USD' from unnest($1::text[]) s`,
    [symbols],
  );
  await stage.db.owner(`insert into public.all_users (idp_id) values ('user_feed')`);
  await stage.db.owner(
    `insert into public.watchlist_items (idp_id, symbol, position)
     select 'user_feed', s, n from unnest($1::text[]) with ordinality u (s, n)`,
    [symbols],
  );
  stage.fake.state.dividends = symbols.map((symbol) => createFmpDividend(symbol, '2026-12-09', 1));
  await stage.run('refresh-dividends');
  await expire(stage, 21);
  stage.fake.state.dividends[3] = createFmpDividend('T3', '2026-12-09', 2);
  const before = listPaths(stage).length;

  await stage.run('refresh-dividends');

  assert.deepEqual(
    listPaths(stage)
      .slice(before)
      .filter((path) => path === '/dividends'),
    ['/dividends'],
  );
  assert.deepEqual(await readAmounts(stage, 'T3'), [['2026-12-09', 2]]);
});

test('fetches every security when the plan has no calendar', async (t) => {
  const stage = await setUpMarketFixture(t);
  stage.fake.state.plan = 'free';
  await addToWatchlist(stage, 'AAPL');
  await stage.run('refresh-dividends');
  assert.equal((await readAmounts(stage, 'AAPL'))!.length, 2);
});

test('asks Finnhub when FMP has none, and stores none when its plan has no dividends', async (t) => {
  const stage = await setUpMarketFixture(t);
  const finnhub = await startFinnhubFake();
  t.onTestFinished(() => finnhub.close());
  const market = createMarket(stage.db.database, {
    fmp: { key: FMP_KEY, baseUrl: stage.fake.url },
    finnhub: { key: FINNHUB_KEY, baseUrl: finnhub.url },
  });
  await addToWatchlist(stage, 'BRK.B', 'VOO');
  finnhub.state.dividends.set('VOO', [createFinnhubDividend('VOO', '2026-09-28', 1.7)]);

  await market.refreshDividends();
  assert.equal((await market.dividends(['VOO']))[0]!.payments![0]!.amount, 1.7);

  finnhub.state.plan = 'free';
  await expire(stage, 21);
  await market.refreshDividends();
  assert.deepEqual((await market.dividends(['BRK.B']))[0]!.payments, []);
});

test('never mixes dividends of the simulator with those of a provider', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'AAPL');
  const simulated = createMarket(stage.db.database);
  await simulated.refreshDividends();
  assert.ok((await simulated.dividends(['AAPL']))[0]!.payments!.length > 4);
  assert.equal(await readAmounts(stage, 'AAPL'), undefined);

  await stage.run('refresh-dividends');
  await simulated.refreshDividends();

  assert.equal((await readAmounts(stage, 'AAPL'))!.length, 2);
});
