import assert from 'node:assert/strict';
import { test } from 'vitest';
import fc from 'fast-check';
import { validateQuote } from './validate-quote.ts';
import { chooseMarketCap, parseCurrency } from '../../domain/currency-units.ts';
import type { Quote } from '../../domain/market-data-provider.ts';
import type { StoredPrice } from './price-queries.ts';

const now = new Date('2026-11-20T16:20:00Z');

const quote = (more: Partial<Quote> = {}): Quote => ({
  symbol: 'X',
  price: 101,
  currency: null,
  prevClose: 100,
  open: 100.5,
  dayHigh: 102,
  dayLow: 99,
  volume: 1_000,
  marketCap: 5_000_000,
  asOf: '2026-11-20T16:15:00.000Z',
  delayedMinutes: 15,
  ...more,
});

const createStoredPrice = (more: Partial<StoredPrice> = {}): StoredPrice => ({
  symbol: 'X',
  asset_type: 'stock',
  currency: 'USD',
  declared_unit: null,
  units: null,
  current_price: 100,
  market_cap: null,
  source: 'fmp',
  last_close: 100,
  closes: [null, ['2026-11-18', 99], ['2026-11-19', 100]],
  new_york_days: true,
  ...more,
});

function acceptQuote(incoming: Quote, storedPrice: StoredPrice) {
  const validate = validateQuote(incoming, storedPrice, 'fmp', now);
  assert.equal(validate.verdict, 'accept', JSON.stringify(validate));
  return validate.verdict === 'accept' ? validate : assert.fail();
}

test('computes the day change from both prices', () => {
  const { price } = acceptQuote(quote(), createStoredPrice());
  assert.deepEqual([price.change_amount, price.change_1d, price.prev_close], [1, 1, 100]);
  for (const prevClose of [null, 0, -5, Number.NaN, Number.POSITIVE_INFINITY]) {
    const without = acceptQuote(quote({ prevClose }), createStoredPrice()).price;
    assert.deepEqual(
      [without.change_amount, without.change_1d, without.prev_close],
      [null, null, null],
      String(prevClose),
    );
  }
  const still = acceptQuote(quote({ price: 100, prevClose: 100 }), createStoredPrice()).price;
  assert.ok(Object.is(still.change_amount, 0) && Object.is(still.change_1d, 0));
});

test('rejects a missing price, a non-finite price and a missing time', () => {
  for (const more of [
    { price: 0 },
    { price: -1 },
    { price: Number.NaN },
    { price: Number.POSITIVE_INFINITY },
    { asOf: 'yesterday' },
    { asOf: '2026-11-20T16:36:00Z' },
    { asOf: '58859-01-01T00:00:00Z' },
  ]) {
    assert.equal(validateQuote(quote(more), createStoredPrice(), 'fmp', now).verdict, 'reject', JSON.stringify(more));
  }
  assert.equal(
    acceptQuote(quote({ asOf: '2026-11-20T16:34:00Z' }), createStoredPrice()).price.price_at,
    '2026-11-20T16:34:00.000Z',
    'tolerates clock skew',
  );
});

test('drops implausible secondary figures and keeps the price', () => {
  const { price } = acceptQuote(
    quote({
      open: 0,
      dayHigh: Number.NaN,
      dayLow: -1,
      volume: Number.POSITIVE_INFINITY,
      marketCap: Number.NaN,
      delayedMinutes: -3,
    }),
    createStoredPrice(),
  );
  assert.deepEqual(
    [price.open, price.day_high, price.day_low, price.volume, price.market_cap, price.delayed_minutes],
    [null, null, null, null, null, 0],
  );
});

test("widens the day's range when the price is outside of it", () => {
  for (const [price, low, high] of [
    [98, 98, 102],
    [101, 99, 102],
    [103, 99, 103],
  ]) {
    const row = acceptQuote(quote({ price: price! }), createStoredPrice()).price;
    assert.deepEqual([row.day_low, row.day_high], [low, high]);
  }
});

test('keeps only the price of funds and bonds, whatever the feed returns', () => {
  for (const asset_type of ['mutual_fund', 'bond'] as const) {
    const { price } = acceptQuote(quote(), createStoredPrice({ asset_type }));
    assert.equal(price.current_price, 101);
    assert.deepEqual(
      [price.change_1d, price.change_amount, price.prev_close, price.open, price.volume, price.market_cap],
      [null, null, null, null, null, null],
    );
  }
});

test("keeps only the day's figures of an ETF", () => {
  const storeFigures = (asset_type: 'stock' | 'etf') => {
    const { price } = acceptQuote(quote(), createStoredPrice({ asset_type }));
    return [
      price.change_1d,
      price.prev_close,
      price.open,
      price.day_low,
      price.day_high,
      price.volume,
      price.market_cap,
    ];
  };
  assert.deepEqual(
    [storeFigures('stock'), storeFigures('etf')],
    [
      [1, 100, 100.5, 99, 102, 1_000, 5_000_000],
      [1, 100, 100.5, 99, 102, 1_000, null],
    ],
  );
});

