import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'vitest';
import { type Fault, faults } from '../../../test/fakes/faulty-server.ts';
import { FINNHUB_KEY, startFinnhubFake } from '../../../test/fakes/finnhub/finnhub-fake.ts';
import { FMP_KEY, createFmpQuote, startFmpFake } from '../../../test/fakes/fmp/fmp-fake.ts';
import { createFinnhub } from './finnhub/finnhub.ts';
import { createFmp } from './fmp/fmp.ts';
import { CANCELLED_DETAIL, TIMED_OUT_DETAIL, toUpstreamError } from './http/provider-http-client.ts';
import type { MarketDataProvider } from '../domain/market-data-provider.ts';

const now = (): Date => new Date('2026-11-20T16:20:00Z');
const spend = async (): Promise<boolean> => true;
const range = { from: '2026-11-16', to: '2026-11-20' };

/** Uses a short timeout for a provider that never responds, to keep the test fast. */
const timeout = (fault?: Fault): number =>
  fault === 'no answer at all' || fault === 'a body without end' ? 400 : 60_000;

const start = {
  async fmp(t: TestContext, fault?: Fault) {
    const fake = await startFmpFake();
    t.onTestFinished(() => fake.close());
    const create = (timeoutMs: number) =>
      createFmp({ key: FMP_KEY, baseUrl: fake.url, tryAcquire: spend, now, timeoutMs });
    return { fake, create, provider: create(timeout(fault)) };
  },
  async finnhub(t: TestContext, fault?: Fault) {
    const fake = await startFinnhubFake();
    t.onTestFinished(() => fake.close());
    const create = (timeoutMs: number) =>
      createFinnhub({ key: FINNHUB_KEY, baseUrl: fake.url, tryAcquire: spend, now, timeoutMs });
    return { fake, create, provider: create(timeout(fault)) };
  },
};

/** Expected error by fault. All other faults are `upstream`. */
const expected: Partial<Record<Fault, string>> = {
  'too many requests': 'rate_limited',
  'too many requests until a date': 'rate_limited',
  'a limit reported with 200': 'rate_limited',
  'payment required': 'not_entitled',
  forbidden: 'not_entitled',
};

const calls: Readonly<
  Record<
    string,
    (
      provider: MarketDataProvider,
      signal: AbortSignal,
    ) => Promise<{ ok: boolean; reason?: string; retryAfter?: number | null; detail?: string }>
  >
> = {
  quotes: (provider, signal) => provider.quotes(['AAPL'], signal),
  candles: (provider, signal) => provider.dailyCandles('AAPL', range, signal),
  earnings: (provider, signal) => provider.earnings(['AAPL'], range, signal),
  news: (provider, signal) => provider.news(['AAPL'], 3, signal),
  search: (provider, signal) => provider.search('AAPL', 3, signal),
  fundamentals: (provider, signal) => provider.fundamentals('AAPL', signal),
  lookup: (provider, signal) => provider.lookup('AAPL', signal),
  dividends: (provider, signal) => provider.dividends('AAPL', signal),
};

for (const name of ['fmp', 'finnhub'] as const) {
  for (const fault of Object.keys(faults) as Fault[]) {
    test(`${name} returns a typed error without the key in every call: ${fault}`, async (t) => {
      const { fake, create, provider } = await start[name](t, fault);
      fake.failWith(fault);
      // Six bodies of 10 MB together would exceed the timeouts on a busy machine.
      const asked = fault === 'a body that is too large' ? Object.entries(calls).slice(0, 2) : Object.entries(calls);
      const signal = AbortSignal.timeout(60_000);
      const answers = await Promise.all(
        asked.map(async ([what, call]) => [what, await call(provider, signal)] as const),
      );
      assert.equal(signal.aborted, false, 'the call has a separate timeout');
      for (const [what, answer] of answers) {
        assert.equal(answer.reason, expected[fault] ?? 'upstream', `${what}: ${JSON.stringify(answer)}`);
        assert.ok(!JSON.stringify(answer).includes('test-key'));
        if (fault === 'a body that is too large') assert.match(answer.detail!, /exceeds/);
        if (fault === 'too many requests') assert.equal(answer.retryAfter, 7);
        if (fault === 'too many requests until a date') assert.ok(answer.retryAfter! > 20 && answer.retryAfter! <= 31);
      }
      assert.deepEqual(fake.redirectedRequests, [], 'no redirect is followed, because the URL contains the key');
      fake.failWith(undefined);
      // A busy machine may need longer than the short timeout.
      const retryProvider = timeout(fault) < timeout() ? create(timeout()) : provider;
      assert.equal(
        (await calls['quotes']!(retryProvider, AbortSignal.timeout(60_000))).ok,
        true,
        'the next call succeeds',
      );
    });
  }
}

