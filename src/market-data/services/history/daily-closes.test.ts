// @module-tag slow
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'vitest';
import { createFmpCandles, createFmpQuote } from '../../../../test/fakes/fmp/fmp-fake.ts';
import {
  setUpMarketFixture,
  type MarketFixture,
  removeJobs,
  addToWatchlist,
} from '../../../../test/support/market-fixture.ts';
import { TRADES_ON_NEW_YORK_DAYS } from '../shared/exchange-days.ts';
import { marketCalendar } from '../../domain/market-calendar.ts';

const HOUR = 3_600_000;
/** Returns the session of an exchange on a date, as instants. */
type Hours = (date: string) => { open: number; close: number } | undefined;

const shift = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * 24 * HOUR).toISOString().slice(0, 10);
const isWeekday = (date: string): boolean => new Date(date).getUTCDay() % 6 !== 0;

/** Returns sessions on weekdays between two local times. */
const weekdays = (timeZone: string, opens: string, closes: string): Hours => {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const instant = (date: string, time: string): number => {
    const guess = Date.parse(`${date}T${time}:00Z`);
    return 2 * guess - Date.parse(`${clock.format(guess).replace(' ', 'T')}Z`);
  };
  return (date) => (isWeekday(date) ? { open: instant(date, opens), close: instant(date, closes) } : undefined);
};
const newYork: Hours = (date) => {
  const hours = marketCalendar.getTradingHours(date);
  return hours && { open: hours.open.getTime(), close: hours.close.getTime() };
};

const listings: Readonly<Record<string, { hours: Hours; exchange: string | null; currency: string }>> = {
  AAPL: { hours: newYork, exchange: 'NASDAQ', currency: 'USD' },
  'SHOP.TO': { hours: weekdays('America/Toronto', '09:30', '16:00'), exchange: 'TSX', currency: 'CAD' },
  'VOD.L': { hours: weekdays('Europe/London', '08:00', '16:30'), exchange: 'LSE', currency: 'GBP' },
  '7203.T': { hours: weekdays('Asia/Tokyo', '09:00', '15:30'), exchange: 'JPX', currency: 'JPY' },
  'BHP.AX': { hours: weekdays('Australia/Sydney', '10:00', '16:00'), exchange: null, currency: 'AUD' },
};
const symbols = Object.keys(listings);
const hoursOf = (symbol: string, date: string) => listings[symbol]!.hours(date);

/** Returns the expected close of a day. */
const getClose = (symbol: string, date: string): number =>
  1_000 + Date.parse(date) / (24 * HOUR) - 20_000 + symbols.indexOf(symbol) / 10;
/** Returns a price within the day that differs from every close. */
const midPrice = (symbol: string, date: string): number => getClose(symbol, date) - 0.05;
const lastSession = (symbol: string, date: string, from = Number.POSITIVE_INFINITY): string => {
  const hours = hoursOf(symbol, date);
  return hours && hours.open <= from ? date : lastSession(symbol, shift(date, -1), from);
};

/** Sets quotes with a delay of 15 minutes, and candles three hours after a close with an unfinished one of today. */
function setProvider({ fake }: MarketFixture, now: number, first: string): void {
  const priceTime = now - HOUR / 4;
  const today = shift(new Date(now).toISOString().slice(0, 10), 1);
  for (const symbol of symbols) {
    const date = lastSession(symbol, today, priceTime);
    const { close } = hoursOf(symbol, date)!;
    const price = priceTime < close ? midPrice(symbol, date) : getClose(symbol, date);
    const timestamp = Math.min(priceTime, close) / 1_000;
    fake.state.quotes.set(
      symbol,
      createFmpQuote(symbol, price, getClose(symbol, lastSession(symbol, shift(date, -1))), { timestamp }),
    );
    const candles: [string, number][] = [];
    for (let day = first; day <= today; day = shift(day, 1)) {
      const hours = hoursOf(symbol, day);
      if (hours && hours.close + 3 * HOUR <= now) candles.push([day, getClose(symbol, day)]);
      else if (hours && hours.open <= now && now < hours.close) candles.push([day, midPrice(symbol, day)]);
    }
    fake.state.candles.set(symbol, createFmpCandles(symbol, candles));
  }
}

/** Yields the scheduled tasks of a UTC day. Prices are refreshed once in the day and around the close. */
function* generateTicks(date: string): Generator<[string, string, object?]> {
  if (isWeekday(shift(date, -1))) yield [`${date}T00:45:00Z`, 'market-refresh-evening', { always: true }];
  if (!isWeekday(date)) return;
  for (let hour = 17; hour <= 22; hour += 1) {
    if (hour !== 19) yield [`${date}T${hour}:15:00Z`, 'market-refresh'];
    yield [`${date}T${hour}:40:00Z`, 'market-write-closes'];
  }
}

