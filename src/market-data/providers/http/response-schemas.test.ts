import assert from 'node:assert/strict';
import { test } from 'vitest';
import { z } from 'zod';
import { day, nullableNumber, lenientList, nullableText } from './response-schemas.ts';

test('accepts an object when an optional key is missing', () => {
  const row = z.object({ name: nullableText, price: nullableNumber });
  assert.deepEqual(row.parse({}), { name: null, price: null });
  assert.deepEqual(row.parse({ name: ' A ', price: 1 }), { name: 'A', price: 1 });
  assert.deepEqual(row.parse({ name: 7, price: '1' }), { name: null, price: null });
});

test('rejects a list when no or too many entries are readable', () => {
  const numbers = lenientList(z.number());
  assert.deepEqual(numbers.parse([1, 'x', 2, null]), [1, 2]);
  assert.deepEqual(numbers.parse([]), []);
  for (const none of [['x'], {}, null, undefined, 'x', 3, Array.from({ length: 50_001 }, () => 1)])
    assert.equal(numbers.safeParse(none).success, false);
  assert.equal(numbers.parse(Array.from({ length: 50_000 }, () => 1)).length, 50_000);
});

test('rejects a long list early when its first entries are unreadable', () => {
  let read = 0;
  const entry = z.unknown().refine(() => ++read < 0);
  for (const length of [40_000, 4_000_000])
    assert.equal(lenientList(entry).safeParse(Array.from({ length }, () => 0)).success, false);
  assert.ok(read <= 1_000, `${read} entries were read`);
});

test('rejects a date that does not exist in the calendar', () => {
  for (const date of ['2026-11-30', '2028-02-29', '2026-01-01T09:30:00', '2026-12-31 16:00'])
    assert.equal(day.parse(date), date.slice(0, 10));
  for (const date of [
    '2026-09-31',
    '2026-11-31',
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '0000-01-01',
    '26-01-01',
    '',
  ])
    assert.equal(day.safeParse(date).success, false, date);
});
