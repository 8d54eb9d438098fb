import assert from 'node:assert/strict';
import { test } from 'vitest';
import { decodeBody } from '../../validation/decode-body.ts';
import { parseRequestText } from './request-text.ts';

for (const [name, text, line, column] of [
  ['a comma is missing', '{\n  "a": 1\n  "b": 2\n}', 3, 3],
  ['a comma is left over', '{\n  "a": 1,\n}', 2, 9],
  ['a quote is missing', '{\n  "a": "b\n}', 2, 10],
  ['a brace is missing', '{\n  "a": [1]', 2, 11],
  ['a comment is given', '{\n  // a\n  "a": 1\n}', 2, 3],
  ['a text follows', '{}\nx', 2, 1],
  ['an emoji precedes the error', '{\n  "a": "😀" x}', 2, 13],
  ['a text holds a tab', '{"a": "b\tc"}', 1, 9],
  ['a surrogate is alone', '{\n  "a": "\\ud800"\n}', 2, 9],
  ['it is no object', '[1]', 1, 1],
] as const)
  test(`rejects a text in the words of the endpoint when ${name}`, () => {
    const parsed = parseRequestText(text);
    const decoded = decodeBody(Buffer.from(text));
    assert.ok(!parsed.ok && !decoded.ok);
    assert.deepEqual(parsed.problem, { message: decoded.problem.message, line, column });
  });

test('rejects nesting beyond 1,000 levels without exhausting the stack', () => {
  assert.equal(parseRequestText(`{"a":${'['.repeat(999)}${']'.repeat(999)}}`).ok, true);
  for (const depth of [1_000, 1_001, 200_000])
    for (const end of ['', `${']'.repeat(depth)}}`]) {
      const parsed = parseRequestText(`{"a":${'['.repeat(depth)}${end}`);
      assert.ok(!parsed.ok && /nested/.test(parsed.problem.message));
    }
});

test('accepts one key in several objects', () => {
  assert.deepEqual(parseRequestText('{"a":{"a":1},"b":[{"a":2},{"a":3}]}'), {
    ok: true,
    value: { a: { a: 1 }, b: [{ a: 2 }, { a: 3 }] },
  });
});

test('replaces a surrogate that is alone in the text, escaped or not', () => {
  assert.deepEqual(parseRequestText('{"a":"\\ud83d\\ude00\u{1f600}\ud83d"}'), {
    ok: true,
    value: { a: '\u{1f600}\u{1f600}\ufffd' },
  });
});
