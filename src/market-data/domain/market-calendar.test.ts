import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'vitest';
import fc from 'fast-check';
import { marketCalendar } from './market-calendar.ts';

/** Figures of the NYSE Group releases of 2024-11-08 and 2025-12-23, with the day of mourning of 2025-01-09. */
const published: Readonly<Record<number, { closed: string; early: string; tradingDays: number }>> = {
  2025: {
    closed: '01-01 01-09 01-20 02-17 04-18 05-26 06-19 07-04 09-01 11-27 12-25',
    early: '07-03 11-28 12-24',
    tradingDays: 250,
  },
  2026: {
    closed: '01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25',
    early: '11-27 12-24',
    tradingDays: 251,
  },
  2027: { closed: '01-01 01-18 02-15 03-26 05-31 06-18 07-05 09-06 11-25 12-24', early: '11-26', tradingDays: 251 },
  2028: { closed: '01-17 02-21 04-14 05-29 06-19 07-04 09-04 11-23 12-25', early: '07-03 11-24', tradingDays: 251 },
};

const DAY_MS = 86_400_000;
const listDates = (year: number): string[] =>
  Array.from({ length: (Date.UTC(year + 1, 0, 1) - Date.UTC(year, 0, 1)) / DAY_MS }, (_, day) =>
    new Date(Date.UTC(year, 0, 1) + day * DAY_MS).toISOString().slice(0, 10),
  );

for (const [year, expected] of Object.entries(published)) {
  test(`equals the published calendar of ${year}`, () => {
    const days = listDates(Number(year)).map((date) => ({ date, ...marketCalendar.getTradingDay(date) }));
    const isWeekend = (date: string): boolean => [0, 6].includes(new Date(`${date}T12:00:00Z`).getUTCDay());
    assert.equal(
      days
        .filter(({ date, kind }) => kind === 'closed' && !isWeekend(date))
        .map(({ date }) => date.slice(5))
        .join(' '),
      expected.closed,
    );
    assert.equal(
      days
        .filter(({ kind }) => kind === 'half')
        .map(({ date }) => date.slice(5))
        .join(' '),
      expected.early,
    );
    assert.equal(days.filter(({ kind }) => kind !== 'closed').length, expected.tradingDays);
    assert.ok(days.filter(({ date }) => isWeekend(date)).every(({ kind }) => kind === 'closed'));
  });
}

test.each([
  ['before the day', '2026-11-20T08:59:59Z', 'closed', '2026-11-20T09:00:00Z'],
  ['at the beginning of the day', '2026-11-20T09:00:00Z', 'pre', '2026-11-20T14:30:00Z'],
  ['at the opening', '2026-11-20T14:30:00Z', 'open', '2026-11-20T21:00:00Z'],
  ['a second before the close', '2026-11-20T20:59:59Z', 'open', '2026-11-20T21:00:00Z'],
  ['at the close', '2026-11-20T21:00:00Z', 'post', '2026-11-21T01:00:00Z'],
  ['at the end of a Friday', '2026-11-21T01:00:00Z', 'closed', '2026-11-23T09:00:00Z'],
  // Daylight saving time begins on 2026-03-08, so the next Monday opens an hour earlier in UTC.
  ['before summer time', '2026-03-06T14:29:00Z', 'pre', '2026-03-06T14:30:00Z'],
  ['on the day when summer time begins', '2026-03-08T12:00:00Z', 'closed', '2026-03-09T08:00:00Z'],
  ['at the opening in summer time', '2026-03-09T13:30:00Z', 'open', '2026-03-09T20:00:00Z'],
  ['at the last close in summer time', '2026-10-30T20:00:00Z', 'post', '2026-10-31T00:00:00Z'],
  ['on the day when summer time ends', '2026-11-01T06:30:00Z', 'closed', '2026-11-02T09:00:00Z'],
  ['before the opening in winter time', '2026-11-02T14:29:59Z', 'pre', '2026-11-02T14:30:00Z'],
  ['before the early close of a half day', '2026-11-27T17:59:00Z', 'open', '2026-11-27T18:00:00Z'],
  ['at the early close of a half day', '2026-11-27T18:00:00Z', 'post', '2026-11-27T22:00:00Z'],
  ['at the end of a half day', '2026-11-27T22:00:00Z', 'closed', '2026-11-30T09:00:00Z'],
  ['on Thanksgiving', '2026-11-26T16:00:00Z', 'closed', '2026-11-27T09:00:00Z'],
  ['on a day of mourning', '2025-01-09T16:00:00Z', 'closed', '2025-01-10T09:00:00Z'],
  ['on the last day of a year', '2027-12-31T20:00:00Z', 'open', '2027-12-31T21:00:00Z'],
])('returns the session and its end %s', (_description, instant, session, next) => {
  assert.equal(marketCalendar.getMarketSession(new Date(instant)), session);
  assert.equal(marketCalendar.getNextChange(new Date(instant)).toISOString(), next.replace('Z', '.000Z'));
});

