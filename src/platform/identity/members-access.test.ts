import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createTestDatabase } from '../../../test/support/database.ts';
import { deleteMember } from './delete-member.ts';
import { readEmail, upsertMember } from './queries.ts';

const isPermissionDenied = (error: { code?: string }): boolean => error.code === '42501';

test('lets a member read only their own row and write none', async (t) => {
  const { database, distributed } = await createTestDatabase(t);
  const at = new Date();
  for (const name of ['ann', 'bob'])
    await upsertMember(database.service, {
      idpId: `user_${name}`,
      email: `${name}@example.com`,
      createdAt: at,
      updatedAt: at,
    });
  const ann = database.asMember({ sub: 'user_ann' });
  assert.equal(await readEmail(ann), 'ann@example.com');
  assert.deepEqual(await ann.query('select idp_id from public.all_users'), [{ idp_id: 'user_ann' }]);
  assert.deepEqual(await ann.query(`select idp_id from public.all_users where idp_id = 'user_bob'`), []);
  assert.deepEqual(await database.asMember({ sub: 'user_nobody' }).query('select * from public.all_users'), []);
  for (const statement of [
    `insert into public.all_users (idp_id) values ('user_eve')`,
    `update public.all_users set email = 'x@example.com' where idp_id = 'user_ann'`,
    `update public.all_users set idp_id = 'user_bob' where idp_id = 'user_ann'`,
    `delete from public.all_users where idp_id = 'user_ann'`,
    `truncate public.all_users`,
  ]) {
    // A cluster lets nobody change a row's member, and says so before it checks rights.
    const isRejection = distributed && statement.includes('set idp_id') ? /partition value/ : isPermissionDenied;
    await assert.rejects(ann.query(statement), isRejection, statement);
  }
  await database.service.transaction((sql) => deleteMember(sql, 'user_ann'));
  assert.equal(await readEmail(ann), null);
});

test('hides the provider’s state and the webhook inbox from members', async (t) => {
  const { database, owner } = await createTestDatabase(t);
  const tables = await owner<{ name: string }>(
    `select format('idp.%I', tablename) as name from pg_tables where schemaname = 'idp'`,
  );
  assert.ok(tables.length >= 6);
  for (const { name } of [...tables, { name: 'public.identity_webhook_deliveries' }]) {
    for (const statement of [`select * from ${name}`, `delete from ${name}`, `insert into ${name} default values`]) {
      await assert.rejects(database.asMember({ sub: 'user_ann' }).query(statement), isPermissionDenied, statement);
    }
  }
});