test('reads declared currencies with their exact case and guesses nothing', () => {
  const read = (declared: string | null) => Object.values(parseCurrency(declared));
  assert.deepEqual(read('GBp'), ['GBP', 'GBp']);
  assert.deepEqual(read('GBX'), ['GBP', 'GBX']);
  assert.deepEqual(read('GBP'), ['GBP', null]);
  assert.deepEqual(read('ZAc'), ['ZAR', 'ZAc']);
  assert.deepEqual(read('ZAC'), ['ZAR', 'ZAC']);
  assert.deepEqual(read('ILA'), ['ILS', 'ILA']);
  assert.deepEqual(read('USD'), ['USD', null]);
  for (const nonsense of [null, '', 'gbp', 'usd', 'US$', 'EURO', 'gbx'])
    assert.deepEqual(read(nonsense), [null, null], String(nonsense));
});

test('converts pence to pounds in all prices by the unit of the quote or the provider', () => {
  const inPence = quote({ price: 7_215, prevClose: 7_200, open: 7_210, dayHigh: 7_300, dayLow: 7_100 });
  const listing = createStoredPrice({
    currency: 'GBP',
    declared_unit: 'GBp',
    units: { fmp: 'GBp' },
    current_price: 72,
    last_close: 72,
  });
  for (const currency of ['GBp', 'GBX', null]) {
    const { price } = acceptQuote({ ...inPence, currency }, listing);
    assert.deepEqual(
      [price.current_price, price.prev_close, price.open, price.day_high, price.day_low],
      [72.15, 72, 72.1, 73, 71],
    );
    assert.equal(price.change_1d?.toFixed(6), ((7_215 / 7_200 - 1) * 100).toFixed(6));
    assert.equal(price.change_amount, 0.15);
  }
});

test('never scales a quote without a currency by the unit of another provider', () => {
  const listing = createStoredPrice({
    symbol: 'VOD.L',
    currency: 'GBP',
    declared_unit: 'GBp',
    units: { fmp: 'GBp', finnhub: null },
    current_price: 72.1,
    last_close: 72,
  });
  const validate = (price: number, more: Partial<StoredPrice> = {}, source = 'finnhub') => {
    const { verdict, ...rest } = validateQuote(quote({ price, prevClose: null }), { ...listing, ...more }, source, now);
    return 'price' in rest ? rest.price.current_price : verdict;
  };
  assert.equal(validate(72.15), 72.15, 'Finnhub quotes pounds');
  assert.equal(validate(7_215), 'quarantine');
  assert.equal(validate(7_215, {}, 'fmp'), 72.15);
  for (const units of [null, { fmp: 'GBp' }, { simulator: 'GBp' }]) {
    assert.deepEqual(
      [validate(72.15, { units }), validate(7_215, { units })],
      [72.15, 'quarantine'],
      'undeclared unit',
    );
    assert.equal(
      validate(72.15, { units, current_price: null, last_close: null }),
      'reject',
      'no price to compare with',
    );
    assert.equal(validate(7_215, { units, source: 'simulator' }), 'reject', 'a sample price is not comparable');
  }
});

test('does not scale London listings in pounds, in dollars or without a currency', () => {
  for (const currency of ['GBP', 'USD', null]) {
    const { price } = acceptQuote(
      quote({ symbol: 'VUSA.L', currency }),
      createStoredPrice({ currency, declared_unit: null }),
    );
    assert.equal(price.current_price, 101);
  }
  assert.equal(
    validateQuote(quote({ currency: 'EUR' }), createStoredPrice(), 'fmp', now).verdict,
    'reject',
    'currency differs from the listing',
  );
  assert.equal(
    acceptQuote(quote({ currency: 'EUR' }), createStoredPrice({ currency: null })).price.current_price,
    101,
    'the listing has no currency',
  );
});

test('quarantines a jump by a factor of 80 to 125 in either direction', () => {
  const verdict = (factor: number, more: Partial<StoredPrice> = {}) =>
    validateQuote(quote({ price: 100 * factor }), createStoredPrice(more), 'fmp', now).verdict;
  for (const factor of [80, 100, 125, 1 / 80, 1 / 100, 1 / 124.9])
    assert.equal(verdict(factor), 'quarantine', String(factor));
  for (const factor of [79, 126, 1 / 79, 1 / 126, 1, 2, 0.5]) assert.equal(verdict(factor), 'accept', String(factor));
  assert.equal(verdict(100, { source: 'simulator' }), 'accept', 'compared with a sample');
  assert.equal(verdict(100, { source: 'finnhub' }), 'quarantine', 'compared with another provider');
  assert.equal(verdict(100, { current_price: null, last_close: 100 }), 'quarantine', 'compared with the last close');
  assert.equal(verdict(1, { last_close: 1 }), 'accept', 'the last close counts only without a price');
  assert.equal(verdict(100, { current_price: null, last_close: null }), 'accept', 'no price to compare with');
});