/** Returns stored closes of days without a session, or with another price. */
async function findWrongCloses({ db }: MarketFixture) {
  const stored = await db.owner<{ symbol: string; d: string; close: number }>(
    `select t.symbol, h.d::text as d, h.close from public.tracked_tickers_historical h
     join public.tracked_tickers_latest t using (ticker_id) order by 1, 2`,
  );
  return stored.filter(({ symbol, d, close }) => !hoursOf(symbol, d) || close !== getClose(symbol, d));
}

/** Watches one listing of each exchange. `advanceTo` sets the clock, and the provider's data of that time. */
async function watchListings(t: TestContext, from: string) {
  const stage = await setUpMarketFixture(t);
  const first = shift(from, -14);
  let clock = Date.parse(`${from}T13:00:00Z`);
  for (const symbol of symbols) {
    const { exchange, currency } = listings[symbol]!;
    stage.fake.state.profiles.set(symbol, { symbol, companyName: symbol, currency, exchange });
  }
  const runJobs = async () => {
    const jobs = await stage.db.owner<{ task: string; payload: object }>(
      `with done as (delete from graphile_worker._private_jobs returning task_id, payload)
       select identifier as task, payload from done join graphile_worker._private_tasks k on k.id = task_id`,
    );
    for (const { task, payload } of jobs) await stage.run(task, payload);
  };
  const advanceTo = async (time: string) => {
    const elapsed = Date.parse(time) - clock;
    clock += elapsed;
    await stage.db.owner(`update market.backfills set done_at = done_at - $1 * interval '1 millisecond'`, [elapsed]);
    setProvider(stage, clock, first);
    stage.setTime(time);
  };
  setProvider(stage, clock, first);
  stage.setTime(new Date(clock).toISOString());
  await addToWatchlist(stage, ...symbols);
  for (const symbol of symbols) await stage.marketData.requestBackfill(symbol);
  await runJobs();
  return { stage, first, runJobs, advanceTo, isPast: (time: string) => Date.parse(time) < clock };
}

/** Asserts that no year was fetched twice on a day, and none where the evening's prices suffice. */
function assertFewCalls({ fake }: MarketFixture, date: string): void {
  const calls = fake.requests
    .filter(({ path }) => path.startsWith('/historical'))
    .map(({ params }) => params.get('symbol')!);
  assert.deepEqual(calls, [...new Set(calls)], `${date}: a year once a day`);
  if (marketCalendar.isMarketDay(date)) assert.ok(!calls.includes('AAPL'), `${date}: the evening's prices suffice`);
}

/** Asserts that each listing has the last 30 closes, at the latest of the session before a market day. */
async function assertHistoriesComplete(stage: MarketFixture, first: string, date: string): Promise<void> {
  const before = marketCalendar.addMarketDays(date, -1);
  for (const symbol of symbols) {
    const days = (await stage.readCloses(symbol)).map(([day]) => day);
    const expectedDate = symbol === 'AAPL' ? date : lastSession(symbol, before);
    assert.ok(
      days.at(-1)! >= expectedDate,
      `${symbol} has its closes up to ${expectedDate} on ${date}, not to ${days.at(-1)}`,
    );
    const sessions = Array.from({ length: 60 }, (_, index) => shift(first, index)).filter(
      (day) => day <= days.at(-1)! && hoursOf(symbol, day),
    );
    assert.deepEqual(days, sessions.slice(-30), `${symbol} lacks none on ${date}`);
  }
}

test.for([
  ['an ordinary week', '2026-11-09', '2026-11-14'],
  ['Thanksgiving and its half day', '2026-11-24', '2026-12-02'],
  ['the end of summer time', '2026-10-30', '2026-11-04'],
] as const)('writes each close for its own day on every exchange: %s', async ([, from, to], t) => {
  const { stage, first, runJobs, advanceTo, isPast } = await watchListings(t, from);

  for (let date: string = from; date <= to; date = shift(date, 1)) {
    stage.fake.requests.length = 0;
    for (const [time, task, payload] of generateTicks(date)) {
      if (isPast(time)) continue;
      await advanceTo(time);
      await stage.run(task, payload);
      await runJobs();
      if (task === 'market-write-closes') assert.deepEqual(await findWrongCloses(stage), [], time);
    }
    assertFewCalls(stage, date);
    if (marketCalendar.isMarketDay(date)) await assertHistoriesComplete(stage, first, date);
  }
});

