import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createMarket, setUpMarketFixture } from '../../../../test/support/market-fixture.ts';

const countRequests = (requests: readonly { path: string }[]): number =>
  requests.filter(({ path }) => path === '/profile' || path === '/ratios-ttm').length;

test('fetches fundamentals once a day and cleans the texts', async (t) => {
  const { db, fake, marketData } = await setUpMarketFixture(t);
  await marketData.registerSymbol('AAPL');
  const requestsBefore = countRequests(fake.requests);
  const apple = {
    peRatio: 34.27,
    dividendYield: 0.44,
    description: 'Apple Inc. designs smartphones & computers.',
    industry: 'Consumer Electronics',
    website: 'https://www.apple.com/',
  };
  assert.deepEqual(await marketData.fundamentals('AAPL'), apple);
  assert.deepEqual(await marketData.fundamentals('AAPL'), apple);
  assert.equal(countRequests(fake.requests) - requestsBefore, 2);
  await db.owner(`update market.fundamentals set fetched_at = now() - interval '25 hours'`);
  fake.state.ratios.set('AAPL', { symbol: 'AAPL', priceToEarningsRatioTTM: -12, dividendYieldTTM: 99 });
  fake.state.profiles.set('AAPL', { ...fake.state.profiles.get('AAPL'), website: 'javascript:alert(1)' });
  const renewed = await marketData.fundamentals('AAPL');
  assert.deepEqual(
    renewed,
    { ...apple, peRatio: null, dividendYield: null, website: null },
    'neither a negative ratio, nor an implausible yield, nor a script',
  );
});

test('returns a stale copy when the provider fails, or undefined without one', async (t) => {
  const { db, fake, marketData } = await setUpMarketFixture(t);
  for (const symbol of ['AAPL', 'BRK.B']) await marketData.registerSymbol(symbol);
  const apple = await marketData.fundamentals('AAPL');
  await db.owner(`update market.fundamentals set fetched_at = now() - interval '25 hours'`);
  fake.failWith('a server error');
  assert.deepEqual(await marketData.fundamentals('AAPL'), apple);
  assert.equal(await marketData.fundamentals('BRK.B'), undefined);
});

test('never mixes fundamentals of the simulator with those of a provider', async (t) => {
  const { db, marketData } = await setUpMarketFixture(t);
  await marketData.registerSymbol('AAPL');
  const simulated = createMarket(db.database);
  assert.match((await simulated.fundamentals('AAPL'))!.description!, /^A made-up description/);
  assert.equal((await marketData.fundamentals('AAPL'))!.peRatio, 34.27);
  assert.match((await simulated.fundamentals('AAPL'))!.description!, /^A made-up description/);
});
