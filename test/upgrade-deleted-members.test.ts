import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'vitest';
import { migrate } from '../src/database/migrate.ts';
import { ensureMember } from '../src/identity/queries.ts';
import { migrateJobs } from '../src/jobs/migrate-jobs.ts';
import { databaseBefore } from './support/database-before.ts';

test('members who were marked as deleted become tombstones, and nobody else loses a row', async (t) => {
  const db = await databaseBefore(t, '20261123_01_deleted_members.sql');
  await db.owner(`
    insert into public.all_users (idp_id, deleted_at) values ('user_a', null), ('user_gone', '2026-11-01T12:00:00Z');
    insert into public.accounts (idp_id, name) values ('user_a', 'Cash'), ('user_gone', 'Cash');
    insert into public.analytics_events (idp_id, event, properties)
      values ('user_a', 'one', '{}'), ('user_gone', 'two', '{}'), ('user_unknown', 'three', '{}');
    insert into public.organisations (name, owner_idp_id)
      values ('Personal', 'user_a'), ('Personal', 'user_gone'), ('Operator', null);
    insert into public.api_keys (organisation_id, name, key_hash, hint)
      select id, 'key', sha256(convert_to(coalesce(owner_idp_id, ''), 'UTF8')), 'abcd' from public.organisations`);
  await migrate(db.ownerUrl, { afterwards: migrateJobs });
  const names = async (query: string): Promise<string[]> => (await db.owner<{ n: string }>(query)).map(({ n }) => n);
  assert.deepEqual(await names('select idp_id as n from public.all_users'), ['user_a']);
  assert.deepEqual(await names('select idp_id as n from public.accounts'), ['user_a']);
  assert.deepEqual(await names('select event as n from public.analytics_events'), ['one']);
  assert.deepEqual(
    await names(
      `select coalesce(o.owner_idp_id, o.name) as n
         from public.api_keys k join public.organisations o on o.id = k.organisation_id order by 1`,
    ),
    ['Operator', 'user_a'],
  );
  const hash = createHash('sha256').update('user_gone').digest('hex');
  assert.deepEqual(
    await db.owner(`select encode(idp_id_hash, 'hex') as hash, deleted_at from public.deleted_members`),
    [{ hash, deleted_at: new Date('2026-11-01T12:00:00Z') }],
  );
  assert.equal(await ensureMember(db.database.service, 'user_gone'), false);
});