/** Watches AAPL. `run` runs a task at a time at which the provider has candles up to a date. */
async function watchApple(t: TestContext) {
  const stage = await setUpMarketFixture(t);
  const getDays = (to: string): [string, number][] =>
    ['2026-11-12', '2026-11-13', '2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20']
      .filter((day) => day <= to)
      .map((day) => [day, getClose('AAPL', day)]);
  const setTime = (time: string, candlesTo: string) => {
    stage.setTime(time);
    stage.fake.state.candles.set('AAPL', createFmpCandles('AAPL', getDays(candlesTo)));
    const session = lastSession('AAPL', time.slice(0, 10), Date.parse(time));
    const previous = lastSession('AAPL', shift(session, -1));
    const timestamp = Math.min(Date.parse(time), hoursOf('AAPL', session)!.close) / 1_000;
    const quote = createFmpQuote('AAPL', getClose('AAPL', session), getClose('AAPL', previous), { timestamp });
    stage.fake.state.quotes.set('AAPL', quote);
  };
  const run = async (time: string, task: string, candlesTo: string) => {
    setTime(time, candlesTo);
    await stage.run(task, task === 'market-backfill' ? { symbol: 'AAPL' } : {});
  };
  const passHours = (hours: number) =>
    stage.db.owner(`update market.backfills set done_at = done_at - $1 * interval '1 hour'`, [hours]);
  setTime('2026-11-18T02:30:00Z', '2026-11-16');
  await addToWatchlist(stage, 'AAPL');
  return { getDays, run, passHours, readCloses: () => stage.readCloses('AAPL'), removeJobs: () => removeJobs(stage) };
}

test('refetches the history when a day is missing before the newest close', async (t) => {
  const { getDays, run, passHours, readCloses, removeJobs } = await watchApple(t);

  // On the evening of the 17th the provider has no candle of that day.
  await run('2026-11-18T02:30:00Z', 'market-backfill', '2026-11-16');
  await passHours(19);
  await run('2026-11-18T21:15:00Z', 'market-refresh', '2026-11-17');
  await run('2026-11-18T21:40:00Z', 'market-write-closes', '2026-11-17');
  const lastDays = (await readCloses()).slice(-2).map(([day]) => day);
  assert.deepEqual(lastDays, ['2026-11-16', '2026-11-18']);
  assert.equal((await removeJobs()).length, 0, 'it was fetched less than 20 hours ago');

  await passHours(20);
  await run('2026-11-19T17:40:00Z', 'market-write-closes', '2026-11-18');
  assert.equal((await removeJobs()).length, 1);
  await run('2026-11-19T17:41:00Z', 'market-backfill', '2026-11-18');
  assert.deepEqual(await readCloses(), getDays('2026-11-18'));

  await passHours(24);
  await run('2026-11-19T21:15:00Z', 'market-refresh', '2026-11-18');
  await run('2026-11-19T21:40:00Z', 'market-write-closes', '2026-11-18');
  assert.equal((await removeJobs()).length, 0);
  assert.deepEqual(await readCloses(), getDays('2026-11-19'));
});

const AMERICAN_EXCHANGES = [
  'NASDAQ',
  'NYSE',
  'AMEX',
  'CBOE',
  'PNK',
  'OTC',
  'US',
  'NYSE Arca',
  'Cboe BZX',
  'NASDAQ NMS - GLOBAL MARKET',
  'NEW YORK STOCK EXCHANGE, INC.',
  'NYSE MKT LLC',
  'NYSE ARCA',
  'CBOE BZX U.S. EQUITIES EXCHANGE',
  'OTC MARKETS',
  'NASDAQ/NGS (GLOBAL SELECT MARKET)',
  'Nasdaq Capital Market',
  'NASDAQ NCM',
  'NYSE American, LLC',
  'BATS',
  'BATS EXCHANGE',
  'OQB',
];
const OTHER_EXCHANGES = [
  'TSX',
  'NEO',
  'JPX',
  'ASX',
  'LSE',
  'NASDAQ OMX STOCKHOLM',
  'NASDAQ DUBAI',
  'CBOE CANADA',
  'CBOE EUROPE',
  'BATS EUROPE',
  'NYSE EURONEXT',
  'BIVA/NYSE',
  'TORONTO STOCK EXCHANGE',
  'X',
  '',
  null,
];

describe("closes are written from evening prices for listings on New York's market days", () => {
  test.for<[description: string, exchanges: (string | null)[], written: (string | null)[]]>([
    ['every American exchange', AMERICAN_EXCHANGES, AMERICAN_EXCHANGES],
    ['no other exchange', OTHER_EXCHANGES, []],
  ])('%s', async ([, exchanges, written], t) => {
    const { db } = await setUpMarketFixture(t);

    const rows = await db.owner<{ exchange: string | null }>(
      `select t.exchange from (select exchange from unnest($1::text[]) as exchange) t where ${TRADES_ON_NEW_YORK_DAYS}`,
      [exchanges],
    );

    assert.deepEqual(
      rows.map(({ exchange }) => exchange),
      written,
    );
  });
});