test('requests a fresh history when the previous close does not match it', () => {
  assert.equal(
    acceptQuote(quote({ price: 10.1, prevClose: 10 }), createStoredPrice()).historyGap,
    'split',
    'split of 10 for 1',
  );
  assert.equal(acceptQuote(quote(), createStoredPrice()).historyGap, 'none');
  assert.equal(
    acceptQuote(quote({ price: 140, prevClose: 135 }), createStoredPrice()).historyGap,
    'ambiguous',
    'large daily move',
  );
  assert.equal(
    acceptQuote(quote({ price: 110, prevClose: 120 }), createStoredPrice()).historyGap,
    'ambiguous',
    'independent of later prices',
  );
  for (const splitFactor of [4 / 5, 3 / 4, 5 / 4])
    assert.equal(
      acceptQuote(quote({ price: 100 * splitFactor, prevClose: 100 * splitFactor }), createStoredPrice()).historyGap,
      'ambiguous',
      `${splitFactor}`,
    );
  assert.equal(acceptQuote(quote({ price: 114, prevClose: 114 }), createStoredPrice()).historyGap, 'none');
});

const WILD_DAY: Partial<StoredPrice> = {
  closes: [
    ['2026-11-18', 99],
    ['2026-11-19', 100],
    ['2026-11-20', 150],
  ],
  last_close: 150,
};
/** Closes whose last one is before the evening of the 19th in New York, which is the 20th elsewhere. */
const EVENING_CLOSES: Partial<StoredPrice> = {
  closes: [
    ['2026-11-17', 70],
    ['2026-11-18', 70],
    ['2026-11-19', 100],
  ],
};
const EVENING = '2026-11-20T00:40:00Z';

test.each<[description: string, quote: Partial<Quote>, stored: Partial<StoredPrice>, historyGap: string]>([
  ['the close before the day of the quote', { price: 103, prevClose: 100 }, WILD_DAY, 'none'],
  ['a tenth of that close', { price: 15, prevClose: 10 }, { ...WILD_DAY, current_price: 15 }, 'split'],
  [
    'the only close, of the day before',
    { price: 151, prevClose: 150, asOf: '2026-11-20T15:00:00Z' },
    { closes: [['2026-11-19', 150]], last_close: 150 },
    'none',
  ],
  ['no close', {}, { closes: [null, null, null], last_close: null }, 'none'],
  [
    'closes of another provider, which may be adjusted differently',
    { price: 10.1, prevClose: 10 },
    { source: 'finnhub' },
    'none',
  ],
  [
    'the close of the 19th after midnight elsewhere',
    { price: 103, prevClose: 100, asOf: EVENING },
    { ...EVENING_CLOSES, new_york_days: false },
    'none',
  ],
  ['the close of the 18th in New York', { price: 72, prevClose: 70, asOf: EVENING }, EVENING_CLOSES, 'none'],
])('compares the previous close with %s', (_description, quoted, stored, historyGap) => {
  assert.equal(acceptQuote(quote(quoted), createStoredPrice(stored)).historyGap, historyGap);
});

test('selects the market cap of a pence listing that matches the known one, or null', () => {
  assert.equal(chooseMarketCap(18e9, null, null), 18e9);
  assert.equal(chooseMarketCap(18e11, 'GBp', 17e9), 18e9);
  assert.equal(chooseMarketCap(18e9, 'GBp', 17e9), 18e9);
  assert.equal(chooseMarketCap(18e9, 'GBp', null), null);
  assert.equal(chooseMarketCap(18e9, 'GBp', 1e6), null);
  const getMarketCap = (source: string) =>
    acceptQuote(
      quote({ price: 7_215, prevClose: 7_200, marketCap: 18e11 }),
      createStoredPrice({
        currency: 'GBP',
        declared_unit: 'GBp',
        units: { fmp: 'GBp' },
        current_price: 72,
        market_cap: 17e9,
        source,
      }),
    ).price.market_cap;
  assert.deepEqual(
    [getMarketCap('fmp'), getMarketCap('simulator')],
    [18e9, null],
    'a sample market cap does not determine the unit',
  );
});

test('accepts only storable figures, whatever a feed returns', () => {
  const wild = fc.oneof(fc.double(), fc.constantFrom(null, 0, -0, Number.NaN, Number.MAX_VALUE, Number.MIN_VALUE));
  const kind = fc.constantFrom('stock' as const, 'etf' as const, 'mutual_fund' as const, 'bond' as const);
  fc.assert(
    fc.property(
      fc.double(),
      wild,
      wild,
      wild,
      wild,
      kind,
      fc.constantFrom(null, 'USD', 'GBp', 'x'),
      (price, prevClose, open, volume, marketCap, asset_type, currency) => {
        const validate = validateQuote(
          quote({ price, prevClose, open, volume, marketCap, currency }),
          createStoredPrice({ asset_type, currency: null, current_price: null, last_close: null }),
          'fmp',
          now,
        );
        if (validate.verdict !== 'accept') return;
        for (const value of Object.values(validate.price))
          assert.ok(
            typeof value !== 'number' || (Number.isFinite(value) && !Object.is(value, -0)),
            JSON.stringify(validate.price),
          );
        assert.ok(validate.price.current_price > 0);
      },
    ),
    { numRuns: 500 },
  );
});
