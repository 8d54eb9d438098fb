import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { fileURLToPath } from 'node:url';
import { migrate } from '../src/database/migrate.ts';
import { migrationNames, MIGRATIONS } from '../src/database/migration-files.ts';
import { migrateJobs } from '../src/jobs/migrate-jobs.ts';
import { createTestDatabase, type TestDatabase } from './support/database.ts';

const FILE = '20260916_01_demo_access_invitations.sql';
const TABLES = ['demo_access_invitations', 'demo_access_audit'];

/** What a table is: columns, constraints, indexes, row-level security, comment and rights. */
const shapeOf = (db: TestDatabase) =>
  Promise.all(
    TABLES.map(async (table) => ({
      table,
      columns: await db.owner(
        `select column_name, data_type, is_nullable, column_default, is_identity from information_schema.columns
          where table_name = $1 order by ordinal_position`,
        [table],
      ),
      constraints: await db.owner(
        `select conname, pg_get_constraintdef(oid) as definition from pg_constraint
          where conrelid = $1::regclass order by 1`,
        [table],
      ),
      indexes: await db.owner(`select indexname, indexdef from pg_indexes where tablename = $1 order by 1`, [table]),
      rest: await db.owner(
        `select relrowsecurity, obj_description(oid, 'pg_class') as comment,
                (select array_agg(a.grantee::regrole::text || ' ' || a.privilege_type order by 1)
                   from aclexplode(relacl) a where a.grantee <> relowner) as rights
           from pg_class where oid = $1::regclass`,
        [table],
      ),
    })),
  );

test('the sign-in links of an installation that has every later migration are those of a new one', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'tally-without-'));
  t.onTestFinished(() => rm(directory, { recursive: true }));
  const others = (await migrationNames()).filter((name) => name !== FILE);
  assert.ok(others.some((name) => name > FILE) && others.some((name) => name < FILE));
  for (const name of others) await copyFile(fileURLToPath(new URL(name, MIGRATIONS)), join(directory, name));
  const late = await createTestDatabase(t, { template: 'template0' });
  await migrate(late.ownerUrl, { directory, afterwards: migrateJobs });
  await late.owner(`
    insert into public.all_users (idp_id) values ('user_a'), ('user_demo');
    insert into public.accounts (idp_id, name) values ('user_a', 'Cash');
    insert into public.deleted_members (idp_id_hash) values (sha256('user_gone'))`);
  const rows = () =>
    late.owner(
      `select (select json_agg(u) from public.all_users u)::text as members,
              (select json_agg(a) from public.accounts a)::text as accounts,
              (select json_agg(d) from public.deleted_members d)::text as deleted`,
    );
  const before = await rows();
  assert.deepEqual((await migrate(late.ownerUrl, { afterwards: migrateJobs })).applied, [FILE]);
  assert.deepEqual(await rows(), before);
  assert.deepEqual(await shapeOf(late), await shapeOf(await createTestDatabase(t)));

  const { service } = late.database;
  await service.query(`insert into public.demo_access_invitations (label, idp_user_id) values ('Ada', 'user_demo')`);
  await service.query(`insert into public.demo_access_audit (actor, action, outcome) values ('operator', 'a', 'ok')`);
  assert.equal((await service.query('select id from public.demo_access_invitations')).length, 1);
});

test('nobody but the server sees the links, and nobody changes or removes an entry of the audit', async (t) => {
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
