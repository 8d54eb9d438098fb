import assert from 'node:assert/strict';
import { test } from 'vitest';
import fc from 'fast-check';
import { createRow } from '../../../test/support/watchlist-rows.ts';
import { type Close, watchlist } from './contract.ts';
import { type ListedWatchlist, serializeWatchlist } from './list-watchlist.ts';
import { toWatchlistItem } from './to-watchlist-item.ts';

const toDate = (n: number): string => new Date(Date.UTC(2026, 8, 1 + n)).toISOString().slice(0, 10);

/** Serializes closes as PostgreSQL does (`[["2026-11-17", 132.1], …]`), or without spaces. */
const toClosesJson = (closes: readonly Close[], space: string): string =>
  `[${closes.map(([day, close]) => `["${day}",${space}${close}]`).join(`,${space}`)}]`;

/** Creates a list whose rows have closes, gaps, another last day or no closes, or are locked. */
function createList(rows: readonly { closes: string | null; locked: boolean }[]): ListedWatchlist {
  return {
    tier: 'max',
    limit: 250,
    item_count: rows.length,
    locked_count: 0,
    market: null,
    history: 'ok',
    rows: rows.map(({ closes, locked }, index) => {
      const row = { id: crypto.randomUUID(), symbol: `S${index}`, position: index + 1, name: 'A "name", \\ or two' };
      return { item: toWatchlistItem(createRow({ ...row, locked }), undefined), closes: locked ? null : closes };
    }),
  };
}

/**
 * Usual prices with two decimals, and unusual prices: whole, tiny, with an exponent, or with more digits than a safe
 * integer.
 */
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
/** Arbitrary days, or mostly equal days, so that rows share a prefix and then differ or end. */
const days = fc.oneof(
  fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 30 }),
  fc.subarray([0, 1, 2, 3, 4, 5], { minLength: 4 }),
);
const row = fc.record({
  closes: fc.option(
    fc.record({
      days,
      prices: fc.oneof(
        fc.array(cents, { minLength: 30, maxLength: 30 }),
        fc.array(odd, { minLength: 30, maxLength: 30 }),
      ),
      space: fc.constantFrom('', ' '),
    }),
    { freq: 5 },
  ),
  locked: fc.boolean(),
});

test('preserves every digit of stored closes in the response', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 8 }), (rows) => {
      const expected = rows.map(
        ({ closes }) =>
          closes &&
          closes.days.toSorted((a, b) => a - b).map((day, index): Close => [toDate(day), closes.prices[index]!]),
      );
      const list = createList(
        rows.map(({ closes, locked }, index) => ({
          locked,
          closes: closes && toClosesJson(expected[index]!, closes.space),
        })),
      );
      const { items } = watchlist.parse(JSON.parse(serializeWatchlist(list)));
      for (const [index, item] of items.entries())
        assert.deepEqual(item.locked ? undefined : item.closes, rows[index]!.locked ? undefined : expected[index]);
    }),
    { numRuns: 500 },
  );
});
