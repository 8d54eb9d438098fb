// @module-tag slow
import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'vitest';
import { queryAsOwner } from '../../../test/support/cluster.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { serverSecrets } from '../../../test/support/own-server.ts';
import { prepareData } from '../../../test/support/prepared-data.ts';
import { findMissingLogSettings } from './check-statement-log.ts';
import { connectDatabase } from './connect.ts';
import { startEmbedded } from './embedded.ts';
import { startLogRotation } from './embedded-server/rotate-log.ts';
import { migrate } from './migrate.ts';

const CAPS = { rows: 10, bytes: 100_000, cost: Infinity };
const NAME = 'Numbered Swiss account';

/** Starts a server that logs as much as it can, with a member whose account has the name `NAME`. */
async function startVerboseServer(t: TestContext) {
  const dataDir = await mkdtemp(join(tmpdir(), 'tally-log-'));
  await prepareData(dataDir);
  const server = await startEmbedded({ dataDir, secrets: serverSecrets, throwaway: true });
  t.onTestFinished(() => server.stop());
  await migrate(server.ownerUrl, { logins: server.urls });
  const database = connectDatabase(server.urls);
  t.onTestFinished(() => database.close());
  const owner = (text: string) => queryAsOwner(server.ownerUrl, text);
  const readLog = () => readFile(join(dataDir, 'postgres.log'), 'utf8');
  await owner(
    `insert into public.all_users (idp_id, email) values ('user_a', 'a@example.com');
     insert into public.accounts (idp_id, name, balance) values ('user_a', '${NAME}', 10)`,
  );
  for (const setting of ["log_statement = 'all'", 'log_min_duration_statement = 0', 'log_temp_files = 0'])
    await owner(`alter system set ${setting}`);
  await owner("alter system set session_preload_libraries = 'auto_explain'");
  await owner('alter system set auto_explain.log_min_duration = 0');
  await owner('select pg_reload_conf()');
  await eventually(async () => {
    await owner("select 'settings are read' as reported").catch(() => {});
    return /duration: .*plan:[\s\S]*settings are read/.test(await readLog());
  });
  return { owner, readLog, run: (text: string) => database.readOnly!.run('user_a', text, CAPS) };
}

const MEMBERS_TEXT = /marked_|Numbered|accounts where|name::int/;

test('keeps SQL of a member out of the log, whether it fails or not', async (t) => {
  const { readLog, run } = await startVerboseServer(t);

  for (const text of [
    'select name::int from accounts',
    `select 'marked_constant'::date from accounts`,
    'select * from marked_relation',
    `select marked_column from accounts`,
    `select name from accounts where name <> 'marked_constant' order by name`,
  ])
    await run(text);

  assert.doesNotMatch(await readLog(), MEMBERS_TEXT);
});

test("keeps a member's long SQL out of the log when its server process is killed", async (t) => {
  const { owner, readLog, run } = await startVerboseServer(t);

  const query = run('select count(*) from generate_series(1, 50000) marked_a, generate_series(1, 50000) marked_b');
  process.kill(await findAssistantProcess(owner), 'SIGKILL');
  await assert.rejects(query, { code: 'UNAVAILABLE' });
  await eventually(async () => /terminated by signal 9/.test(await readLog()));

  assert.doesNotMatch(await readLog(), MEMBERS_TEXT);
});

/** Waits until a statement of the assistant runs, and returns the id of its process. */
async function findAssistantProcess(owner: (text: string) => Promise<object[]>): Promise<number> {
  const select = `select pid from pg_stat_activity
    where usename = 'assistant_authenticator' and wait_event is distinct from 'ClientRead'`;
  let found: { pid: number } | undefined;
  await eventually(async () => {
    [found] = (await owner(select)) as { pid: number }[];
    return found !== undefined;
  });
  return found!.pid;
}

test('lists the settings of a superuser until the login has them', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tally-log-'));
  await prepareData(dataDir);
  const server = await startEmbedded({ dataDir, secrets: serverSecrets, throwaway: true });
  t.onTestFinished(() => server.stop());
  await queryAsOwner(server.ownerUrl, `create role managed login createrole createdb password 'managed'`);
  await queryAsOwner(server.ownerUrl, 'create database product owner managed');
  const product = (url: string) => url.replace('@/postgres?', '@/product?');
  const warned: string[] = [];
  const owner = product(server.ownerUrl).replace(/\/\/[^@]*@/, '//managed:managed@');
  await migrate(owner, { logins: server.urls, warn: (message) => warned.push(message) });
  assert.match(warned.join('\n'), /assistant_authenticator lacks log_min_messages = fatal, .*a superuser sets/);
  const assistant = product(server.urls.assistant!);
  assert.deepEqual(await findMissingLogSettings(assistant), [
    'log_min_error_statement = panic',
    'log_min_messages = fatal',
    'track_activities = off',
  ]);
  const roles = new URL('../../../deploy/postgresql/roles.sql', import.meta.url);
  const statements = (await readFile(roles, 'utf8')).match(
    /^alter role assistant_authenticator set (log|track)_.*;/gm,
  )!;
  await queryAsOwner(server.ownerUrl, statements.join('\n'));
  assert.deepEqual(await findMissingLogSettings(assistant), []);
});

test("truncates the server's log above its size and keeps its newest part", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tally-log-'));
  t.onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'postgres.log');
  await writeFile(path, `${'old '.repeat(1_000)}newest`);
  const limit = startLogRotation(path, { maxBytes: 1_000, checkMs: 5 });
  t.onTestFinished(() => limit.stop());
  await eventually(async () => (await stat(path)).size === 0);
  const rotatedLog = await readFile(`${path}.1`, 'utf8');
  assert.deepEqual([rotatedLog.length, rotatedLog.endsWith('newest')], [1_000, true]);
  await appendFile(path, 'later');
  assert.equal(await readFile(path, 'utf8'), 'later');
});
