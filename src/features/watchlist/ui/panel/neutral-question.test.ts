import assert from 'node:assert/strict';
import { test } from 'vitest';
import { neutralQuestion } from './neutral-question.ts';

test('the assistant is asked why it moves or what is new, never to buy or sell', () => {
  assert.deepEqual(neutralQuestion({ symbol: 'AAPL', name: 'Apple Inc.', change_1d: -2.4 }), {
    text: 'Why is Apple (AAPL) moving today?',
    symbol: 'AAPL',
    about: 'why_moving',
  });
  assert.deepEqual(neutralQuestion({ symbol: 'AAPL', name: 'Apple Inc.', change_1d: 0.2 }), {
    text: 'What’s new with Apple (AAPL)?',
    symbol: 'AAPL',
    about: 'whats_new',
  });
  assert.deepEqual(neutralQuestion({ symbol: 'VFIAX', name: null, change_1d: null }), {
    text: 'What’s new with VFIAX (VFIAX)?',
    symbol: 'VFIAX',
    about: 'whats_new',
  });
});
