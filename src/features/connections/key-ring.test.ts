import assert from 'node:assert/strict';
import { test } from 'vitest';
import fc from 'fast-check';
import { DecryptionError, createKeyRing, type EncryptionContext } from './key-ring.ts';

const OLD = '1'.repeat(64);
const NEW = '2'.repeat(64);
const context: EncryptionContext = { table: 'connection_secrets', idpId: 'user_a', row: 'row', field: 'sealed' };

test('decrypts any text in the context in which it was encrypted', () => {
  const ring = createKeyRing(NEW);
  fc.assert(fc.property(fc.string(), (text) => ring.decrypt(ring.encrypt(text, context), context) === text));
});

test('encrypts a text differently each time, without its content', () => {
  const ring = createKeyRing(NEW);

  assert.notDeepEqual(ring.encrypt('token', context), ring.encrypt('token', context));
  assert.equal(ring.encrypt('access-token', context).includes('access'), false);
});

test('rejects a ciphertext that was moved to another row, member, field or table', () => {
  const ring = createKeyRing(NEW);
  const ciphertext = ring.encrypt('token', context);
  for (const change of [{ table: 'x' }, { idpId: 'user_b' }, { idpId: null }, { row: 'other' }, { field: 'other' }])
    assert.throws(() => ring.decrypt(ciphertext, { ...context, ...change }), DecryptionError, JSON.stringify(change));
});

test('rejects a ciphertext with any changed byte without its content in the error', () => {
  const ring = createKeyRing(NEW);
  const ciphertext = ring.encrypt('a hidden word', context);
  for (let offset = 0; offset < ciphertext.length; offset += 1) {
    const changed = Buffer.from(ciphertext);
    changed[offset]! ^= 1;
    assert.throws(
      () => ring.decrypt(changed, context),
      (error: Error) => error instanceof DecryptionError && !/hidden/.test(error.message),
    );
  }
  for (const length of [0, 1, 5, 17, ciphertext.length - 1])
    assert.throws(() => ring.decrypt(ciphertext.subarray(0, length), context), DecryptionError);
});

test('decrypts with the previous key and reports it as not current', () => {
  const oldCiphertext = createKeyRing(OLD).encrypt('token', context);
  const ring = createKeyRing(NEW, [OLD]);
  assert.equal(ring.decrypt(oldCiphertext, context), 'token');
  assert.equal(ring.isCurrent(oldCiphertext), false);
  assert.equal(ring.isCurrent(ring.encrypt('token', context)), true);
  assert.throws(() => createKeyRing(NEW).decrypt(oldCiphertext, context), DecryptionError);
});
