import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { test, type TestContext } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { listCommands, readSection } from '../../../test/support/page-commands.ts';
import { PROGRAM_PATH, skipWithout } from '../../../test/support/parts.ts';
import { createPoolerFolder, getPoolerTarget, runPgBouncer, startPgBouncer } from '../../../test/support/pgbouncer.ts';
import { runInProcess } from '../../../test/support/run-program.ts';
import { getDatabaseSettings } from '../../../test/support/service.ts';
import { type Config, loadConfig } from '../../config/load-config.ts';
import { createLogger } from '../http/logger.ts';
import { start } from '../../main.ts';
import { openDatabase } from '../../installation/open-database.ts';
import { isTransactionPooled, supportsPreparedStatements } from './check-pooler.ts';
import { connectDatabase } from './connect.ts';
import { readTlsVersion } from './database-identity.ts';
import { createCheckClient } from './disposable-client.ts';
import { buildServiceUrl } from './service-url.ts';

/** Returns the settings of a service whose DB_URL uses a pooler in transaction mode. */
function startPooled(t: TestContext, db: TestDatabase, url: string, more: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tally-pooled-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  const settings = { ...getDatabaseSettings(db), DB_URL: url, DATA_DIR: join(folder, 'data') };
  return loadConfig({ ...settings, ...more });
}

test('detects no pooler and keeps prepared statements when the connection is direct', async (t) => {
  const { urls } = await createTestDatabase(t);
  assert.equal(await isTransactionPooled(urls.service), false);
  assert.equal(await supportsPreparedStatements(urls.service), true);
});

test('treats a pooler in session mode as a direct connection', async (t) => {
  skipWithout(t, 'pgbouncer');
  const url = await startPgBouncer(t, await createTestDatabase(t), 'session');
  assert.equal(await isTransactionPooled(url), false);
});

test('requires DB_WORKER_URL for a worker behind a transaction pooler', async (t) => {
  skipWithout(t, 'pgbouncer');
  const db = await createTestDatabase(t);
  const url = await startPgBouncer(t, db, 'transaction');
  assert.equal(await isTransactionPooled(url), true);
  const errors: [Record<string, string>, RegExp][] = [
    [{}, /^The setting DB_WORKER_URL must be set: the pooler in DB_URL changes connections between transactions/],
    [{ DB_WORKER_URL: url }, /^The setting DB_WORKER_URL must bypass the pooler/],
  ];
  for (const [more, sentence] of errors)
    await assert.rejects(start(startPooled(t, db, url, more)), { name: 'ConfigError', message: sentence });
});

/** Returns the number of prepared statements on the service's connection after some queries. */
async function preparedStatements(config: Config): Promise<number> {
  await using stack = new AsyncDisposableStack();
  const { database } = await openDatabase({ ...config, DB_CONNECTIONS: 1 }, createLogger('silent'), stack);
  const count = `select count(*)::int as number from pg_prepared_statements where name like 'tally\\_%'`;
  await database.service.query(count);
  const [row] = await database.service.query<{ number: number }>(count);
  return row!.number;
}

test('prepares statements when the connection is direct', async (t) => {
  const db = await createTestDatabase(t);
  assert.ok((await preparedStatements(startPooled(t, db, db.urls.authenticator))) > 0);
});

test('prepares no statement when a transaction pooler does not keep them', async (t) => {
  skipWithout(t, 'pgbouncer');
  const db = await createTestDatabase(t);
  const url = await startPgBouncer(t, db, 'transaction');
  if (await supportsPreparedStatements(url)) return t.skip('this pgbouncer keeps prepared statements');
  assert.equal(await preparedStatements(startPooled(t, db, url)), 0);
});

test('is ready and runs jobs behind a transaction pooler with a direct worker URL', async (t) => {
  skipWithout(t, 'pgbouncer');
  const db = await createTestDatabase(t);
  const url = await startPgBouncer(t, db, 'transaction');
  // The login of the service replaces the login in the URL.
  const config = startPooled(t, db, url, { DB_WORKER_URL: db.urls.authenticator });
  const service = await start(config);
  try {
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
    await db.owner(`select graphile_worker.add_job('unknown-to-all', '{}')`);
    await db.owner(`select graphile_worker.add_job('market-refresh-symbol', '{"symbol":"AAPL"}')`);
    const listRemaining = () =>
      db.owner(`select from graphile_worker.jobs where task_identifier = 'market-refresh-symbol'`);
    await eventually(async () => (await listRemaining()).length === 0);
  } finally {
    await service.stop();
  }
});

