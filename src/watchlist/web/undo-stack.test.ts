import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forgetChanges, offerUndo, undoLast } from './undo-stack.ts';

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

test('what was forgotten is not taken back by a key, and still by its button', () => {
  const undone: string[] = [];
  const button = offerUndo(() => undone.push('it'));
  forgetChanges();
  assert.equal(undoLast(), false);
  button();
  assert.deepEqual(undone, ['it']);
});