test('distinguishes a provider timeout from a call that the caller canceled', async (t) => {
  const { fake, provider } = await start.fmp(t);
  fake.failWith('no answer at all');
  const stopped = new AbortController();
  const cancelled = provider.quotes(['AAPL'], stopped.signal);
  while (fake.requests.length === 0) await new Promise(setImmediate);
  stopped.abort();
  assert.deepEqual(await cancelled, toUpstreamError(CANCELLED_DETAIL));
  assert.deepEqual(await provider.quotes(['AAPL'], AbortSignal.timeout(400)), toUpstreamError(TIMED_OUT_DETAIL));
});

test('FMP requests symbols one by one when the plan rejects batches (402)', async (t) => {
  const fake = await startFmpFake();
  t.onTestFinished(() => fake.close());
  fake.state.plan = 'free';
  const provider = createFmp({ key: FMP_KEY, baseUrl: fake.url, tryAcquire: spend, now });
  for (const attempt of [1, 2]) {
    const answer = await provider.quotes(['AAPL', 'MSFT'], AbortSignal.timeout(60_000));
    assert.ok(answer.ok && answer.value.size === 2, `round ${attempt}`);
  }
  assert.deepEqual(
    fake.requests.map(({ path }) => path),
    ['/batch-quote', '/quote', '/quote', '/quote', '/quote'],
  );
});

test('Finnhub returns quotes and no candles on the free plan', async (t) => {
  const { fake, provider } = await start.finnhub(t);
  fake.state.plan = 'free';
  assert.deepEqual(await provider.dailyCandles('AAPL', range, AbortSignal.timeout(60_000)), {
    ok: false,
    reason: 'not_entitled',
  });
  assert.equal((await provider.quotes(['AAPL'], AbortSignal.timeout(60_000))).ok, true);
});

test('Finnhub treats a price of zero as unknown', async (t) => {
  const { fake, provider } = await start.finnhub(t);
  fake.state.quotes.set('DEAD', { c: 0, d: null, dp: null, h: 0, l: 0, o: 0, pc: 12, t: 1_795_000_000 });
  const answer = await provider.quotes(['NOSUCH', 'DEAD', 'NEWCO'], AbortSignal.timeout(60_000));
  assert.ok(answer.ok);
  assert.deepEqual(
    [...answer.value].map(([symbol, quote]) => [symbol, quote?.price, quote?.prevClose]),
    [['NEWCO', 20, null]],
  );
});

test('drops nulls, texts in place of numbers, and implausible figures', async (t) => {
  const fake = await startFmpFake();
  t.onTestFinished(() => fake.close());
  const { quotes } = fake.state;
  quotes.clear();
  quotes.set('A', createFmpQuote('A', null, 10));
  quotes.set('B', createFmpQuote('B', 'NaN', 10));
  quotes.set('C', createFmpQuote('C', 0, 10));
  quotes.set('D', createFmpQuote('D', -3, 10));
  quotes.set('E', createFmpQuote('E', 12, 'Infinity'));
  quotes.set('F', createFmpQuote('F', 12, 11, { timestamp: null }));
  quotes.set('G', { symbol: 7 } as never);
  const provider = createFmp({ key: FMP_KEY, baseUrl: fake.url, tryAcquire: spend, now });
  const answer = await provider.quotes(['A', 'B', 'C', 'D', 'E', 'F', 'G'], AbortSignal.timeout(60_000));
  assert.ok(answer.ok);
  assert.deepEqual([...answer.value.keys()], ['E']);
  assert.equal(answer.value.get('E')!.prevClose, null);
});

