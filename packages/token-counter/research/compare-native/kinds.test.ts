import assert from 'node:assert/strict';
import { test } from 'vitest';
import { seeded } from '../../../../test/support/seeded.ts';
import { generatorByKind } from './kinds.ts';

test('there are forty kinds; a seed makes the same texts again, and hardly two that are alike', () => {
  assert.equal(Object.keys(generatorByKind).length, 40);
  for (const [name, make] of Object.entries(generatorByKind)) {
    const [one, other] = [seeded(5), seeded(5)];
    const texts = Array.from({ length: 50 }, () => make(one));
    assert.deepEqual(
      texts,
      Array.from({ length: 50 }, () => make(other)),
      name,
    );
    assert.ok(new Set(texts).size > 40, name);
  }
});
