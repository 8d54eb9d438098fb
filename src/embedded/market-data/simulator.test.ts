import assert from 'node:assert/strict';
import { test } from 'vitest';
import { marketCalendar } from '../../market-data/domain/market-calendar.ts';
import type { ProviderResult, Candle, Quote } from '../../market-data/domain/market-data-provider.ts';
import { edgeCases, simulatedListings, typicalPrices } from './listings.ts';
import { createSimulator } from './simulator.ts';

const soon = (): AbortSignal => AbortSignal.timeout(60_000);
const at = (time: string) => createSimulator({ now: () => new Date(time) });
const valueOf = <T>(answer: ProviderResult<T>): T => (answer.ok ? answer.value : assert.fail(answer.reason));
const getQuote = async (time: string, symbol: string): Promise<Quote> =>
  valueOf(await at(time).quotes([symbol], soon())).get(symbol)!;
const getCandles = async (time: string, symbol: string, from: string, to: string): Promise<Candle[]> =>
  valueOf(await at(time).dailyCandles(symbol, { from, to }, soon()));

test('returns equal data from two simulators when they are called in different orders', async () => {
  const symbols = [...simulatedListings.keys()];
  const ascending = valueOf(await at('2026-11-20T16:20:00Z').quotes(symbols, soon()));
  const reversed = valueOf(await at('2026-11-20T16:20:00Z').quotes([...symbols].reverse(), soon()));
  assert.equal(ascending.size, symbols.length);
  for (const [symbol, quote] of ascending) assert.deepEqual(reversed.get(symbol), quote);
});

test('returns the same figures for a past day when the clock has moved on', async () => {
  const earlierCandles = await getCandles('2026-03-02T15:00:00Z', 'AAPL', '2026-01-02', '2026-02-27');
  const laterCandles = await getCandles('2027-05-03T15:00:00Z', 'AAPL', '2026-01-02', '2026-02-27');
  assert.equal(earlierCandles.length, marketCalendar.countMarketDays('2026-01-01', '2026-02-27'));
  assert.deepEqual(laterCandles, earlierCandles);
});

test('moves prices every 15 minutes in the session only', async () => {
  const price = async (time: string) => (await getQuote(time, 'AAPL')).price;
  assert.equal(await price('2026-11-20T16:15:00Z'), await price('2026-11-20T16:29:59Z'));
  const grid = await Promise.all(
    Array.from({ length: 26 }, (_, step) =>
      price(new Date(Date.parse('2026-11-20T14:30:00Z') + step * 900_000).toISOString()),
    ),
  );
  assert.ok(new Set(grid).size > 15, 'prices move');
  const [candle] = await getCandles('2026-11-20T21:00:00Z', 'AAPL', '2026-11-20', '2026-11-20');
  for (const time of ['2026-11-20T21:00:00Z', '2026-11-21T12:00:00Z', '2026-11-23T14:29:59Z']) {
    const quote = await getQuote(time, 'AAPL');
    assert.deepEqual([quote.price, quote.asOf], [candle!.close, '2026-11-20T21:00:00.000Z']);
  }
  assert.equal(candle!.high! >= Math.max(...grid) && candle!.low! <= Math.min(...grid), true);
});

test('returns the close of the previous market day when a weekend or holiday precedes', async () => {
  for (const [now, before] of [
    ['2026-11-23T16:00:00Z', '2026-11-20'],
    ['2026-11-27T16:00:00Z', '2026-11-25'],
  ] as const) {
    const [candle] = await getCandles(now, 'MSFT', before, before);
    assert.equal((await getQuote(now, 'MSFT')).prevClose, candle!.close);
  }
});

test('returns a dividend yield that follows from its payments and price when a listing pays', async () => {
  const simulator = at('2026-11-30T16:00:00Z');
  let payingCount = 0;
  for (const { symbol, assetType } of simulatedListings.values()) {
    const { dividendYield } = valueOf(await simulator.fundamentals(symbol, soon()));
    const payments = valueOf(await simulator.dividends(symbol, soon()));
    if (payments.length === 0) {
      assert.equal(dividendYield, assetType === 'bond' ? null : 0, symbol);
      continue;
    }
    payingCount += 1;
    const { price } = await getQuote('2026-11-30T16:00:00Z', symbol);
    const paid = payments.filter(({ payment_date: date }) => date! <= '2026-11-30').slice(0, payments[0]!.per_year!);
    const expected = (100 * paid.reduce((sum, { amount }) => sum + amount!, 0)) / price;
    assert.ok(Math.abs(dividendYield! - expected) <= 0.005 + 1e-9, `${symbol}: ${dividendYield} for ${expected}`);
  }
  assert.ok(payingCount > 100);
});

