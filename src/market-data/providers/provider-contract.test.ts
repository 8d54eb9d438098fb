import assert from 'node:assert/strict';
import { test, type TestContext } from 'vitest';
import { FINNHUB_KEY, startFinnhubFake } from '../../../test/fakes/finnhub/finnhub-fake.ts';
import { FMP_KEY, startFmpFake } from '../../../test/fakes/fmp/fmp-fake.ts';
import { PNG } from '../../../test/fakes/images.ts';
import { fetchImage } from '../services/logos/fetch-image.ts';
import { createFinnhub } from './finnhub/finnhub.ts';
import { createFmp } from './fmp/fmp.ts';
import { marketCalendar } from '../domain/market-calendar.ts';
import type { ProviderResult, CallPriority, MarketDataProvider } from '../domain/market-data-provider.ts';
import { createSimulator } from '../../embedded/market-data/simulator.ts';

/** A Friday, 11:20 in New York. The candle of the day is still open. */
const clock = new Date('2026-11-20T16:20:00Z');
const now = (): Date => clock;
const soon = (): AbortSignal => AbortSignal.timeout(60_000);
const range = { from: '2026-11-16', to: '2026-11-20' };
const quarter = { from: '2026-11-20', to: '2027-02-28' };

interface ProviderCase {
  provider: MarketDataProvider;
  /** Returns the number of requests that the provider received. */
  requests(): number;
  acquired: CallPriority[];
  deny(): void;
}

function createFakeQuota(): {
  tryAcquire: (use: CallPriority) => Promise<boolean>;
  acquired: CallPriority[];
  deny(): void;
} {
  const acquired: CallPriority[] = [];
  let open = true;
  return {
    acquired,
    deny: () => {
      open = false;
    },
    tryAcquire: async (use) => open && acquired.push(use) > 0,
  };
}

const providerCases: Readonly<Record<string, (t: TestContext) => Promise<ProviderCase>>> = {
  async simulator() {
    const money = createFakeQuota();
    return {
      ...money,
      provider: createSimulator({ now, tryAcquire: money.tryAcquire }),
      requests: () => money.acquired.length,
    };
  },
  async fmp(t) {
    const fake = await startFmpFake();
    t.onTestFinished(() => fake.close());
    const money = createFakeQuota();
    return {
      ...money,
      provider: createFmp({ key: FMP_KEY, baseUrl: fake.url, tryAcquire: money.tryAcquire, now }),
      requests: () => fake.requests.length,
    };
  },
  async finnhub(t) {
    const fake = await startFinnhubFake();
    t.onTestFinished(() => fake.close());
    const money = createFakeQuota();
    return {
      ...money,
      provider: createFinnhub({ key: FINNHUB_KEY, baseUrl: fake.url, tryAcquire: money.tryAcquire, now }),
      requests: () => fake.requests.length,
    };
  },
};

function valueOf<T>(answer: ProviderResult<T>): T {
  assert.ok(answer.ok, answer.ok ? '' : JSON.stringify(answer));
  return answer.value;
}

const isAscending = (dates: readonly string[]): boolean =>
  dates.every((date, index) => index === 0 || dates[index - 1]! <= date);
const isReal = (value: number | null): boolean => value === null || (Number.isFinite(value) && value >= 0);

