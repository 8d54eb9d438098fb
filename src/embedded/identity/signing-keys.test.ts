import assert from 'node:assert/strict';
import { test, vi } from 'vitest';
import { setImmediate } from 'node:timers/promises';
import { errors } from 'jose';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { KeyRow } from './key-queries.ts';
import { createKeyRing } from './signing-keys.ts';

/** Returns a key ring with a loaded key, a database whose reads can be delayed or fail, and a stopped clock. */
async function startRing() {
  const clock = { now: 0 };
  vi.spyOn(performance, 'now').mockImplementation(() => clock.now);
  const rows: KeyRow[] = [];
  const database = { reads: 0, read: async () => rows };
  const query = async (text: string, [kid, ...jwks]: string[] = []) => {
    if (!text.startsWith('insert')) {
      database.reads += 1;
      return database.read();
    }
    const [public_jwk, private_jwk] = jwks.map((jwk) => JSON.parse(jwk));
    rows.push({ kid: kid!, public_jwk, private_jwk, retired: false });
    return [];
  };
  const ring = createKeyRing({ query } as unknown as ServiceSql);
  const { kid } = await ring.current();
  const findKey = async (id: string) => ring.verificationKey({ alg: 'RS256', kid: id }, { payload: '', signature: '' });
  const assertAtOnce = async () =>
    assert.notEqual(await Promise.race([findKey(kid), setImmediate('waits')]), 'waits', 'the good token waits');
  clock.now += 2_000;
  database.reads = 0;
  return { clock, rows, database, keyOf: findKey, assertAtOnce };
}

test('verifies a known key at once while unknown ids read the keys once a second', async () => {
  const { clock, rows, database, keyOf: findKey, assertAtOnce } = await startRing();
  const { promise, resolve } = Promise.withResolvers<KeyRow[]>();
  database.read = () => promise;
  const forged = [findKey('ins_forged'), findKey('ins_other')];
  await setImmediate();
  await assertAtOnce();
  resolve(rows);
  for (const forgedKey of forged) await assert.rejects(forgedKey, errors.JWKSNoMatchingKey);
  await assert.rejects(findKey('ins_forged'), errors.JWKSNoMatchingKey);
  assert.equal(database.reads, 1);
  clock.now += 1_001;
  await assert.rejects(findKey('ins_forged'), errors.JWKSNoMatchingKey);
  assert.equal(database.reads, 2);
});

test('verifies a known key while the keys cannot be read', async () => {
  const { clock, database, keyOf: findKey, assertAtOnce } = await startRing();
  database.read = async () => Promise.reject(new Error('The database is unavailable.'));
  for (const reads of [1, 2]) {
    for (const id of ['ins_forged', 'ins_other', 'ins_forged']) {
      await assert.rejects(findKey(id));
      await assertAtOnce();
    }
    assert.equal(database.reads, reads);
    clock.now += 1_001;
  }
});
