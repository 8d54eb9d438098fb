import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Close } from './contract.ts';
import { watchlist, watchlistInSteps } from './contract.ts';
import { foldCloses } from './fold-closes.ts';
import type { ListedWatchlist } from './list-watchlist.ts';
import { unfoldCloses } from './web/unfold-closes.ts';
import { writeList } from './write-list.ts';

const dayAt = (n: number): string => new Date(Date.UTC(2026, 8, 1 + n)).toISOString().slice(0, 10);

/** As PostgreSQL writes it (`[["2026-11-17", 132.1], …]`), or close together. */
const textOf = (closes: readonly Close[], space: string): string =>
  `[${closes.map(([day, close]) => `["${day}",${space}${close}]`).join(`,${space}`)}]`;

/** A list of rows that each have closes, gaps, another last day, none at all, or are locked. */
function listOf(rows: readonly { closes: string | null; locked: boolean }[]): ListedWatchlist {
  return {
    tier: 'max',
    limit: 250,
    item_count: rows.length,
    locked_count: 0,
    market: null,
    history: 'ok',
    rows: rows.map(({ closes, locked }, index) => {
      const identity = {
        id: crypto.randomUUID(),
        symbol: `S${index}`,
        position: index + 1,
        asset_type: 'stock' as const,
        name: 'A "name", \\ or two',
        logo: null,
        currency: 'USD',
        price_unit: 'currency' as const,
        held: false,
        created_at: '2026-11-18T20:15:00.000Z',
        updated_at: '2026-11-18T20:15:00.000Z',
        next_report: null,
      };
      if (locked) return { item: { ...identity, locked }, closes: null };
      const market = {
        price: 1,
        change_1d: null,
        change_amount: null,
        prev_close: null,
        market_cap: null,
        price_at: null,
        delayed_minutes: 0,
        sample: false,
      };
      return { item: { ...identity, locked, ...market }, closes };
    }),
  };
}

/** Prices as they come: of two decimals; and odd ones: whole, tiny, with more digits than a whole number holds, with an exponent. */
const cents = fc.integer({ min: 0, max: 99_999_999 }).map((whole) => whole / 100);
const odd = fc.oneof(
  cents,
  fc.double({ min: 0, noNaN: true, max: 1e6 }),
  fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: 0, max: 1_000_000 }),
  fc.constantFrom(
    0,
    0.1 + 0.2,
    1e-7,
    5e-324,
    1e21,
    9007199254740991,
    9007199254740994,
    0.0001,
    123456789.12345678,
    1.7976931348623157e308,
  ),
);
/** Any days, or most of the same few, so that rows begin alike and then differ or end. */
const days = fc.oneof(
  fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 30 }),
  fc.subarray([0, 1, 2, 3, 4, 5], { minLength: 4 }),
);
const row = fc.record({
  closes: fc.option(
    fc.record({
      days,
      prices: fc.oneof(...[cents, odd].map((price) => fc.array(price, { minLength: 30, maxLength: 30 }))),
      space: fc.constantFrom('', ' '),
    }),
    { freq: 5 },
  ),
  locked: fc.boolean(),
});

test('closes in steps say exactly what closes in pairs say: gaps, other last days, no history, locked rows, odd numbers', () => {
  let steps = 0;
  fc.assert(
    fc.property(fc.array(row, { maxLength: 8 }), (rows) => {
      const list = listOf(
        rows.map(({ closes, locked }) => ({
          locked,
          closes:
            closes &&
            textOf(
              closes.days.toSorted((a, b) => a - b).map((day, index): Close => [dayAt(day), closes.prices[index]!]),
              closes.space,
            ),
        })),
      );
      const pairs = watchlist.parse(JSON.parse(writeList(list)));
      const inSteps = watchlistInSteps.parse(JSON.parse(writeList(list, 'steps')));
      assert.deepEqual(unfoldCloses(inSteps), pairs);
      assert.deepEqual(inSteps.close_dates, inSteps.close_dates.toSorted());
      for (const item of inSteps.items) {
        if (item.locked || item.closes === null || Array.isArray(item.closes)) continue;
        assert.equal(item.closes.steps.length, inSteps.close_dates.length);
        steps += 1;
      }
    }),
    { numRuns: 500 },
  );
  // About 400 are: those with plain prices, of the half that is not locked.
  assert.ok(steps > 100, `${steps} rows were in steps at all`);
});

test('closes in pairs come through as they are', () => {
  const pairs = watchlist.parse(
    JSON.parse(writeList(listOf([{ locked: false, closes: textOf([[dayAt(1), 5]], ' ') }]))),
  );
  assert.equal(unfoldCloses(pairs), pairs);
});

test('the dates stand once; a row has the first close, then steps, and null on a day without one', () => {
  const rows = ['[["2026-11-13", 132.1], ["2026-11-16", 132.05], ["2026-11-18", 140]]', '[["2026-11-16", 7]]', null];
  assert.deepEqual(foldCloses(rows), {
    dates: ['2026-11-13', '2026-11-16', '2026-11-18'],
    rows: ['{"decimals":2,"steps":[13210,-5,795]}', '{"decimals":0,"steps":[null,7,null]}', null],
  });
});

test('a row that begins like the one before and then differs, ends or goes on keeps its own days', () => {
  const rows = ['13 16 17', '13 16', '13 17', '13 16 17 18', '16'].map((days_) =>
    textOf(
      days_.split(' ').map((day): Close => [`2026-11-${day}`, Number(day)]),
      ' ',
    ),
  );
  const steps = foldCloses(rows).rows.map((text) => (JSON.parse(text!) as { steps: unknown[] }).steps);
  assert.deepEqual(steps, [
    [13, 3, 1, null],
    [13, 3, null, null],
    [13, null, 4, null],
    [13, 3, 1, 1],
    [null, 16, null, null],
  ]);
});

test('what is not written as expected stays in pairs', () => {
  for (const text of [
    '[["2026-11-13", 1e-7]]',
    '[["2026-11-13", -1]]',
    '[["2026-11-13", 0.30000000000000004]]',
    '[["2026-11-13", 9007199254740993]]',
    '[["2026-11-13", 0.00000000000000000000001]]',
    '[["2026-11-13", 9007199254740991], ["2026-11-16", 0.5]]',
    '[["2026-11-13", null]]',
    '[["2026-11-13" , 1]]',
    '[["2026-11-16", 1], ["2026-11-13", 1]]',
    '[["2026-11-16", 1], ["2026-11-16", 2]]',
    '[["infinity", 1]]',
    '[["2026-11-13", 1',
  ]) {
    assert.deepEqual(foldCloses([text]), { dates: [], rows: [text] });
  }
});
