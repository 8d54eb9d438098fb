import assert from 'node:assert/strict';
import { test } from 'vitest';
import { splitTickers } from './split-tickers.ts';

const find = (text: string, symbols: readonly string[]): string[] =>
  splitTickers(text, symbols).flatMap((chunk) => (chunk.isTicker ? [chunk.text] : []));

test('finds tickers as whole words only', () => {
  assert.deepEqual(find('Top gainers: Apple (AAPL) +2%, T +1%, BRK.B.', ['T', 'AAPL', 'BRK', 'BRK.B']), [
    'AAPL',
    'T',
    'BRK.B',
  ]);
  assert.deepEqual(find('AT&T, VOD.L and BF-B', ['VOD', 'BF', 'AT', 'T']), []);
  assert.deepEqual(find('No ticker here', []), []);
});

test('keeps the whole text', () => {
  const text = 'AAPL and MSFT moved.';
  assert.equal(
    splitTickers(text, ['AAPL', 'MSFT'])
      .map((chunk) => chunk.text)
      .join(''),
    text,
  );
});