test('returns no candle when the day is open or closed, or the listing a fund or bond', async () => {
  assert.equal((await getCandles('2026-11-20T20:59:59Z', 'AAPL', '2026-11-19', '2026-11-20')).length, 1);
  assert.equal((await getCandles('2026-11-20T21:00:00Z', 'AAPL', '2026-11-19', '2026-11-20')).length, 2);
  assert.deepEqual(await getCandles('2026-11-30T21:00:00Z', 'AAPL', '2026-11-26', '2026-11-26'), []);
  assert.deepEqual(await getCandles('2026-11-20T21:00:00Z', 'VTSAX', '2025-11-20', '2026-11-20'), []);
  assert.deepEqual(await getCandles('2026-11-20T21:00:00Z', '91282CJZ5', '2025-11-20', '2026-11-20'), []);
});

test('returns twelve days of history when the listing is new', async () => {
  for (const now of ['2026-11-20T16:20:00Z', '2027-03-07T12:00:00Z']) {
    const candles = await getCandles(now, edgeCases.newlyListed.symbol, '2025-11-20', '2027-12-31');
    assert.equal(candles.length, 12);
    assert.equal(candles.at(-1)!.date, marketCalendar.getLastClosedDay(new Date(now)));
  }
});

test('keeps the constant bond at 98.125 and moves other bonds in eighths', async () => {
  for (const now of ['2026-01-05T20:00:00Z', '2026-11-20T16:20:00Z']) {
    assert.equal((await getQuote(now, edgeCases.constantPriceBond.symbol)).price, 98.125);
    const { price } = await getQuote(now, '91282CBL4');
    assert.ok(Number.isInteger(price * 8) && price > 60 && price < 140);
  }
});

test('schedules reports for today, tomorrow and the seventh market day from any day', async () => {
  for (const [now, days] of [
    ['2026-11-24T16:00:00Z', [0, 1, 7]],
    ['2026-11-21T16:00:00Z', [1, 1, 7]],
  ] as const) {
    const today = marketCalendar.toNewYorkDate(new Date(now));
    const reports = valueOf(
      await at(now).earnings(['ORCL', 'ADBE', 'COST'], { from: today, to: '2027-01-31' }, soon()),
    );
    const distance = (symbol: string) =>
      marketCalendar.countMarketDays(today, reports.find((report) => report.symbol === symbol)!.date);
    assert.deepEqual(['ORCL', 'ADBE', 'COST'].map(distance), days);
  }
});

test('gives every bond identifier a valid check digit', () => {
  for (const { symbol, assetType } of simulatedListings.values()) {
    if (assetType !== 'bond') continue;
    const sum = Array.from(symbol.slice(0, 8)).reduce((total, character, index) => {
      const value = Number.parseInt(character, 36) * (index % 2 === 1 ? 2 : 1);
      return total + Math.floor(value / 10) + (value % 10);
    }, 0);
    assert.equal((10 - (sum % 10)) % 10, Number(symbol[8]), symbol);
  }
});

test('uses realistic prices for well-known listings and links articles to real pages', async () => {
  const simulator = createSimulator({ now: () => new Date('2026-11-23T20:00:00Z') });
  const quotes = await simulator.quotes([...typicalPrices.keys()], AbortSignal.timeout(1_000));
  assert.ok(quotes.ok);
  for (const [symbol, { price }] of typicalPrices) {
    const share = quotes.value.get(symbol)!.price / price;
    assert.ok(share > 1 / 3 && share < 3, `${symbol} at ${share} of what it begins with`);
  }
  const news = await simulator.news(['META', 'BRK.B'], 20, AbortSignal.timeout(1_000));
  assert.ok(news.ok);
  const links = news.value.map(({ url }) => new URL(url));
  assert.deepEqual([...new Set(links.map(({ host }) => host))], ['en.wikipedia.org']);
  assert.equal(new Set(links.map(String)).size, links.length, 'each article has its own URL');
});
