import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createTestDatabase } from '../../../test/support/database.ts';
import { getOrCreateSecrets } from './shared-secrets.ts';

test('agrees on the stored secrets when processes start at once', async (t) => {
  const { database, owner } = await createTestDatabase(t);
  const names = ['idp_secret_key', 'idp_webhook_secret'] as const;
  const getOrCreate = (value: string) =>
    getOrCreateSecrets(database.service, names, () => ({
      idp_secret_key: `key ${value}`,
      idp_webhook_secret: `secret ${value}`,
    }));
  const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => getOrCreate(String(index))));
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
  assert.deepEqual(await getOrCreate('later'), answers[0]);
  assert.deepEqual(
    await getOrCreateSecrets(database.service, ['idp_secret_key', 'one_more'], () => ({
      idp_secret_key: 'another',
      one_more: 'new',
    })),
    { idp_secret_key: answers[0]!.idp_secret_key, one_more: 'new' },
    'a later version adds what it needs',
  );
  assert.equal((await owner('select from tally.shared_secrets')).length, 3);
});

test('needs no proposal when every secret is stored', async (t) => {
  const { database } = await createTestDatabase(t);
  const stored = await getOrCreateSecrets(database.service, ['idp_secret_key'], () => ({ idp_secret_key: 'stored' }));
  const failToPropose = () => assert.fail('proposed');
  assert.deepEqual(await getOrCreateSecrets(database.service, ['idp_secret_key'], failToPropose), stored);
});
