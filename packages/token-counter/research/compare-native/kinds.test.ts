import assert from 'node:assert/strict';
import { test } from 'vitest';
import { seeded } from '../../../../test/support/seeded.ts';
import { generatorByKind } from './kinds.ts';

test('repeats its texts with a seed and rarely makes two equal texts of forty kinds', () => {
  assert.equal(Object.keys(generatorByKind).length, 40);
  for (const [name, make] of Object.entries(generatorByKind)) {
    const one = seeded(5);
    const other = seeded(5);
    const texts = Array.from({ length: 50 }, () => make(one));
    assert.deepEqual(
      texts,
      Array.from({ length: 50 }, () => make(other)),
      name,
    );
    assert.ok(new Set(texts).size > 40, name);
  }
});
