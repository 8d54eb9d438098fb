import assert from 'node:assert/strict';
import { test } from 'vitest';
import { parseRequestText } from './request-text.ts';

for (const [name, text, line, column, message] of [
  ['a comma is missing', '{\n  "a": 1\n  "b": 2\n}', 3, 3, /comma/],
  ['a comma is left over', '{\n  "a": 1,\n}', 3, 1, /key/],
  ['a quote is missing', '{\n  "a": "b\n}', 2, 8, /quote/],
  ['a brace is missing', '{\n  "a": [1]', 2, 11, /closing brace/],
  ['a comment is given', '{\n  // a\n  "a": 1\n}', 2, 3, /comments/],
  ['a text follows', '{}\nx', 2, 1, /follow|JSON value/],
  ['a text holds a line break', '{"a": "b\tc"}', 1, 7, /control/],
  ['a key is repeated', '{\n  "a": 1,\n  "a": 2\n}', 3, 3, /"a" is repeated/],
  ['a surrogate is alone', '{\n  "a": "\\ud800"\n}', 2, 8, /surrogate/],
  ['it is no object', '[1]', 1, 1, /object/],
] as const)
  test(`rejects a text with its line when ${name}`, () => {
    const parsed = parseRequestText(text);
    assert.ok(!parsed.ok);
    assert.match(parsed.problem.message, message);
    assert.deepEqual([parsed.problem.line, parsed.problem.column], [line, column]);
  });

test('rejects nesting beyond 1,000 levels without exhausting the stack', () => {
  assert.equal(parseRequestText(`{"a":${'['.repeat(999)}${']'.repeat(999)}}`).ok, true);
  for (const depth of [1_001, 200_000]) {
    const parsed = parseRequestText(`{"a":${'['.repeat(depth)}`);
    assert.ok(!parsed.ok && /nested/.test(parsed.problem.message));
  }
});

test('accepts one key in several objects', () => {
  assert.deepEqual(parseRequestText('{"a":{"a":1},"b":[{"a":2},{"a":3}]}'), {
    ok: true,
    value: { a: { a: 1 }, b: [{ a: 2 }, { a: 3 }] },
  });
});
