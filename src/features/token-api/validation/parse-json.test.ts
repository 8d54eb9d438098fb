import assert from 'node:assert/strict';
import { test } from 'vitest';
import fc from 'fast-check';
import { decodeBody } from './decode-body.ts';
import { inspectJson, type ByteRange } from './inspect-json.ts';
import { findFiles, parseJson } from './parse-json.ts';

const base64 = (length: number): string =>
  Buffer.alloc(Math.ceil((length * 3) / 4), 'a file of many bytes, ')
    .toString('base64')
    .slice(0, length);
const FILE = base64(80_000);

function parsed(text: string): unknown {
  const long: ByteRange[] = [];
  const bytes = Buffer.from(text);
  inspectJson(bytes, long);
  return parseJson(bytes, bytes.length === text.length, findFiles(bytes, long));
}

test('returns the value of JSON.parse when files are at any place', () => {
  const member: fc.Arbitrary<unknown> = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom(FILE, `${FILE}AA==`, `${FILE}!`, `${FILE}\n`, `é${FILE}`, `${FILE}"`, base64(65_540)),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      member,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.string({ maxLength: 5 }), tie('value'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 1), (given, indent) => {
      const text = JSON.stringify(given, null, indent);
      assert.deepEqual(parsed(text), JSON.parse(text));
    }),
    { numRuns: 300 },
  );
});

test('preserves long and special keys', () => {
  for (const text of [
    `{"${FILE}":1}`,
    `{"__proto__":"${FILE}"}`,
    `{"__proto__":{"a":["${FILE}"]}}`,
    `"${FILE}"`,
    `[["${FILE}"],"${FILE}"]`,
  ]) {
    assert.equal(JSON.stringify(parsed(text)), text);
  }
  assert.equal(Object.getPrototypeOf(parsed(`{"__proto__":"${FILE}"}`)), Object.prototype);
});

test('reports the position in the sent text when it is not JSON', () => {
  for (const text of [
    `{"a":"${FILE}",}`,
    `{"a":"${FILE}"`,
    `{"a":"${FILE}`,
    `"${FILE}" x`,
    `["${FILE}" "${FILE}"]`,
    `{"a":"${FILE}","b":"\u0001"}`,
  ]) {
    assert.throws(
      () => parsed(text),
      (error: Error) => {
        assert.throws(() => JSON.parse(text), { name: 'SyntaxError', message: error.message });
        return true;
      },
    );
  }
  const rejected = decodeBody(Buffer.from(`{"a":"${FILE}",}`));
  assert.ok(!rejected.ok);
  assert.match(
    rejected.problem.message,
    /^The request body is not valid JSON: trailing comma is not allowed: line 1 column 80008 \(char 80007\)$/,
  );
});