for (const [name, create] of Object.entries(providerCases)) {
  test(`${name} returns quotes of known symbols only, in catalog spelling`, async (t) => {
    const { provider } = await create(t);
    const quotes = valueOf(await provider.quotes(['AAPL', 'NOSUCH', 'BRK.B', 'VOO'], soon()));
    assert.deepEqual([...quotes.keys()].sort(), ['AAPL', 'BRK.B', 'VOO']);
    for (const [symbol, quote] of quotes) {
      assert.ok(quote, symbol);
      assert.equal(quote.symbol, symbol);
      assert.ok(quote.price > 0 && Number.isFinite(quote.price));
      for (const value of [quote.prevClose, quote.open, quote.dayHigh, quote.dayLow, quote.volume, quote.marketCap])
        assert.ok(isReal(value));
      assert.equal(new Date(quote.asOf).toISOString(), quote.asOf);
      assert.ok(Date.parse(quote.asOf) <= clock.getTime());
    }
    assert.equal(valueOf(await provider.quotes(['NOSUCH'], soon())).size, 0);
  });

  test(`${name} returns closed candles of the range, ascending and without duplicates`, async (t) => {
    const { provider } = await create(t);
    for (const symbol of ['AAPL', 'BRK.B']) {
      const candles = valueOf(await provider.dailyCandles(symbol, range, soon()));
      const dates = candles.map(({ date }) => date);
      assert.ok(dates.length >= 3 && isAscending(dates) && new Set(dates).size === dates.length, dates.join());
      assert.ok(
        dates.every((date) => date >= range.from && date < '2026-11-20' && marketCalendar.isMarketDay(date)),
        dates.join(),
      );
      assert.equal(dates.at(-1), '2026-11-19');
      assert.ok(
        candles.every(({ close, open, high, low, volume }) => close > 0 && [open, high, low, volume].every(isReal)),
      );
    }
    const missing = await provider.dailyCandles('NOSUCH', range, soon());
    assert.ok(missing.ok ? missing.value.length === 0 : missing.reason === 'unknown');
  });

  test(`${name} fetches the candles of a symbol in one request`, async (t) => {
    const { provider, requests, acquired } = await create(t);
    valueOf(await provider.dailyCandles('AAPL', { from: '2025-11-20', to: '2026-11-19' }, soon()));
    assert.deepEqual([requests(), acquired], [1, ['backfill']]);
  });

  test(`${name} returns reports of given or all companies, ordered and within the range`, async (t) => {
    const { provider } = await create(t);
    const some = valueOf(await provider.earnings(['AAPL', 'BRK.B'], quarter, soon()));
    assert.deepEqual(new Set(some.map(({ symbol }) => symbol)), new Set(['AAPL', 'BRK.B']));
    const all = valueOf(await provider.earnings('all', quarter, soon()));
    assert.ok(all.some(({ symbol }) => symbol === 'MSFT') && all.some(({ symbol }) => symbol === 'BRK.B'));
    for (const reports of [some, all]) {
      assert.ok(isAscending(reports.map(({ date }) => date)));
      assert.ok(
        reports.every(
          ({ date, when, eps_estimate: eps }) =>
            date >= quarter.from &&
            date <= quarter.to &&
            [null, 'bmo', 'amc'].includes(when) &&
            (eps === null || Number.isFinite(eps)),
        ),
      );
    }
    assert.deepEqual(valueOf(await provider.earnings(['NOSUCH'], quarter, soon())), []);
  });

  test(`${name} returns news newest first, about given symbols, up to the limit`, async (t) => {
    const { provider } = await create(t);
    const articles = valueOf(await provider.news(['AAPL', 'MSFT'], 10, soon()));
    const times = articles.map(({ published_at: at }) => at);
    assert.ok(articles.length >= 2 && isAscending([...times].reverse()));
    assert.ok(
      articles.every(
        ({ symbols, url }) => symbols.every((symbol) => ['AAPL', 'MSFT'].includes(symbol)) && URL.canParse(url),
      ),
    );
    assert.equal(valueOf(await provider.news(['AAPL', 'MSFT'], 1, soon())).length, 1);
    assert.equal(
      articles.every(({ sample }) => sample === (name === 'simulator')),
      true,
    );
  });

  test(`${name} returns the listing of a symbol and the hits of a search`, async (t) => {
    const { provider } = await create(t);
    const apple = valueOf(await provider.lookup('AAPL', soon()));
    assert.deepEqual([apple.symbol, apple.assetType, apple.currency], ['AAPL', 'stock', 'USD']);
    const berkshire = valueOf(await provider.lookup('BRK.B', soon()));
    assert.deepEqual([berkshire.symbol, berkshire.assetType], ['BRK.B', 'stock']);
    assert.equal(valueOf(await provider.lookup('VOO', soon())).assetType, 'etf');
    assert.deepEqual(await provider.lookup('NOSUCH', soon()), { ok: false, reason: 'unknown' });
    const found = valueOf(await provider.search('AAPL', 5, soon()));
    assert.ok(found.length >= 1 && found.length <= 5 && found[0]!.symbol === 'AAPL');
    assert.deepEqual(valueOf(await provider.search('nothing like this', 5, soon())), []);
  });

  test(`${name} returns a logo path of ours, a URL of the provider, or null`, async (t) => {
    const { provider } = await create(t);
    const { logo } = valueOf(await provider.lookup('AAPL', soon()));
    if (name === 'simulator') assert.equal(logo, '/api/logos/registry/AAPL');
    else
      assert.deepEqual(await fetchImage(logo!, new Set(provider.logoOrigins), 5_000), {
        bytes: PNG,
        mediaType: 'image/png',
      });
    assert.equal(valueOf(await provider.lookup(name === 'simulator' ? 'VOO' : 'BRK.B', soon())).logo, null);
  });

  test(`${name} supports a call or rejects it`, async (t) => {
    const { provider } = await create(t);
    const status = await provider.status(soon());
    assert.deepEqual(
      status,
      provider.capabilities.has('status') ? { ok: true, value: 'open' } : { ok: false, reason: 'not_entitled' },
    );
    const fundamentals = await provider.fundamentals('AAPL', soon());
    assert.ok(fundamentals.ok && fundamentals.value.peRatio! > 0 && fundamentals.value.dividendYield! >= 0);
    const splits = await provider.splits('AAPL', range, soon());
    assert.deepEqual(
      splits,
      provider.capabilities.has('splits') ? { ok: true, value: [] } : { ok: false, reason: 'not_entitled' },
    );
  });

  test(`${name} returns the dividends of a security, and none of an unknown one`, async (t) => {
    const { provider } = await create(t);
    const dividends = valueOf(await provider.dividends('AAPL', soon()));
    assert.ok(dividends.length >= 2);
    for (const { symbol, ex_date: exDate, payment_date: paymentDate, amount, per_year: perYear } of dividends) {
      assert.equal(symbol, 'AAPL');
      assert.ok(amount! > 0 && paymentDate! > exDate, exDate);
      assert.equal(perYear, 4);
    }
    const missing = await provider.dividends('NOSUCH', soon());
    assert.ok(missing.ok ? missing.value.length === 0 : missing.reason === 'unknown');
  });

  test(`${name} returns an error and sends nothing when the quota is exhausted`, async (t) => {
    const { provider, requests, deny } = await create(t);
    deny();
    const requestsBefore = requests();
    for (const answer of await callAllMethods(provider, soon()))
      assert.deepEqual(answer, { ok: false, reason: 'quota_exhausted' });
    assert.equal(requests(), requestsBefore);
  });

  test(`${name} returns an error without throwing when the caller has canceled`, async (t) => {
    const { provider } = await create(t);
    for (const answer of await callAllMethods(provider, AbortSignal.abort()))
      assert.ok(answer.ok || answer.reason === 'upstream');
  });
}

