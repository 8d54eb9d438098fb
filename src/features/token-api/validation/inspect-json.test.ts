import assert from 'node:assert/strict';
import { test } from 'vitest';
import fc from 'fast-check';
import { decodeBody } from './decode-body.ts';
import { MAX_DEPTH } from './body-problems.ts';
import { inspectJson } from './inspect-json.ts';

const find = (text: string): string | undefined => inspectJson(Buffer.from(text));

test('takes the last value when an object repeats a key', () => {
  const decode = (text: string) => decodeBody(Buffer.from(text));
  assert.deepEqual(decode('{"a":1,"b":2,"\\u0061":3}'), { ok: true, value: { a: 3, b: 2 } });
  assert.deepEqual(decode('{"a":{"b":1,"b":[2]}}'), { ok: true, value: { a: { b: [2] } } });
});

test('measures nesting and number up to the limits and rejects deep bodies before parsing', () => {
  const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  assert.equal(find(nested(MAX_DEPTH)), undefined);
  assert.equal(find(nested(MAX_DEPTH + 1)), 'too-deep');
  assert.equal(find(`{"a":${'{"a":'.repeat(MAX_DEPTH)}`), 'too-deep');
  assert.equal(find(`[${'[],'.repeat(10_000)}0]`), undefined);
  assert.equal(find(`[${'{},'.repeat(2_000_000)}0]`), 'too-many-values');
  assert.equal(find(`[${'1,'.repeat(8_000_001)}0]`), 'too-many-values');
  const decoded = decodeBody(Buffer.from(`{"a":${'['.repeat(5_000_000)}`));
  assert.ok(!decoded.ok);
  assert.match(decoded.problem.message, /nested deeper than 1000 levels/);
});

test('accepts text that is not JSON', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      inspectJson(Buffer.from(bytes));
    }),
    { numRuns: 500 },
  );
  const signs = fc.array(fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', 'a', '\\u00', '"a"'), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(signs, (parts) => {
      find(parts.join(''));
    }),
    { numRuns: 2_000 },
  );
});
