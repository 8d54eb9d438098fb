import assert from 'node:assert/strict';
import { test, type TestContext } from 'vitest';
import { createFinnhubDividend, FINNHUB_KEY, startFinnhubFake } from '../../../test/fakes/finnhub/finnhub-fake.ts';
import { createFmpDividend, FMP_KEY, startFmpFake } from '../../../test/fakes/fmp/fmp-fake.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { withTtlCache } from './single-flight/ttl-cache.ts';
import { createRegistration } from '../services/catalog/register-symbol.ts';
import { createProviderChain } from './chain/provider-chain.ts';
import { createFinnhub } from './finnhub/finnhub.ts';
import { createFmp } from './fmp/fmp.ts';
import { guessAssetType } from './fmp/fmp-symbols.ts';
import type { MarketDataProvider } from '../domain/market-data-provider.ts';

const now = () => new Date('2026-11-20T16:20:00Z');
const soon = () => AbortSignal.timeout(60_000);
const spend = async () => true;
const empty = { query: async () => [] } as unknown as ServiceSql;
const quiet = { warn: () => {} };

async function fmp(t: TestContext) {
  const fake = await startFmpFake();
  t.onTestFinished(() => fake.close());
  return { fake, provider: createFmp({ key: FMP_KEY, baseUrl: fake.url, tryAcquire: spend, now }) };
}

async function finnhub(t: TestContext) {
  const fake = await startFinnhubFake();
  t.onTestFinished(() => fake.close());
  return { fake, provider: createFinnhub({ key: FINNHUB_KEY, baseUrl: fake.url, tryAcquire: spend, now }) };
}

const lookUp = (providersInOrder: MarketDataProvider[], symbol: string) => {
  const providers = createProviderChain(
    providersInOrder.map((provider) => ({ provider })),
    quiet,
  );
  return createRegistration({ sql: empty, providers, singleFlight: withTtlCache(Date.now) }).lookUp(symbol);
};

test('Finnhub finds a bond by CUSIP or ISIN and prices it in percent of par', async (t) => {
  const { provider, fake } = await finnhub(t);
  const found = await provider.lookup('912810TX6', soon());
  assert.deepEqual(found, {
    ok: true,
    value: {
      symbol: '912810TX6',
      name: 'US Treasury 4.25% 02/15/2054',
      exchange: null,
      assetType: 'bond',
      currency: 'USD',
      logo: null,
    },
  });
  assert.equal((await provider.lookup('US912810TX63', soon())).ok, true);
  const quotes = await provider.quotes(['AAPL', '912810TX6', '91282CHT1'], soon());
  assert.ok(quotes.ok);
  assert.deepEqual([...quotes.value.keys()], ['AAPL', '912810TX6']);
  const bond = quotes.value.get('912810TX6')!;
  assert.deepEqual(
    [bond.price, bond.currency, bond.prevClose, bond.asOf],
    [97.125, 'USD', null, '2026-11-20T00:00:00.000Z'],
  );

  fake.state.plan = 'free';
  const without = await provider.quotes(['AAPL', '912810TX6'], soon());
  assert.ok(without.ok && without.value.has('AAPL'), 'a plan without bonds has quotes');
  assert.deepEqual(await lookUp([provider], '912810TX6'), { ok: false, reason: 'unsupported', detail: 'no_bond_feed' });
});

test('rejects bonds as unsupported when no bond feed exists', async (t) => {
  const { provider, fake } = await fmp(t);
  assert.deepEqual(await lookUp([provider], '912810TX6'), { ok: false, reason: 'unsupported', detail: 'no_bond_feed' });
  assert.equal(fake.requests.length, 0);
  assert.deepEqual(await lookUp([provider], 'AAPL'), { ok: true, symbol: 'AAPL' });
});

