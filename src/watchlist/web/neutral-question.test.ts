import assert from 'node:assert/strict';
import { test } from 'node:test';
import { neutralQuestion } from './neutral-question.ts';

test('the assistant is asked why it moves or what is new, never to buy or sell', () => {
  assert.equal(
    neutralQuestion({ symbol: 'AAPL', name: 'Apple Inc.', change_1d: -2.4 }),
    'Why is Apple (AAPL) moving today?',
  );
  assert.equal(
    neutralQuestion({ symbol: 'AAPL', name: 'Apple Inc.', change_1d: 0.2 }),
    'What’s new with Apple (AAPL)?',
  );
  assert.equal(neutralQuestion({ symbol: 'VFIAX', name: null, change_1d: null }), 'What’s new with VFIAX (VFIAX)?');
});
