import assert from 'node:assert/strict';
import { test } from 'vitest';
import { defaultView, listShownColumns, parseView } from './portfolio-view.ts';

test('reads a stored view', () => {
  const view = {
    sort: { column: 'gain', descending: false },
    grouping: 'class',
    toggledColumns: ['account', 'yield'],
  };
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

test('keeps the columns that an older view hides', () => {
  const view = parseView('{"hiddenColumns":["price"]}');
  assert.deepEqual(listShownColumns({ ...view, grouping: 'none' }), [
    'holding',
    'day',
    'value',
    'gain',
    'weight',
    'account',
  ]);
});

test('shows a column that is hidden by default when the member chooses it', () => {
  const shown = listShownColumns({ ...defaultView, toggledColumns: ['yield', 'day'] });
  assert.deepEqual(shown, ['holding', 'price', 'value', 'gain', 'weight', 'yield']);
});
