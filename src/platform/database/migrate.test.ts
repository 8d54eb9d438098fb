import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'vitest';
import { queryAsOwner, withDatabase } from '../../../test/support/cluster.ts';
import { runDatabaseChild } from '../../../test/support/database-child.ts';
import { createTestDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { readVersion } from '../http/version.ts';
import { migrate, listPendingMigrations } from './migrate.ts';
import { listMigrationNames } from './migration-files.ts';

/** Creates a database without our objects. The server's roles exist. */
const emptyDatabase = (t: TestContext) => createTestDatabase(t, { template: 'template0' });

async function createFolder(t: TestContext, files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tally-migrations-'));
  t.onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

test('applies each file once in the order of names, even a new older one', async (t) => {
  const { ownerUrl, owner } = await emptyDatabase(t);
  const directory = await createFolder(t, {
    '20260102_01_b.sql': 'insert into log values (2)',
    '20260101_01_a.sql': 'create table log (n int); insert into log values (1)',
  });
  assert.deepEqual(await migrate(ownerUrl, { directory }), { applied: ['20260101_01_a.sql', '20260102_01_b.sql'] });
  assert.deepEqual(await migrate(ownerUrl, { directory }), { applied: [] });
  await writeFile(join(directory, '20260101_02_late.sql'), 'insert into log values (3)');
  assert.deepEqual(await migrate(ownerUrl, { directory }), { applied: ['20260101_02_late.sql'] });
  assert.deepEqual(await owner('select n from log'), [{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test('rejects an applied file by name when it was changed', async (t) => {
  const { ownerUrl, owner } = await emptyDatabase(t);
  const directory = await createFolder(t, { '20260101_01_a.sql': 'create table log (n int)\n' });
  await migrate(ownerUrl, { directory });
  await writeFile(join(directory, '20260101_01_a.sql'), 'create table log (n int)\r\n');
  assert.deepEqual(await migrate(ownerUrl, { directory }), { applied: [] }, 'different line ends are no change');
  await writeFile(join(directory, '20260101_01_a.sql'), 'create table log (n bigint)\n');
  await writeFile(join(directory, '20260101_02_b.sql'), 'insert into log values (1)');
  await assert.rejects(
    migrate(ownerUrl, { directory }),
    /20260101_01_a\.sql was changed after it had been applied; .*new file/,
  );
  assert.deepEqual(await owner('select n from log'), []);
});

test('names file and line and rolls back when a migration fails', async (t) => {
  const { ownerUrl, owner } = await emptyDatabase(t);
  const directory = await createFolder(t, {
    '20260101_01_a.sql': 'create table log (n int);\ninsert into\n  nowhere values (1);',
  });
  await assert.rejects(
    migrate(ownerUrl, { directory }),
    /20260101_01_a\.sql failed at line 3: relation "nowhere" does not exist/,
  );
  assert.deepEqual(await owner(`select to_regclass('log') as log`), [{ log: null }]);
  await writeFile(join(directory, '20260101_01_a.sql'), 'create table log (n int)');
  assert.deepEqual((await migrate(ownerUrl, { directory })).applied.length, 1);
});

test('throws the error of the server when a migration finds a full disk', async (t) => {
  const { ownerUrl } = await emptyDatabase(t);
  const directory = await createFolder(t, {
    '20260101_01_a.sql': `do $$ begin raise exception using errcode = 'disk_full', message = 'could not extend file'; end $$`,
  });
  await assert.rejects(migrate(ownerUrl, { directory }), { code: '53100', message: 'could not extend file' });
});

test('rejects a database that needs a newer version and applies nothing', async (t) => {
  const { ownerUrl, owner } = await emptyDatabase(t);
  const directory = await createFolder(t, {
    '20260101_01_a.sql': '-- minimum version: 0.0.9\ncreate table log (n int)',
    '20260101_02_b.sql': '-- minimum version: 999.10.0\nselect 1',
    '20260101_03_c.sql': '-- minimum version: 999.9.0\nselect 1',
  });
  await migrate(ownerUrl, { directory });
  await writeFile(join(directory, '20260101_04_d.sql'), 'drop table log');
  await assert.rejects(migrate(ownerUrl, { directory }), {
    message:
      `The database needs Tally 999.10.0 or newer, and this is ${readVersion()}: ` +
      'start that version, or restore the backup from before the upgrade.',
  });
  assert.deepEqual(await owner('select n from log'), []);
});

test('rejects a malformed file name', async (t) => {
  const directory = await createFolder(t, { '1_first.sql': 'select 1' });
  await assert.rejects(listMigrationNames(directory), /1_first\.sql must be named YYYYMMDD_NN_name\.sql/);
});

test('reports what a migration raises, not what the server adds', async (t) => {
  const { ownerUrl } = await emptyDatabase(t);
  const directory = await createFolder(t, {
    '20260101_01_a.sql': `drop table if exists missing; do $$ begin raise notice 'Somebody else must do this.'; end $$`,
  });
  const logged: string[] = [];
  const warned: string[] = [];
  await migrate(ownerUrl, {
    directory,
    log: (message) => logged.push(message),
    warn: (message) => warned.push(message),
  });
  assert.deepEqual([logged, warned], [['Applied 20260101_01_a.sql.'], ['Somebody else must do this.']]);
});

test('applies each file once when two processes migrate at once', async (t) => {
  const { ownerUrl, owner } = await emptyDatabase(t);
  const children = [runDatabaseChild('migrate', ownerUrl), runDatabaseChild('migrate', ownerUrl)];
  const answers = await Promise.all(children.map((child) => child.answer));
  const applied = answers.flatMap((answer) => {
    assert.match(answer, /^applied/);
    return answer.split(' ').slice(1).filter(Boolean);
  });
  assert.deepEqual(applied.sort(), await listMigrationNames());
  assert.deepEqual(
    await owner(`select name from tally.migrations order by name`),
    applied.map((name) => ({ name })),
  );
});

test('completes a migration after the previous process was killed', async (t) => {
  const { ownerUrl } = await emptyDatabase(t);
  const blocker = runDatabaseChild('migrate', ownerUrl);
  const holding = `select from pg_locks
    where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`;
  // On a slow machine the other process may finish before it is observed.
  await eventually(async () => blocker.process.exitCode !== null || (await queryAsOwner(ownerUrl, holding)).length > 0);
  assert.ok([null, 0].includes(blocker.process.exitCode), 'failed without a signal');
  blocker.process.kill('SIGKILL');
  await blocker.ended;
  await migrate(ownerUrl);
  assert.deepEqual(await migrate(ownerUrl), { applied: [] });
  assert.deepEqual(
    await queryAsOwner(ownerUrl, 'select name from tally.migrations order by name'),
    (await listMigrationNames()).map((name) => ({ name })),
  );
});

test('lists pending migrations with the service’s login', async (t) => {
  const ready = await createTestDatabase(t);
  assert.deepEqual(await listPendingMigrations(ready.database.service), []);
  await ready.owner(`delete from tally.migrations where name = '20260901_01_roles.sql'`);
  assert.deepEqual(await listPendingMigrations(ready.database.service), ['20260901_01_roles.sql']);
  const empty = await emptyDatabase(t);
  assert.deepEqual(await listPendingMigrations(empty.database.service), await listMigrationNames());
});

test('sets passwords only for our own logins', async (t) => {
  const { ownerUrl, owner, urls } = await createTestDatabase(t);
  const foreignLogin = `foreign_${process.pid}`;
  await owner(`create role ${foreignLogin} login password 'mine'`);
  t.onTestFinished(async () => {
    await queryAsOwner(withDatabase(ownerUrl, 'postgres'), `drop role ${foreignLogin}`);
  });
  await migrate(ownerUrl, {
    logins: { ...urls, authenticator: urls.authenticator.replace('://authenticator:', `://${foreignLogin}:`) },
  });
  const foreignUrl = ownerUrl.replace(/\/\/[^@]*@/, `//${foreignLogin}:mine@`);
  assert.deepEqual(await queryAsOwner(foreignUrl, 'select 1 as one'), [{ one: 1 }]);
  assert.deepEqual(await queryAsOwner(urls.service, 'select 1 as one'), [{ one: 1 }]);
});

test('migrates without a superuser when the roles exist', async (t) => {
  const { owner } = await createTestDatabase(t); // the roles exist from here on
  const name = `operator_${process.pid}`;
  await owner(`create role ${name} login password 'operator'`);
  const external = await emptyDatabase(t);
  t.onTestFinished(async () => {
    await external.drop(); // the role owns its content
    await queryAsOwner(withDatabase(external.ownerUrl, 'postgres'), `drop role ${name}`);
  });
  await external.owner(
    `alter database ${new URL(external.ownerUrl.replace('@/', '@x/')).pathname.slice(1)} owner to ${name}`,
  );
  const operatorUrl = external.ownerUrl.replace(/\/\/[^@]*@/, `//${name}:operator@`);
  assert.deepEqual((await migrate(operatorUrl)).applied, await listMigrationNames());
  assert.equal(await external.database.ping(), true);
});

test('creates the documented roles', async (t) => {
  const { owner } = await createTestDatabase(t);
  const roles = await owner<{ name: string }>(`
    select rolname as name, rolcanlogin as login, rolinherit as inherit, rolbypassrls as bypass, rolsuper as super,
           array(select r.rolname::text from pg_auth_members m join pg_roles r on r.oid = m.roleid
             where m.member = pg_roles.oid order by 1) as may_become
    from pg_roles where rolname in ('anon', 'authenticated', 'service_role', 'authenticator', 'service_authenticator')
      order by 1`);
  const role = (name: string, login: boolean, bypass: boolean, may_become: string[]) => ({
    name,
    login,
    inherit: false,
    bypass,
    super: false,
    may_become,
  });
  assert.deepEqual(roles, [
    role('anon', false, false, []),
    role('authenticated', false, false, []),
    role('authenticator', true, false, ['anon', 'authenticated']),
    role('service_authenticator', true, false, ['authenticated', 'service_role']),
    role('service_role', false, true, []),
  ]);
});

test('grants later objects to the service and not to clients', async (t) => {
  const { database, owner } = await createTestDatabase(t);
  await owner(
    `create table public.fresh (id int generated by default as identity);
     create function public.fresh_count() returns bigint language sql
       set search_path = '' as 'select count(*) from public.fresh'`,
  );
  await database.service.query('insert into public.fresh default values');
  assert.deepEqual(await database.service.query('select public.fresh_count()::int as n'), [{ n: 1 }]);
  const member = database.asMember({ sub: 'user_a' });
  await assert.rejects(member.query('select * from public.fresh'), { code: '42501' });
  await assert.rejects(member.query('select public.fresh_count()'), { code: '42501' });
  await assert.rejects(member.query('create table public.mine ()'), { code: '42501' });
  await assert.rejects(database.service.query(`insert into tally.migrations values ('x', 'y')`), { code: '42501' });
});
