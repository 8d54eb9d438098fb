import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createTestDatabase } from '../../../test/support/database.ts';
import { claimOverdueConnections } from './queries.ts';

test('claims each overdue connection once when two callers claim at once', async (t) => {
  const { owner, database } = await createTestDatabase(t);
  await owner(`insert into public.all_users (idp_id) select 'user_' || n from generate_series(1, 20) n`);
  await owner(
    `insert into public.connections (idp_id, kind, provider, external_id, institution, sync_attempted_at)
     select 'user_' || n, 'bank', 'plaid', 'item_' || n, 'Bank', now() - n * interval '2 hours'
       from generate_series(1, 20) n`,
  );
  const overdue = await owner<{ id: string }>(
    `select id from public.connections where sync_attempted_at < now() - interval '23 hours' order by sync_attempted_at`,
  );
  const claim = () => claimOverdueConnections(database.service, ['plaid'], 5);
  const claims = await Promise.all([claim(), claim(), claim()]);
  assert.equal(overdue.length, 9);
  assert.deepEqual(claims.map((ids) => ids.length).toSorted(), [0, 4, 5]);
  assert.deepEqual(claims.flat().toSorted(), overdue.map(({ id }) => id).toSorted());
  const first = claims.find((ids) => ids.length === 5)!;
  assert.deepEqual(
    first,
    overdue.slice(0, 5).map(({ id }) => id),
    'oldest first',
  );
});
