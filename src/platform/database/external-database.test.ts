import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { test, type TestContext } from 'vitest';
import { fileURLToPath } from 'node:url';
import { queryAsOwner, withDatabase } from '../../../test/support/cluster.ts';
import { skipWithout } from '../../../test/support/parts.ts';
import { startDedicatedServer } from '../../../test/support/own-server.ts';
import { migrateJobs } from '../jobs/migrate-jobs.ts';
import { createJobs } from '../jobs/jobs.ts';
import { connectDatabase, type Database, type DatabaseUrls } from './connect.ts';
import { migrate, listPendingMigrations } from './migrate.ts';
import { buildServiceUrl } from './service-url.ts';

/** Starts a server without our roles, like an operator's own before the setup. */
async function freshServer(t: TestContext) {
  const server = await startDedicatedServer(t);
  return {
    admin: server.ownerUrl,
    urls: { authenticator: server.urls.authenticator, service: buildServiceUrl(server.urls.authenticator, 'second') },
  };
}

function connectAs(t: TestContext, urls: DatabaseUrls): Database {
  const database = connectDatabase(urls);
  t.onTestFinished(() => database.close());
  return database;
}

async function assertServes(t: TestContext, urls: DatabaseUrls): Promise<void> {
  const database = connectAs(t, urls);
  assert.equal(await database.ping(), true);
  assert.deepEqual(await listPendingMigrations(database.service), []);
  assert.equal(await createJobs(database).isQueueReady(), true);
  assert.deepEqual(
    await database
      .asMember({ sub: 'user_a' })
      .query(`select current_user::text as role, (select auth.jwt()) ->> 'sub' as sub`),
    [{ role: 'authenticated', sub: 'user_a' }],
  );
}

test('creates roles and passwords when a superuser migrates', { tags: ['slow'] }, async (t) => {
  const { admin, urls } = await freshServer(t);
  await migrate(admin, { logins: urls, afterMigrations: migrateJobs });
  await assertServes(t, urls);
  // The migration leaves set_config() to a login of another name, and to no member.
  await assertClosed(t, admin, urls);
  // Existing roles (backups, reports, other services) keep access to what is closed to members.
  await assertOpen(admin);
});

async function assertClosed(t: TestContext, admin: string, urls: DatabaseUrls): Promise<void> {
  await queryAsOwner(
    admin,
    `create role site_login login noinherit password 'third'; grant anon, authenticated to site_login`,
  );
  await queryAsOwner(admin, 'create database product');
  const toProductUrl = (url: string): string => withDatabase(url, 'product');
  await migrate(toProductUrl(admin), { afterMigrations: migrateJobs });
  const site = {
    authenticator: toProductUrl(urls.authenticator).replace(/\/\/[^@]*@/, '//site_login:third@'),
    service: toProductUrl(urls.service),
  };
  await assertServes(t, site);
  await assert.rejects(
    connectAs(t, site).asMember({ sub: 'user_a' }).query(`select set_config('request.jwt.claims', '{}', true)`),
    { code: '42501' },
  );
}

/** Returns the closed objects that this login may use, with an optional role. */
async function listPrivileges(url: string, role?: string): Promise<string[]> {
  const privileges: string[] = [];
  for (const [name, text] of [
    ['set_config', `select pg_catalog.set_config('search_path', '', true)`],
    ['lock', 'select pg_try_advisory_lock_shared(1), pg_advisory_unlock_shared(1)'],
    ['large object', 'select lo_unlink(lo_create(0))'],
    ['temporary', 'create temporary table mine (id int) on commit drop'],
  ] as const) {
    try {
      await queryAsOwner(url, `${role === undefined ? '' : `set role ${role};`} ${text}`);
      privileges.push(name);
    } catch (error) {
      assert.equal((error as { code?: string }).code, '42501', `${text}: ${(error as Error).message}`);
    }
  }
  return privileges;
}

const ALL = ['set_config', 'lock', 'large object', 'temporary'];

