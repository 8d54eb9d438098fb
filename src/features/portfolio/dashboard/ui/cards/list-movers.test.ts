import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { HeldPosition } from '../../../holdings/ui/page/list-positions.ts';
import { listMovers } from './list-movers.ts';

const createPosition = (symbol: string, change: number | null) => ({ symbol, change_1d: change }) as HeldPosition;

test('lists the largest moves first and counts positions without a day change', () => {
  const { movers, withoutChange } = listMovers([
    createPosition('A', 0.4),
    createPosition('FUND', null),
    createPosition('B', -3),
    createPosition('C', 0),
    createPosition('D', 2.5),
  ]);
  assert.deepEqual(
    movers.map(({ symbol }) => symbol),
    ['B', 'D', 'A'],
  );
  assert.equal(withoutChange, 1);
});