describe('when optional keys are missing', () => {
  const AS_OF = '2026-11-20T16:15:00.000Z';
  /** The rest of a quote of which only the price and its time are known. */
  const bareQuote = {
    symbol: 'AAPL',
    currency: null,
    prevClose: null,
    open: null,
    dayHigh: null,
    dayLow: null,
    volume: null,
    marketCap: null,
    asOf: AS_OF,
  };
  const bareReport = { symbol: 'AAPL', date: '2026-11-18', when: null, eps_estimate: null, estimated: true };
  const bareCandle = { date: '2026-11-18', close: 230, open: null, high: null, low: null, volume: null };
  const soon = (): AbortSignal => AbortSignal.timeout(60_000);
  const getValue = (answer: { ok: boolean; value?: unknown }): unknown => {
    assert.ok(answer.ok, JSON.stringify(answer));
    return answer.value;
  };
  const omit = (row: object, ...keys: string[]): object =>
    Object.fromEntries(Object.entries(row).filter(([key]) => !keys.includes(key)));

  test('FMP returns a quote with only its price', async (t) => {
    const { fake, provider } = await start.fmp(t);
    const quote = fake.state.quotes.get('AAPL')!;
    const optionalKeys = ['previousClose', 'open', 'dayHigh', 'dayLow', 'volume', 'marketCap'];
    fake.state.quotes.set('AAPL', omit(quote, ...optionalKeys) as typeof quote);

    const quotes = getValue(await provider.quotes(['AAPL'], soon()));

    assert.deepEqual(quotes, new Map([['AAPL', { ...bareQuote, price: 232.8, delayedMinutes: 15 }]]));
  });

  test('FMP returns a listing with only its name', async (t) => {
    const { fake, provider } = await start.fmp(t);
    fake.state.profiles.set('AAPL', { symbol: 'AAPL', companyName: 'Apple Inc.' });

    const listing = getValue(await provider.lookup('AAPL', soon()));

    const missing = { exchange: null, currency: null, logo: null };
    assert.deepEqual(listing, { symbol: 'AAPL', name: 'Apple Inc.', assetType: 'stock', ...missing });
  });

  test('FMP returns a report with only its date', async (t) => {
    const { fake, provider } = await start.fmp(t);
    fake.state.earnings = [{ symbol: 'AAPL', date: '2026-11-18' }];

    assert.deepEqual(getValue(await provider.earnings(['AAPL'], range, soon())), [bareReport]);
  });

  test('FMP returns a candle with only its close', async (t) => {
    const { fake, provider } = await start.fmp(t);
    fake.state.candles.set('AAPL', [{ date: '2026-11-18', close: 230 }]);

    assert.deepEqual(getValue(await provider.dailyCandles('AAPL', range, soon())), [bareCandle]);
  });

  test('Finnhub returns a quote with only its price, and none for an empty one', async (t) => {
    const { fake, provider } = await start.finnhub(t);
    fake.state.quotes.set('AAPL', { c: 232.8, t: Date.parse(AS_OF) / 1_000 });
    fake.state.quotes.set('MSFT', {});

    const quotes = getValue(await provider.quotes(['MSFT', 'AAPL'], soon()));

    assert.deepEqual(quotes, new Map([['AAPL', { ...bareQuote, price: 232.8, delayedMinutes: 0 }]]));
  });

  test('Finnhub returns a listing with only its name', async (t) => {
    const { fake, provider } = await start.finnhub(t);
    fake.state.profiles.set('AAPL', { ticker: 'AAPL', name: 'Apple Inc' });

    const listing = getValue(await provider.lookup('AAPL', soon()));

    const rest = { exchange: 'US', assetType: 'stock', currency: 'USD', logo: null };
    assert.deepEqual(listing, { symbol: 'AAPL', name: 'Apple Inc', ...rest });
  });

  test('Finnhub returns a report with only its date', async (t) => {
    const { fake, provider } = await start.finnhub(t);
    fake.state.earnings = [{ symbol: 'AAPL', date: '2026-11-18' }];

    assert.deepEqual(getValue(await provider.earnings(['AAPL'], range, soon())), [bareReport]);
  });

  test('Finnhub returns a candle with only its close', async (t) => {
    const { fake, provider } = await start.finnhub(t);
    fake.state.candles.set('AAPL', { s: 'ok', c: [230], t: [Date.parse('2026-11-18') / 1_000] });

    assert.deepEqual(getValue(await provider.dailyCandles('AAPL', range, soon())), [bareCandle]);
  });

  test('Finnhub returns news with only headline, address and time', async (t) => {
    const { fake, provider } = await start.finnhub(t);
    const datetime = Date.parse('2026-11-18') / 1_000;
    fake.state.news.set('AAPL', [{ datetime, headline: 'Short', url: 'https://wire.example/3' }]);

    const news = getValue(await provider.news(['AAPL'], 3, soon()));

    const missing = { summary: '', source: '' };
    const common = { published_at: '2026-11-18T00:00:00.000Z', symbols: ['AAPL'], sample: false };
    assert.deepEqual(news, [{ title: 'Short', url: 'https://wire.example/3', ...missing, ...common }]);
  });
});

