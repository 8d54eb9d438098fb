// Runs in a process of its own: what stands in for a browser's page are globals.

import assert from 'node:assert/strict';
import { test } from 'vitest';
import '../../../../../test/support/page-stub.ts';
import { createUndo, pushUndo, undoLast } from './undo-stack.ts';

test('changes are taken back one after the other, the last one first, each once', () => {
  const undone: string[] = [];
  pushUndo(() => undone.push('first'));
  const second = pushUndo(() => undone.push('second'));
  pushUndo(() => undone.push('third'));
  assert.equal(undoLast(), true);
  second();
  second();
  assert.equal(undoLast(), true);
  assert.equal(undoLast(), false);
  assert.deepEqual(undone, ['third', 'second', 'first']);
});

test('leaves a change off the stack when a button took it back before it was pushed', () => {
  const undone: string[] = [];
  const entry = createUndo(() => undone.push('removal'));
  entry.run();
  entry.push();
  assert.equal(undoLast(), false);
  assert.deepEqual(undone, ['removal']);
});