test.each([
  ['over a holiday', '2026-11-25', '2026-11-27', 1],
  ['of no length', '2026-11-20', '2026-11-20', 0],
  ['over a weekend', '2026-11-20', '2026-11-23', 1],
  ['from a Saturday', '2026-11-21', '2026-11-23', 1],
  ['within a weekend', '2026-11-21', '2026-11-22', 0],
  ['over a holiday and a half day', '2026-11-20', '2026-12-02', 7],
  ['into the past', '2026-12-02', '2026-11-20', -7],
  ['of a year', '2024-12-31', '2025-12-31', 250],
])('counts the market days of a span %s', (_description, from, to, days) => {
  assert.equal(marketCalendar.countMarketDays(from, to), days);
});

const arbitraryInstant = fc.date({
  min: new Date('2023-01-01T00:00:00Z'),
  max: new Date('2034-12-31T00:00:00Z'),
  noInvalidDate: true,
});
const dates = arbitraryInstant.map((instant) => instant.toISOString().slice(0, 10));

test('keeps a session constant until its next change', () => {
  fc.assert(
    fc.property(arbitraryInstant, (instant) => {
      const session = marketCalendar.getMarketSession(instant);
      const change = marketCalendar.getNextChange(instant);
      assert.ok(change > instant);
      assert.equal(marketCalendar.getMarketSession(new Date(change.getTime() - 1)), session);
      assert.notEqual(marketCalendar.getMarketSession(change), session);
    }),
    { numRuns: 300 },
  );
});

test('counts the same market days between two dates as it adds to the first', () => {
  fc.assert(
    fc.property(dates, fc.integer({ min: -60, max: 60 }), (date, days) => {
      const start = marketCalendar.addMarketDays(date, 0);
      const reached = marketCalendar.addMarketDays(start, days);
      assert.ok(marketCalendar.isMarketDay(reached));
      assert.equal(marketCalendar.countMarketDays(start, reached), days);
    }),
    { numRuns: 200 },
  );
});

test('counts as many market days in a span as in its two parts', () => {
  fc.assert(
    fc.property(fc.array(dates, { minLength: 3, maxLength: 3 }), (three) => {
      const [a, b, c] = [...three].sort() as [string, string, string];
      if (Date.parse(c) - Date.parse(a) > 900 * DAY_MS) return;
      assert.equal(
        marketCalendar.countMarketDays(a, b) + marketCalendar.countMarketDays(b, c),
        marketCalendar.countMarketDays(a, c),
      );
    }),
    { numRuns: 200 },
  );
});

test('has a market day with hours at least every five calendar days', () => {
  fc.assert(
    fc.property(dates, (date) => {
      const day = marketCalendar.addMarketDays(date, 0);
      const next = marketCalendar.addMarketDays(day, 1);
      assert.ok((Date.parse(next) - Date.parse(day)) / DAY_MS <= 5);
      assert.equal(marketCalendar.getTradingHours(day)!.close > marketCalendar.getTradingHours(day)!.open, true);
    }),
    { numRuns: 200 },
  );
});

test('returns equal sessions for servers in UTC, Asia/Tokyo and Pacific/Auckland', () => {
  const program = `
    import { marketCalendar as calendar } from ${JSON.stringify(new URL('./market-calendar.ts', import.meta.url).href)};
    const out = [];
    for (const day of ['2026-03-06', '2026-03-08', '2026-11-01', '2026-11-26', '2027-12-31'])
      for (let at = Date.parse(day + 'T00:00:00Z'), end = at + 3 * 86400000; at < end; at += 900000) {
        const instant = new Date(at);
        out.push([calendar.toNewYorkDate(instant), calendar.getMarketSession(instant),
          calendar.getNextChange(instant).toISOString(), calendar.getLastClosedDay(instant)].join());
      }
    process.stdout.write(out.join(';') + '|' + new Date(2026, 0, 1).toISOString());`;
  const answers = ['UTC', 'Asia/Tokyo', 'Pacific/Auckland', 'America/New_York'].map((zone) => {
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      env: { ...process.env, TZ: zone, LC_ALL: 'ar_EG.UTF-8' },
      encoding: 'utf8',
    });
    assert.equal(child.status, 0, child.stderr);
    return child.stdout.split('|') as [string, string];
  });
  assert.equal(
    new Set(answers.map(([, localMidnight]) => localMidnight)).size,
    4,
    'the children ran in four time zones',
  );
  assert.equal(answers[0]![0].split(';').length, 5 * 3 * 96);
  for (const [days] of answers) assert.equal(days, answers[0]![0]);
});
