import assert from 'node:assert/strict';
import { test, type TestContext } from 'vitest';
import { FINNHUB_KEY, startFinnhubFake } from '../../../../test/fakes/finnhub/finnhub-fake.ts';
import { FMP_KEY, startFmpFake } from '../../../../test/fakes/fmp/fmp-fake.ts';
import { createProviderChain } from '../../providers/chain/provider-chain.ts';
import { createFinnhub } from '../../providers/finnhub/finnhub.ts';
import { createFmp } from '../../providers/fmp/fmp.ts';
import type { ProviderResult, MarketDataProvider, Quote } from '../../domain/market-data-provider.ts';

const range = { from: '2026-11-16', to: '2026-11-19' };
const quarter = { from: '2026-11-20', to: '2027-02-28' };
const soon = (): AbortSignal => AbortSignal.timeout(60_000);
const unknown = { ok: false, reason: 'unknown' };

/** Starts a provider whose plan lacks VOD.L and TSCO.L, with a test clock. */
async function start(t: TestContext, name: 'fmp' | 'finnhub', calls = Infinity) {
  const clock = { time: Date.parse('2026-11-20T16:20:00Z') };
  const now = (): Date => new Date(clock.time);
  const spend = async (): Promise<boolean> => calls-- > 0;
  const fake = name === 'fmp' ? await startFmpFake() : await startFinnhubFake();
  t.onTestFinished(() => fake.close());
  for (const symbol of ['VOD.L', 'TSCO.L']) fake.state.uncoveredSymbols.add(symbol);
  const provider: MarketDataProvider =
    name === 'fmp'
      ? createFmp({ key: FMP_KEY, baseUrl: fake.url, tryAcquire: spend, now })
      : createFinnhub({ key: FINNHUB_KEY, baseUrl: fake.url, tryAcquire: spend, now });
  const asked = (): string[] =>
    fake.requests.splice(0).map(({ path, params }) => `${path} ${params.get('symbols') ?? params.get('symbol')}`);
  return {
    fake,
    provider,
    clock,
    asked,
    providers: createProviderChain([{ provider }], { warn: () => {} }, () => clock.time),
  };
}

const getSymbols = (answer: ProviderResult<Map<string, Quote | null>>): string[] | string =>
  answer.ok ? [...answer.value.keys()] : answer.reason;

for (const name of ['fmp', 'finnhub'] as const) {
  test(`${name} returns unknown for a symbol outside the plan and serves the others`, async (t) => {
    const { provider, providers } = await start(t, name);
    const quotes = (symbols: readonly string[]) => providers.call('quotes', (one) => one.quotes(symbols, soon()));
    assert.deepEqual(await quotes(['VOD.L', 'TSCO.L']), unknown);
    assert.deepEqual(getSymbols(await quotes(['VOD.L', 'TSCO.L', 'AAPL', 'MSFT'])), ['AAPL', 'MSFT']);
    const candles = (symbol: string) => providers.call('candles', (one) => one.dailyCandles(symbol, range, soon()));
    for (const symbol of ['VOD.L', 'TSCO.L']) assert.deepEqual(await candles(symbol), unknown);
    assert.equal((await candles('BRK.B')).ok, true);
    const reports = await provider.earnings(['VOD.L', 'AAPL'], quarter, soon());
    assert.deepEqual(reports.ok && reports.value.map(({ symbol }) => symbol), ['AAPL']);
    const news = await providers.call('news', (one) => one.news(['VOD.L', 'MSFT', 'AAPL'], 10, soon()));
    assert.deepEqual(
      news.ok && news.value.flatMap(({ symbols }) => symbols),
      name === 'fmp' ? ['AAPL'] : ['AAPL', 'MSFT'],
      'FMP is called for both halves',
    );
    for (const what of provider.capabilities) assert.deepEqual(providers.available(what), [provider], what);
  });
}

test('distinguishes an uncovered symbol from an uncovered call by a rare probe', async (t) => {
  const { fake, provider, clock, asked } = await start(t, 'finnhub');
  assert.deepEqual(getSymbols(await provider.quotes(['VOD.L', 'TSCO.L', 'MSFT'], soon())), ['MSFT']);
  assert.deepEqual(asked(), ['/quote VOD.L', '/quote AAPL', '/quote TSCO.L', '/quote MSFT']);
  clock.time += 60 * 60_000;
  await provider.quotes(['VOD.L', 'TSCO.L'], soon());
  assert.deepEqual(asked(), ['/quote VOD.L', '/quote AAPL', '/quote TSCO.L'], 'the plan may change within an hour');
  fake.state.plan = 'free';
  assert.deepEqual(await provider.dailyCandles('BRK.B', range, soon()), { ok: false, reason: 'not_entitled' });
  assert.deepEqual(asked(), ['/stock/candle BRK.B', '/stock/candle AAPL']);
});

test('makes no statement about the symbol when the quota does not cover the probe', async (t) => {
  const { provider } = await start(t, 'finnhub', 1);
  assert.deepEqual(await provider.dailyCandles('VOD.L', range, soon()), { ok: false, reason: 'quota_exhausted' });
});

test('FMP continues batches without a rejected symbol and retries it after an hour', async (t) => {
  const { provider, clock, asked } = await start(t, 'fmp');
  const round = async (): Promise<string[]> => {
    assert.deepEqual(getSymbols(await provider.quotes(['VOD.L', 'AAPL', 'MSFT'], soon())), ['AAPL', 'MSFT']);
    return asked();
  };
  const singleRequests = ['/batch-quote VOD.L,AAPL,MSFT', '/quote VOD.L', '/quote AAPL', '/quote AAPL', '/quote MSFT'];
  assert.deepEqual(await round(), singleRequests);
  assert.deepEqual(await round(), ['/batch-quote AAPL,MSFT']);
  clock.time += 60 * 60_000;
  assert.deepEqual(await round(), singleRequests);
});

test('FMP retries batches an hour after the plan rejected them', async (t) => {
  const { fake, provider, clock, asked } = await start(t, 'fmp');
  fake.state.plan = 'free';
  const round = async (): Promise<string[]> => {
    assert.deepEqual(getSymbols(await provider.quotes(['AAPL', 'MSFT'], soon())), ['AAPL', 'MSFT']);
    return asked();
  };
  assert.deepEqual(await round(), ['/batch-quote AAPL,MSFT', '/quote AAPL', '/quote MSFT']);
  assert.deepEqual(await round(), ['/quote AAPL', '/quote MSFT']);
  fake.state.plan = 'starter';
  clock.time += 60 * 60_000;
  assert.deepEqual(await round(), ['/batch-quote AAPL,MSFT']);
});