test('Finnhub prices depositary receipts in dollars and lists a partnership as stock', async (t) => {
  const { provider } = await providerCases['finnhub']!(t);
  const adrListing = valueOf(await provider.lookup('BABA', soon()));
  assert.deepEqual(
    [adrListing.assetType, adrListing.currency, adrListing.exchange],
    ['stock', 'USD', 'NEW YORK STOCK EXCHANGE, INC.'],
  );
  for (const symbol of ['EPD', 'ET']) {
    const partnership = valueOf(await provider.lookup(symbol, soon()));
    assert.deepEqual([partnership.assetType, partnership.currency], ['stock', 'USD'], symbol);
  }
  assert.deepEqual(
    await provider.lookup('VAGUE', soon()),
    { ok: false, reason: 'unsupported' },
    'neither a type nor a profile',
  );
  assert.deepEqual(await provider.lookup('AAPLW', soon()), { ok: false, reason: 'unsupported' });
});

test('Finnhub counts a report during market hours as announced, without an hour', async (t) => {
  const { provider } = await providerCases['finnhub']!(t);
  const reports = valueOf(await provider.earnings(['AAPL', 'MSFT', 'BRK.B'], quarter, soon()));
  assert.deepEqual(
    reports.map(({ symbol, when, estimated }) => [symbol, when, estimated]),
    [
      ['MSFT', null, true],
      ['AAPL', 'amc', false],
      ['BRK.B', null, false],
    ],
  );
});

test('Finnhub limits the report calendar to US listings in catalog spelling', async (t) => {
  const fake = await startFinnhubFake();
  t.onTestFinished(() => fake.close());
  const provider = createFinnhub({
    key: FINNHUB_KEY,
    baseUrl: fake.url,
    tryAcquire: createFakeQuota().tryAcquire,
    now,
  });
  for (const symbols of [['AAPL'], 'all'] as const) valueOf(await provider.earnings(symbols, range, soon()));
  assert.deepEqual(
    fake.requests.map(({ path, params }) => [path, params.get('international')]),
    [
      ['/calendar/earnings', 'false'],
      ['/calendar/earnings', 'false'],
    ],
  );
});

test('FMP parses article times as New York time in summer and winter', async (t) => {
  const fake = await startFmpFake();
  t.onTestFinished(() => fake.close());
  const provider = createFmp({ key: FMP_KEY, baseUrl: fake.url, tryAcquire: createFakeQuota().tryAcquire, now });
  fake.state.news = ['2026-11-20 09:30:15', '2026-07-15T22:05:00', '2026-07-15 22:05'].map((publishedDate) => ({
    symbol: 'AAPL',
    publishedDate,
    title: 'News',
    url: 'https://wire.example/1',
  }));
  const articles = valueOf(await provider.news(['AAPL'], 5, soon()));
  assert.deepEqual(
    articles.map(({ published_at: at }) => at),
    ['2026-11-20T14:30:15.000Z', '2026-07-16T02:05:00.000Z', '2026-07-16T02:05:00.000Z'],
  );
});

function callAllMethods(provider: MarketDataProvider, signal: AbortSignal): Promise<ProviderResult<unknown>[]> {
  return Promise.all<ProviderResult<unknown>>([
    provider.quotes(['AAPL', 'MSFT'], signal),
    provider.dailyCandles('AAPL', range, signal),
    provider.earnings(['AAPL'], quarter, signal),
    provider.earnings('all', quarter, signal),
    provider.news(['AAPL'], 3, signal),
    provider.search('AAPL', 3, signal),
    provider.lookup('AAPL', signal),
    provider.dividends('AAPL', signal),
  ]);
}
