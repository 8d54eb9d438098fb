import assert from 'node:assert/strict';
import { test } from 'vitest';
import { defaultView, parseView } from './portfolio-view.ts';

test('reads a stored view', () => {
  const view = { sort: { column: 'gain', descending: false }, grouping: 'class', hiddenColumns: ['account'] };
  assert.deepEqual(parseView(JSON.stringify(view)), view);
});

test.for([
  null,
  '',
  'null',
  '7',
  '{"sort":{"column":"toString","descending":true},"grouping":"constructor"}',
  '{"sort":{"column":"gain"},"hiddenColumns":["holding","age",3]}',
])('returns the default view when the stored one is %s', (stored) => {
  assert.deepEqual(parseView(stored), defaultView);
});
