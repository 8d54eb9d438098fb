// @module-tag alone
// Runs in a separate process, because the test replaces globals with browser stubs.

import assert from 'node:assert/strict';
import { test } from 'vitest';
import '../../../../../test/support/page-stub.ts';
import { createUndo, pushUndo, undoLast } from './undo-stack.ts';

test('undoes each change once, last change first', () => {
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

test('leaves a change off the stack when a button undid it before the push', () => {
  const undone: string[] = [];
  const entry = createUndo(() => undone.push('removal'));
  entry.run();
  entry.push();
  assert.equal(undoLast(), false);
  assert.deepEqual(undone, ['removal']);
});
