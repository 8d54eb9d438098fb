import assert from 'node:assert/strict';
import { test } from 'vitest';
import { countConcatenated } from '../../src/tokenizer/index.ts';
import { loadPieces } from './load-pieces.ts';
import { markStream, normalize } from './marked-stream.ts';

const SYMBOLS = [
  'a',
  'Ab',
  'S',
  ' ',
  '\n',
  '!',
  "'",
  '\u201c',
  '1',
  '\u00b2',
  '\u0966',
  '\u6587',
  '\u{1f600}',
  '\ufe0f',
  '\u0301',
  '\u2423',
];

function* generateStrings(length: number): Generator<string> {
  if (length === 0) yield '';
  else for (const head of generateStrings(length - 1)) for (const symbol of SYMBOLS) yield head + symbol;
}

for (const vocabulary of ['v3', 'v4.7'] as const) {
  test(`${vocabulary}: counts every edge string like the independent counter`, () => {
    const pieces = loadPieces(vocabulary);
    const differing: string[] = [];
    for (const middle of generateStrings(3)) {
      const text = `q${middle}b`;
      const ourTokens = pieces.countTokens(markStream(normalize(text, vocabulary), vocabulary));
      const counted = countConcatenated([text], vocabulary);
      if (ourTokens !== counted) differing.push(`${JSON.stringify(text)}: script ${ourTokens}, counter ${counted}`);
    }
    assert.deepEqual(differing.slice(0, 10), []);
  });
}
