import { test } from 'vitest';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { countText } from './index.ts';
import { countContent, type TextFamily } from './tokenizer/index.ts';
import { edgeSymbols } from '../test/edge-strings.ts';

const MODEL_OF: Record<TextFamily, string> = {
  v3: 'claude-haiku-4-5',
  'v4.7': 'claude-opus-4-7',
  v5: 'claude-opus-5',
  'v5-sonnet': 'claude-sonnet-5',
};
const EDGES = [...edgeSymbols, 'B', '  ', 'the ', '.'];

test('counts the prompt around a text like the frame rules, including edge strings', () => {
  // Two independent definitions of the frame: role markers as text here, rules for the ends in the tokenizer.
  const text = fc.oneof(
    fc.array(fc.constantFrom(...EDGES), { maxLength: 8 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(text, fc.constantFrom<TextFamily>('v3', 'v4.7', 'v5', 'v5-sonnet'), (value, family) => {
      assert.equal(countText(value, { model: MODEL_OF[family] }), countContent(value, family), JSON.stringify(value));
    }),
    { numRuns: 2000 },
  );
});

test('counts special-token look-alikes and prototype names as plain text', () => {
  for (const model of Object.values(MODEL_OF)) {
    for (const text of ['<|endoftext|>', '<EOT>', '\n\nHuman:', 'valueOf', 'isPrototypeOf', '__proto__']) {
      assert.ok(countText(text, { model }) >= 1, text);
      assert.ok(countText(`${text} ${text}`, { model }) > countText(text, { model }), text);
    }
  }
});