const readRepositoryFile = (path: string): Promise<string> =>
  readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** Returns the statements that an administrator runs before the migration, with the passwords that psql inserts. */
async function readRoleStatements(): Promise<string> {
  const passwords: Record<string, string> = {
    authenticator_password: 'first',
    service_role_key: 'second',
    assistant_key: 'third',
  };
  const statements = await readRepositoryFile('deploy/postgresql/roles.sql');
  return statements.replace(/:'(\w+)'/g, (_variable, name: string) => `'${passwords[name]!}'`);
}

/** Returns the migration that a superuser repeats if the owner may not revoke rights of `PUBLIC`. */
const readGuardStatements = (): Promise<string> => readRepositoryFile('db/migrations/20260901_02_client_guards.sql');

async function assertOpen(admin: string): Promise<void> {
  await queryAsOwner(
    admin,
    `create role backup login password 'third' in role pg_read_all_data;
     create role report login noinherit password 'third';
     create role crew nologin; create role visitors nologin; grant visitors to anon; create role editor nologin;
       grant editor to authenticator`,
  );
  await queryAsOwner(admin, 'create database another');
  const product = withDatabase(admin, 'another');
  await migrate(product);
  const urlAs = (login: string): string => product.replace(/\/\/[^@]*@/, `//${login}:third@`);
  assert.deepEqual(
    [
      await listPrivileges(urlAs('backup')),
      await listPrivileges(urlAs('report')),
      await listPrivileges(product, 'crew'),
    ],
    [ALL, ALL, ALL],
  );
  for (const client of ['anon', 'authenticated', 'visitors', 'editor'])
    assert.deepEqual(await listPrivileges(product, client), [], client);
  assert.deepEqual(await listPrivileges(product, 'authenticator'), ['set_config'], 'which it puts a member on with');

  await queryAsOwner(
    product,
    `create role later_backup login password 'third' in role pg_read_all_data;
     create role later login password 'third'`,
  );
  assert.deepEqual(
    [await listPrivileges(urlAs('later_backup')), await listPrivileges(urlAs('later'))],
    [['set_config'], []],
  );
  await queryAsOwner(product, await readGuardStatements());
  assert.deepEqual([await listPrivileges(urlAs('later')), await listPrivileges(product, 'editor')], [ALL, []]);
}

test('warns of open privileges when an owner without superuser uses existing roles', { tags: ['slow'] }, async (t) => {
  const { admin, urls } = await freshServer(t);
  await queryAsOwner(admin, await readRoleStatements());
  await queryAsOwner(admin, `create role operator login password 'third'; create role report login password 'third'`);
  await queryAsOwner(admin, 'create database product owner operator');
  const owner = withDatabase(admin, 'product').replace(/\/\/[^@]*@/, '//operator:third@');
  const product = {
    authenticator: withDatabase(urls.authenticator, 'product'),
    service: withDatabase(urls.service, 'product'),
  };
  const warned: string[] = [];
  await migrate(owner, { logins: product, afterMigrations: migrateJobs, warn: (message) => warned.push(message) });
  await assertServes(t, product);
  assert.deepEqual(
    await connectAs(t, product).service.query(
      `select current_setting('lock_timeout') as waits,
         current_setting('idle_in_transaction_session_timeout') as idles`,
    ),
    [{ waits: '5s', idles: '30s' }],
  );
  assert.match(
    warned.join('\n'),
    /^Members' SQL may call set_config\(\), pg_notify\(\), pg_logical_emit_message\(\), DO, session locks and large objects: a superuser can revoke them, see docs\/how-to\/external-database\.md\.$/m,
  );
  assert.deepEqual(await listPrivileges(withDatabase(admin, 'product'), 'authenticated'), [
    'set_config',
    'lock',
    'large object',
  ]);

  await queryAsOwner(withDatabase(admin, 'product'), await readGuardStatements());
  for (const role of ['authenticated', 'assistant'])
    assert.deepEqual(await listPrivileges(withDatabase(admin, 'product'), role), [], role);
  assert.deepEqual(
    [await listPrivileges(owner), await listPrivileges(owner.replace('//operator:', '//report:'))],
    [ALL, ALL],
  );
  await assertServes(t, product);
  assert.deepEqual((await migrate(owner, { logins: product, afterMigrations: migrateJobs })).applied, []);
});