test('FMP rejects delisted symbols and converts the market cap of pence listings', async (t) => {
  const { provider, fake } = await fmp(t);
  const vodafone = await provider.lookup('VOD.L', soon());
  assert.ok(vodafone.ok);
  assert.equal(vodafone.value.marketCap, (250_000_000 * 7_215) / 100);
  fake.state.profiles.set('OLDCO', { symbol: 'OLDCO', companyName: 'Old', currency: 'USD', isActivelyTrading: false });
  assert.deepEqual(await provider.lookup('OLDCO', soon()), { ok: false, reason: 'unknown' });
});

test('Finnhub returns a market cap in the listing’s currency or omits it', async (t) => {
  const { provider } = await finnhub(t);
  const fetchMarketCap = async (symbol: string) => {
    const found = await provider.lookup(symbol, soon());
    return found.ok ? found.value.marketCap : found.reason;
  };
  assert.equal(await fetchMarketCap('AAPL'), 3.5e12);
  assert.equal(await fetchMarketCap('BABA'), undefined, 'accounts and price have different currencies');
});

test('completes a listing without name or currency from the next provider', async (t) => {
  const first = await fmp(t);
  const second = await finnhub(t);
  first.fake.state.profiles.set('AAPL', { symbol: 'AAPL', companyName: 'Apple Inc.', currency: '' });
  assert.deepEqual(await lookUp([first.provider], 'AAPL'), { ok: false, reason: 'unknown' });
  assert.deepEqual(await lookUp([first.provider, second.provider], 'AAPL'), { ok: true, symbol: 'AAPL' });
  first.fake.state.profiles.set('NONAME', { symbol: 'NONAME', companyName: null, currency: 'USD' });
  assert.deepEqual(await lookUp([first.provider], 'NONAME'), { ok: false, reason: 'unknown' });
});

test('FMP groups leveraged products with ETFs, but not companies with similar names', () => {
  const funds = [
    'ProShares UltraPro QQQ',
    'Direxion Daily Semiconductor Bull 3X Shares',
    'GraniteShares 2x Long NVDA Daily ETF',
    'T-Rex 2X Long Tesla Daily Target',
    'MicroSectors FANG+ Index 3X Leveraged ETN',
    'WisdomTree S&P 500 3x Daily Short',
    'Defiance Daily Target 2X Short MSTR',
  ];
  for (const name of funds) assert.equal(guessAssetType('X', name), 'etf', name);
  for (const name of [
    'Apple Inc.',
    'Ultra Clean Holdings',
    '3M Company',
    'Daily Journal Corporation',
    'Short Brothers',
    '2X Ltd',
  ])
    assert.equal(guessAssetType('X', name), 'stock', name);
});

test('sends quotes in batches of a hundred', async (t) => {
  assert.equal((await fmp(t)).provider.maxQuotesPerCall, 100);
});

test('FMP returns ratio, yield in percent and texts of a profile', async (t) => {
  const { provider, fake } = await fmp(t);
  const apple = {
    peRatio: 34.27,
    dividendYield: 0.44,
    description: 'Apple Inc. designs <b>smartphones</b> &amp; computers.',
    industry: 'Consumer Electronics',
    website: 'https://www.apple.com',
  };
  assert.deepEqual(await provider.fundamentals('AAPL', soon()), { ok: true, value: apple });
  const none = { peRatio: null, dividendYield: null, description: null, industry: null, website: null };
  assert.deepEqual(await provider.fundamentals('BRK.B', soon()), { ok: true, value: none });
  assert.deepEqual(await provider.fundamentals('ZZZZ', soon()), { ok: false, reason: 'unknown' });
  fake.state.plan = 'free';
  const withoutRatios = { ...apple, peRatio: null, dividendYield: null };
  assert.deepEqual(await provider.fundamentals('AAPL', soon()), { ok: true, value: withoutRatios });
});

