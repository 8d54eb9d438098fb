import assert from 'node:assert/strict';
import { test } from 'vitest';
import { formatCount } from './format-count.ts';

test('formats the singular when the count is one, and the plural otherwise', () => {
  assert.deepEqual([formatCount(1, 'row'), formatCount(1234, 'row')], ['1 row', '1,234 rows']);
  assert.deepEqual(
    [1, 2].map((count) => formatCount(count, 'more row is', 'more rows are')),
    ['1 more row is', '2 more rows are'],
  );
});
