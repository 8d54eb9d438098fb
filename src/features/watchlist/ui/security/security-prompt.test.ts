import assert from 'node:assert/strict';
import { test } from 'vitest';
import { getTickerPrompt } from './security-prompt.ts';

test('asks for the reason of a move or for news, never for advice', () => {
  assert.deepEqual(getTickerPrompt({ symbol: 'AAPL', name: 'Apple Inc.', change_1d: -2.4 }), {
    text: 'Why is Apple (AAPL) moving today?',
    symbol: 'AAPL',
    about: 'why_moving',
  });
  assert.deepEqual(getTickerPrompt({ symbol: 'AAPL', name: 'Apple Inc.', change_1d: 0.2 }), {
    text: 'What’s new with Apple (AAPL)?',
    symbol: 'AAPL',
    about: 'whats_new',
  });
  assert.deepEqual(getTickerPrompt({ symbol: 'VFIAX', name: null, change_1d: null }), {
    text: 'What’s new with VFIAX (VFIAX)?',
    symbol: 'VFIAX',
    about: 'whats_new',
  });
});
