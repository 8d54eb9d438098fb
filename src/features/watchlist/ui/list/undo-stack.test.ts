// Runs in a process of its own: what stands in for a browser's page are globals.

import assert from 'node:assert/strict';
import { test } from 'vitest';
import '../../../../../test/support/page-stub.ts';
import { offerUndo, undoLast } from './undo-stack.ts';

test('changes are taken back one after the other, the last one first, each once', () => {
  const undone: string[] = [];
  offerUndo(() => undone.push('first'));
  const second = offerUndo(() => undone.push('second'));
  offerUndo(() => undone.push('third'));
  assert.equal(undoLast(), true);
  second();
  second();
  assert.equal(undoLast(), true);
  assert.equal(undoLast(), false);
  assert.deepEqual(undone, ['third', 'second', 'first']);
});
