import { test } from 'vitest';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatPythonJson, quoteAscii } from './python-json.ts';

test('writes spaces after commas and colons and sorts keys at every level on request', () => {
  const value = { b: [1, { d: true, c: null }], a: 'x' };
  assert.equal(formatPythonJson(value), '{"b": [1, {"d": true, "c": null}], "a": "x"}');
  assert.equal(formatPythonJson(value, { sortKeys: true }), '{"a": "x", "b": [1, {"c": null, "d": true}]}');
});

test('indents by two spaces with one member per line and closes empty containers', () => {
  assert.equal(
    formatPythonJson({ a: [1, 2], b: {}, c: [] }, { indent: true }),
    '{\n  "a": [\n    1,\n    2\n  ],\n  "b": {},\n  "c": []\n}',
  );
});

test('escapes non-ASCII, astral characters as pairs and lone surrogates unchanged', () => {
  assert.equal(quoteAscii('é 😀 \u007f \ud800 "\\\n'), '"\\u00e9 \\ud83d\\ude00 \\u007f \\ud800 \\"\\\\\\n"');
});

test('writes exponents with two digits and unsupported numbers as null', () => {
  assert.equal(formatPythonJson([1e-7, 1.5, -2, 1e21, 1e100, Number.NaN]), '[1e-07, 1.5, -2, 1e+21, 1e+100, null]');
});

test('omits undefined and excluded members', () => {
  assert.equal(formatPythonJson({ a: undefined, b: 1, c: { b: 2 } }, { omit: (key) => key === 'b' }), '{"c": {}}');
});

test('writes prototype names like other keys', () => {
  assert.equal(formatPythonJson(JSON.parse('{"__proto__": {"constructor": 1}}')), '{"__proto__": {"constructor": 1}}');
});

test('writes any nesting without overflow and with bounded indentation', () => {
  const depth = 200_000;
  const nested: unknown = JSON.parse('['.repeat(depth) + ']'.repeat(depth));
  assert.equal(formatPythonJson(nested).length, 2 * depth);
  assert.ok(formatPythonJson(nested, { indent: true }).length < 5_000_000);
});

test('round-trips a value in both formats', () => {
  fc.assert(
    fc.property(fc.json(), fc.boolean(), fc.boolean(), (json, indent, sortKeys) => {
      const value: unknown = JSON.parse(json);
      assert.deepEqual(JSON.parse(formatPythonJson(value, { indent, sortKeys })), value);
    }),
    { numRuns: 300 },
  );
});
