import assert from 'node:assert/strict';
import { test } from 'vitest';
import { isComposing } from './is-composing.ts';

const createKey = (composes: boolean, keyCode: number): KeyboardEvent =>
  ({ key: 'Enter', isComposing: composes, keyCode }) as KeyboardEvent;

test('tells the Enter of a composition, also when it comes after its end', () => {
  assert.equal(isComposing(createKey(true, 13)), true);
  assert.equal(isComposing(createKey(false, 229)), true);
  assert.equal(isComposing(createKey(false, 13)), false);
});
