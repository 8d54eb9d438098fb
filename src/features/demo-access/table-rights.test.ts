import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createTestDatabase } from '../../../test/support/database.ts';

const TABLES = ['demo_access_invitations', 'demo_access_audit'];

test('lets only the server read links and nobody change or delete audit entries', async (t) => {
  const { database } = await createTestDatabase(t);
  await database.service.query(
    `insert into public.demo_access_audit (actor, action, outcome) values ('operator', 'ticket.create', 'intent')`,
  );
  for (const table of TABLES)
    await assert.rejects(database.asMember({ sub: 'user_a' }).query(`select from public.${table}`), { code: '42501' });
  for (const change of ["update public.demo_access_audit set outcome = 'ok'", 'delete from public.demo_access_audit'])
    await assert.rejects(database.service.query(change), { code: '42501' });
  await assert.rejects(database.service.query('truncate public.demo_access_audit'), { code: '42501' });
});
