import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { hashApiKey, isApiKeyFormat, generateApiKey } from './api-key.ts';
import { createApiKey, MEMBER_KEY_LIMIT, seedApiKey } from './create-api-key.ts';
import { findKeyHolders, listApiKeys, updateLastUsed } from './queries.ts';
import { revokeApiKey } from './revoke-api-key.ts';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  await testDatabase.owner(`insert into public.all_users (idp_id) values ('user_a'), ('user_b')`);
});
afterAll(() => testDatabase.drop());
const sql = () => testDatabase.database.service;

describe('API keys', () => {
  test('rejects every other text when checking the format of 256 random bits', () => {
    const keys = new Set(Array.from({ length: 1_000 }, generateApiKey));
    assert.equal(keys.size, 1_000);
    for (const key of keys) {
      assert.ok(isApiKeyFormat(key));
      assert.equal(Buffer.from(key.slice('sk-tally-'.length), 'base64url').length, 32);
    }
    for (const text of [
      '',
      'sk-tally-',
      `${generateApiKey()}x`,
      generateApiKey().slice(0, -1),
      generateApiKey().replace('-tally-', '-other-'),
    ])
      assert.ok(!isApiKeyFormat(text));
  });

  test('stores only the hash of a key', async () => {
    const created = await createApiKey(sql(), { organisation: 'Acme', usageTier: 3 }, 'laptop');
    assert.ok(created.ok);
    const dump = JSON.stringify(
      await testDatabase.owner(`select row_to_json(k) from public.api_keys k where id = $1`, [created.row.id]),
    );
    assert.ok(!dump.includes(created.key.slice(9, -4)));
    assert.ok(dump.includes(hashApiKey(created.key)));
    assert.deepEqual(
      [created.row.organisation, created.row.usage_tier, created.row.hint],
      ['Acme', 3, created.key.slice(-4)],
    );
  });

  test('changes the tier of an organization only when a tier is given', async () => {
    const first = await createApiKey(sql(), { organisation: 'Tiers', usageTier: 2 }, 'a');
    const second = await createApiKey(sql(), { organisation: 'Tiers' }, 'b');
    assert.ok(first.ok && second.ok);
    assert.equal(first.row.organisation_id, second.row.organisation_id);
    assert.equal(second.row.usage_tier, 2);
    const third = await createApiKey(sql(), { organisation: 'Tiers', usageTier: 4 }, 'c');
    assert.ok(third.ok && third.row.usage_tier === 4);
  });

  test('keeps the first revocation time when a key is revoked again', async () => {
    const key = await seedApiKey(sql());
    const [holder] = await findKeyHolders(sql(), [hashApiKey(key), hashApiKey(generateApiKey())]);
    assert.equal(holder?.usage_tier, 4);
    const revoked = await revokeApiKey(sql(), holder.id);
    assert.ok(revoked?.revoked_at);
    assert.deepEqual((await revokeApiKey(sql(), holder.id))?.revoked_at, revoked.revoked_at);
    assert.deepEqual(await findKeyHolders(sql(), [hashApiKey(key)]), []);
    assert.equal(await revokeApiKey(sql(), 'no-uuid'), undefined);
    assert.equal(await revokeApiKey(sql(), '00000000-0000-0000-0000-000000000000'), undefined);
  });

  test('updates the last use at most once a minute', async () => {
    const created = await createApiKey(sql(), { organisation: 'Uses' }, 'a');
    assert.ok(created.ok);
    await updateLastUsed(sql(), [created.row.id]);
    const used = async () => (await listApiKeys(sql())).find((row) => row.id === created.row.id)!.last_used_at;
    const first = await used();
    assert.ok(first);
    await updateLastUsed(sql(), [created.row.id]);
    assert.deepEqual(await used(), first);
  });

  test('limits a member to 20 keys that only the member can see and revoke', async () => {
    const results = await Promise.all(
      Array.from({ length: MEMBER_KEY_LIMIT + 5 }, (_, index) =>
        createApiKey(sql(), { memberIdpId: 'user_a' }, `key ${index}`),
      ),
    );
    const createdKeys = results.filter((result) => result.ok);
    assert.equal(createdKeys.length, MEMBER_KEY_LIMIT);
    assert.equal(new Set(createdKeys.map((result) => result.row.organisation_id)).size, 1);
    assert.deepEqual(createdKeys[0]!.row.usage_tier, 1);
    assert.equal(await revokeApiKey(sql(), createdKeys[0]!.row.id, 'user_b'), undefined);
    assert.deepEqual(await listApiKeys(sql(), 'user_b'), []);
    assert.ok(await revokeApiKey(sql(), createdKeys[0]!.row.id, 'user_a'));
    assert.ok((await createApiKey(sql(), { memberIdpId: 'user_a' }, 'again')).ok);
  });
});