/** Returns the blocks of commands or settings in a section of docs/how-to/external-database.md. */
async function readBlocks(heading: string): Promise<string[]> {
  const page = await readRepositoryFile('docs/how-to/external-database.md');
  const section = new RegExp(`^## ${heading}\n([^]*?)^## `, 'm').exec(page)![1]!;
  return [...section.matchAll(/^ *```sh\n([^]*?)^ *```/gm)].map((match) => match[1]!);
}

/** Administrators of a server, each with the statement that creates one. */
const administrators = [
  { kind: 'a superuser', role: undefined },
  // Like those of RDS and Aurora.
  { kind: 'no superuser', role: `create role administrator login createrole createdb password 'third'` },
];

test.for(administrators)(
  'migrates and serves by the page’s steps as $kind',
  { tags: ['slow'] },
  async ({ role }, t) => {
    skipWithout(t, 'psql');
    const { admin: superuser } = await freshServer(t);
    if (role !== undefined) await queryAsOwner(superuser, role);
    const admin = role === undefined ? superuser : superuser.replace(/\/\/[^@]*@/, '//administrator:third@');
    const socket = /\?host=.*/.exec(admin)![0];
    const toUserInfo = (url: string): string => /\/\/([^@]*)@/.exec(url)![1]!;
    // The names of the databases are the page's own.
    const toLocal = (text: string): string =>
      text
        .replaceAll(/@db\.internal\/(\w+)/g, (_address, database: string) => `@/${database}${socket}`)
        .replaceAll('//ADMIN@', `//${toUserInfo(admin)}@`)
        .replaceAll('//SUPERUSER@', `//${toUserInfo(superuser)}@`);
    const cwd = fileURLToPath(new URL('../../..', import.meta.url));
    const run = (program: string, args: string[], env: Record<string, string>) =>
      spawnSync(program, args, { cwd, encoding: 'utf8', env: { PATH: process.env['PATH'], ...env } });
    const [commands, settings] = (await readBlocks('Create the database and the roles')) as [string, string];

    assert.equal(run('sh', ['-ec', toLocal(commands)], {}).status, 0);
    const environment = Object.fromEntries(
      settings.trim().split('\n').map((line) => toLocal(line.trim()).split(/=(.*)/s).slice(0, 2) as [string, string]), // prettier-ignore
    );
    const migrateByCommand = () => run(process.execPath, ['bin/tally.mjs', 'migrate'], environment);
    const first = migrateByCommand();
    assert.equal(first.status, 0, first.stderr);
    assert.match(migrateByCommand().stdout, /^The database is up to date\.$/m);
    const authenticator = environment['DB_URL']!;
    await assertServes(t, {
      authenticator,
      service: buildServiceUrl(authenticator, environment['DB_SERVICE_ROLE_KEY']!),
    });

    const product = withDatabase(superuser, 'tally');
    assert.notDeepEqual(await listPrivileges(product, 'assistant'), []);
    const examineMembersSql = (): string => {
      const { stdout } = run(process.execPath, ['bin/tally.mjs', 'doctor'], environment);
      return /^members' SQL +(.*)$/m.exec(stdout)![1]!;
    };
    assert.match(examineMembersSql(), /^warning .*20260901_02_client_guards\.sql/);
    const [guards] = (await readBlocks('Review the privileges')) as [string];
    assert.equal(run('sh', ['-ec', toLocal(guards)], {}).status, 0);
    assert.deepEqual(await listPrivileges(product, 'assistant'), []);
    assert.match(examineMembersSql(), /^ok /);
  },
);