test('keeps the role of a pooled connection when the TLS version is read', async (t) => {
  skipWithout(t, 'pgbouncer');
  const db = await createTestDatabase(t);
  const url = await startPgBouncer(t, db, 'transaction');
  await using client = createCheckClient(buildServiceUrl(url, getDatabaseSettings(db).DB_SERVICE_ROLE_KEY));
  await client.connect();
  await readTlsVersion(client);
  const { rows } = await client.query('select current_user::text as role');
  assert.deepEqual(rows, [{ role: 'service_role' }]);
});

const root = fileURLToPath(new URL('../../..', import.meta.url));

test('serves by the steps of docs/how-to/external-database.md for PgBouncer', async (t) => {
  skipWithout(t, 'pgbouncer');
  skipWithout(t, 'psql');
  const db = await createTestDatabase(t);
  const page = readFileSync(join(root, 'docs/how-to/external-database.md'), 'utf8');
  const [copy, writeLogins, restart, settings, doctor] = listCommands(readSection(page, 'Use a pooler'));
  const folder = createPoolerFolder(t);
  const run = (command: string): void => {
    const local = command
      .replaceAll('/etc/pgbouncer', folder)
      .replace('postgres://SUPERUSER@db.internal/tally', db.ownerUrl);
    execFileSync('sh', ['-ec', local], { cwd: root, env: { PATH: PROGRAM_PATH }, stdio: 'pipe' });
  };
  run(copy!);
  run(writeLogins!);
  assert.equal(restart, 'systemctl restart pgbouncer');
  const port = await runPgBouncer(t, getPoolerTarget(db), folder);

  const [, password] = /:\/\/[^:]+:([^@]+)@/.exec(db.urls.authenticator)!;
  const local = settings!
    .replaceAll('PASSWORD', password!)
    .replace('127.0.0.1:6432', `127.0.0.1:${port}`)
    .replace(/^(DB_WORKER_URL=).*@db\.internal\/tally$/m, `$1${db.urls.authenticator}`);
  const environment = { ...getDatabaseSettings(db), ...parseEnv(local) };
  const { out, err } = await runInProcess(doctor!.replace('node bin/tally.mjs ', '').split(' '), environment);
  assert.match(out, /^database DB_URL +ok /m, err);
  assert.match(out, /^database DB_WORKER_URL +ok /m);
  // A later client of these connections would meet the statements that were prepared on them.
  const service = buildServiceUrl(environment.DB_URL, environment.DB_SERVICE_ROLE_KEY);
  const clients = Array.from({ length: 5 }, () => createCheckClient(service));
  for (const client of clients) {
    await client.connect();
    await client.query('begin');
  }
  for (const client of clients) {
    assert.deepEqual((await client.query('select name from pg_prepared_statements')).rows, []);
    await client[Symbol.asyncDispose]();
  }

  const { DB_URL, ...others } = environment;
  const config = startPooled(t, db, DB_URL, others);
  assert.equal(await isTransactionPooled(DB_URL), true);
  const started = await start(config);
  t.onTestFinished(() => started.stop());
  assert.equal((await fetch(`${started.url}/readyz`)).status, 200);
});

test('never runs a member’s statement as another behind a transaction pooler', async (t) => {
  skipWithout(t, 'pgbouncer');
  const db = await createTestDatabase(t);
  const url = await startPgBouncer(t, db, 'transaction');
  const service = buildServiceUrl(url, decodeURIComponent(/:\/\/[^:]+:([^@]+)@/.exec(db.urls.service)![1]!));
  const database = connectDatabase({ authenticator: url, service }, { prepare: false });
  t.onTestFinished(() => database.close());
  const whoAmI = `select current_user::text as role, (select auth.jwt()) ->> 'sub' as sub`;
  await Promise.all(
    Array.from({ length: 300 }, async (_, index) => {
      const sub = `user_${index % 7}`;
      const member = database.asMember({ sub });
      const expected = [{ role: 'authenticated', sub }];
      if (index % 3 > 0) return assert.deepEqual(await member.query(whoAmI), expected);
      if (index % 2 > 0)
        return await member.transaction(async (memberSql) => {
          await memberSql.query('select 1');
          assert.deepEqual(await memberSql.query(whoAmI), expected);
        });
      const [row] = await database.service.query<{ role: string }>(whoAmI);
      return assert.equal(row!.role, 'service_role');
    }),
  );
  // Transaction locks are held across the statements and released at its end.
  const order: string[] = [];
  await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      database.service.transaction(async (sql) => {
        await sql.query('select pg_advisory_xact_lock(18)');
        order.push(name);
        await sql.query('select pg_sleep(0.01)');
        order.push(name);
      }),
    ),
  );
  for (let index = 0; index < order.length; index += 2) assert.equal(order[index], order[index + 1]);
});