test('Finnhub returns ratio, yield, industry and website, and no description', async (t) => {
  const { provider } = await finnhub(t);
  assert.deepEqual(await provider.fundamentals('AAPL', soon()), {
    ok: true,
    value: {
      peRatio: 34.3,
      dividendYield: 0.44,
      description: null,
      industry: 'Technology',
      website: 'https://www.apple.com/',
    },
  });
  const berkshire = await provider.fundamentals('BRK.B', soon());
  assert.ok(berkshire.ok);
  assert.deepEqual([berkshire.value.peRatio, berkshire.value.dividendYield], [null, 0]);
  const unknown = await provider.fundamentals('ZZZZ', soon());
  assert.ok(unknown.ok && Object.values(unknown.value).every((fact) => fact === null));
});

const getDividends = async (provider: MarketDataProvider, symbol: string) => {
  const answer = await provider.dividends(symbol, soon());
  assert.ok(answer.ok, JSON.stringify(answer));
  return answer.value;
};

test('FMP reads the split-adjusted amount, the frequency and only existing dates of a dividend', async (t) => {
  const { provider, fake } = await fmp(t);
  fake.state.dividends = [
    createFmpDividend('MSFT', '2026-11-19', 3.64, { adjDividend: 0.91, paymentDate: '2026-12-10' }),
    createFmpDividend('MSFT', '2026-09-31', 0.91),
    createFmpDividend('MSFT', '2026-08-20', 0.83, { paymentDate: '2026-02-31', frequency: 'Semi-Annual' }),
    createFmpDividend('MSFT', '2026-05-21', 5, { adjDividend: null, frequency: 'Special' }),
    createFmpDividend('MSFT', '2026-02-19', 0.83, { adjDividend: 'n/a', dividend: 'n/a', frequency: '' }),
    createFmpDividend('MSFT-PA', '2026-02-19', 9),
  ];

  assert.deepEqual(
    (await getDividends(provider, 'MSFT')).map((row) => [row.ex_date, row.payment_date, row.amount, row.per_year]),
    [
      ['2026-11-19', '2026-12-10', 0.91, 4],
      ['2026-08-20', null, 0.83, 2],
      ['2026-05-21', null, 5, null],
      ['2026-02-19', null, null, null],
    ],
  );
});

test('FMP reads the dividend calendar week by week, in the catalog spelling', async (t) => {
  const { provider, fake } = await fmp(t);
  fake.state.dividends = [
    createFmpDividend('BRK-B', '2026-11-20', 1),
    createFmpDividend('MSFT', '2027-02-18', 0.91),
    createFmpDividend('AAPL', '2027-02-19', 0.26),
  ];

  const answer = await provider.dividendCalendar!({ from: '2026-11-20', to: '2027-02-18' }, soon());

  assert.ok(answer.ok);
  assert.deepEqual(
    answer.value.map(({ symbol, ex_date: exDate }) => [symbol, exDate]),
    [
      ['BRK.B', '2026-11-20'],
      ['MSFT', '2027-02-18'],
    ],
  );
  assert.equal(fake.requests.filter(({ path }) => path === '/dividends-calendar').length, 13);
});

test('Finnhub reads the currency and the code of the frequency of a dividend', async (t) => {
  const { provider, fake } = await finnhub(t);
  fake.state.dividends.set('VOD.L', [
    createFinnhubDividend('VOD.L', '2026-11-26', 2.25, { currency: 'GBX', freq: '3', payDate: '2027-02-05' }),
    createFinnhubDividend('VOD.L', '2026-06-04', 4.5, { currency: '', freq: 4, adjustedAmount: 2.25 }),
  ]);

  assert.deepEqual(
    (await getDividends(provider, 'VOD.L')).map((row) => [row.amount, row.currency, row.per_year, row.payment_date]),
    [
      [2.25, 'GBX', 2, '2027-02-05'],
      [2.25, null, null, null],
    ],
  );
});

test('Finnhub has no dividends when the plan does not cover them (403)', async (t) => {
  const { provider, fake } = await finnhub(t);
  fake.state.plan = 'free';
  assert.deepEqual(await provider.dividends('AAPL', soon()), { ok: false, reason: 'not_entitled' });
});
