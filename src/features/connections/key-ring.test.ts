import assert from 'node:assert/strict';
import { test } from 'vitest';
import fc from 'fast-check';
import { CannotOpen, createKeyRing, type SealedPlace } from './key-ring.ts';

const [OLD, NEW] = ['1'.repeat(64), '2'.repeat(64)];
const place: SealedPlace = { table: 'connection_secrets', idpId: 'user_a', row: 'row', field: 'sealed' };

test('what was sealed opens where it was sealed for, and no two sealings are alike', () => {
  const ring = createKeyRing(NEW);
  fc.assert(fc.property(fc.string(), (text) => ring.open(ring.seal(text, place), place) === text));
  assert.notDeepEqual(ring.seal('token', place), ring.seal('token', place));
  assert.equal(ring.seal('access-token', place).includes('access'), false);
});

test('a sealed text that was moved to another row, member, field or table is refused', () => {
  const ring = createKeyRing(NEW);
  const sealed = ring.seal('token', place);
  for (const change of [{ table: 'x' }, { idpId: 'user_b' }, { idpId: null }, { row: 'other' }, { field: 'other' }])
    assert.throws(() => ring.open(sealed, { ...place, ...change }), CannotOpen, JSON.stringify(change));
});

test('a sealed text with any changed byte is refused, and no error repeats what is inside', () => {
  const ring = createKeyRing(NEW);
  const sealed = ring.seal('a hidden word', place);
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at]! ^= 1;
    assert.throws(
      () => ring.open(changed, place),
      (error: Error) => error instanceof CannotOpen && !/hidden/.test(error.message),
    );
  }
  for (const length of [0, 1, 5, 17, sealed.length - 1])
    assert.throws(() => ring.open(sealed.subarray(0, length), place), CannotOpen);
});

test('while keys are rotated the previous one still opens, and is known to be no longer current', () => {
  const before = createKeyRing(OLD).seal('token', place);
  const ring = createKeyRing(NEW, [OLD]);
  assert.equal(ring.open(before, place), 'token');
  assert.equal(ring.isCurrent(before), false);
  assert.equal(ring.isCurrent(ring.seal('token', place)), true);
  assert.throws(() => createKeyRing(NEW).open(before, place), CannotOpen);
});
