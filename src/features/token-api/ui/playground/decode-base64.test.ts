import assert from 'node:assert/strict';
import { test } from 'vitest';
import fc from 'fast-check';
import { decodeBase64 as decodeInNode } from '../../validation/decode-base64.ts';
import { decodeBase64 } from './decode-base64.ts';

const encoded = fc
  .tuple(fc.uint8Array({ maxLength: 12 }), fc.constantFrom<BufferEncoding>('base64', 'base64url'))
  .map(([bytes, encoding]) => Buffer.from(bytes).toString(encoding));
const damaged = fc.string({ unit: fc.constantFrom('A', 'b', '9', '+', '_', '=', ' ', '\n', 'é'), maxLength: 9 });

test('decodes the texts that the endpoint decodes and no others', () => {
  let decodedTexts = 0;
  fc.assert(
    fc.property(fc.oneof(encoded, damaged), (text) => {
      const expected = decodeInNode(text);
      if (expected) decodedTexts += 1;
      assert.deepEqual(decodeBase64(text), expected && new Uint8Array(expected));
    }),
    { numRuns: 2_000 },
  );
  assert.ok(decodedTexts > 500, `${decodedTexts} decoded`);
});