test('ignores an asset type that is the name of an Object property', async (t) => {
  const { fake, provider } = await start.finnhub(t);
  for (const type of ['constructor', '__proto__', 'toString']) {
    fake.state.listings.set('EVIL', { description: 'Evil', type });
    assert.deepEqual(
      await provider.lookup('EVIL', AbortSignal.timeout(60_000)),
      { ok: false, reason: 'unsupported' },
      type,
    );
    assert.deepEqual(await provider.search('EVIL', 5, AbortSignal.timeout(60_000)), { ok: true, value: [] }, type);
  }
});

test('drops only the entry with an impossible date', async (t) => {
  const { fake, provider } = await start.fmp(t);
  const year = { from: '2026-01-01', to: '2026-12-31' };
  fake.state.candles.set('AAPL', [
    { date: '2026-09-31', close: 229 },
    { date: '2026-11-18', close: 230 },
  ]);
  fake.state.earnings = [
    { symbol: 'AAPL', date: '2026-11-31' },
    { symbol: 'AAPL', date: '2026-11-18' },
  ];
  const candles = await provider.dailyCandles('AAPL', year, AbortSignal.timeout(60_000));
  const reports = await provider.earnings(['AAPL'], year, AbortSignal.timeout(60_000));
  for (const answer of [candles, reports])
    assert.deepEqual(answer.ok && answer.value.map(({ date }) => date), ['2026-11-18']);
});

test('returns a partial result with its error when a rate limit interrupts the batch', async (t) => {
  const [fmp, finnhub] = await Promise.all([start.fmp(t), start.finnhub(t)]);
  fmp.fake.state.plan = 'free';
  const soon = (): AbortSignal => AbortSignal.timeout(60_000);
  const rest = { ok: false, reason: 'rate_limited', retryAfter: 7 };
  const symbols = ['AAPL', 'MSFT', 'BRK.B', 'VOO'];
  for (const [{ fake, provider }, asked, after] of [
    [fmp, 4, 3],
    [finnhub, 3, 2],
  ] as const) {
    fake.requests.length = 0;
    fake.failWith('too many requests', after);
    const quotes = await provider.quotes(symbols, soon());
    assert.ok(quotes.ok, provider.id);
    assert.deepEqual(
      [[...quotes.value.keys()], quotes.stoppedBy, fake.requests.length],
      [['AAPL', 'MSFT'], rest, asked],
      provider.id,
    );
  }
  finnhub.fake.requests.length = 0;
  finnhub.fake.failWith('too many requests', 1);
  const news = await finnhub.provider.news(symbols, 10, soon());
  assert.ok(news.ok);
  assert.deepEqual([news.value.length, news.stoppedBy, finnhub.fake.requests.length], [1, rest, 2]);
  fmp.fake.failWith('too many requests', 1);
  const found = await fmp.provider.search('AAPL', 5, soon());
  assert.deepEqual(found.ok && [found.value.length, found.stoppedBy], [1, rest]);
});

test('fetches the market-wide calendar week by week', async (t) => {
  const fake = await startFmpFake();
  t.onTestFinished(() => fake.close());
  const provider = createFmp({ key: FMP_KEY, baseUrl: fake.url, tryAcquire: spend, now });
  await provider.earnings('all', { from: '2026-11-20', to: '2027-02-18' }, AbortSignal.timeout(60_000));
  const asked = fake.requests.map(({ params }) => [params.get('from'), params.get('to')]);
  assert.equal(asked.length, 13);
  assert.deepEqual(
    [asked[0], asked.at(-1)],
    [
      ['2026-11-20', '2026-11-26'],
      ['2027-02-12', '2027-02-18'],
    ],
  );
});
