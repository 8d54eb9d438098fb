// @module-tag slow
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, test, type TestContext } from 'vitest';
import { queryAsOwner, withDatabase } from '../../../test/support/cluster.ts';
import { lintDatabase } from '../../../test/support/database-lints.ts';
import { SITE, sendRequest, TestBrowser } from '../../../test/support/identity.ts';
import { startDedicatedServer } from '../../../test/support/own-server.ts';
import { loadConfig } from '../../config/load-config.ts';
import { migrateJobs } from '../jobs/migrate-jobs.ts';
import { start } from '../../main.ts';
import { connectDatabase } from './connect.ts';
import { migrate } from './migrate.ts';
import { ASSISTANT_LOGIN, buildServiceUrl } from './service-url.ts';

/** Starts a server whose database owner is like that of RDS or Aurora: it may create roles, and is no superuser. */
async function managedServer(t: TestContext) {
  const server = await startDedicatedServer(t);
  await queryAsOwner(server.ownerUrl, `create role managed login createrole createdb nobypassrls password 'managed'`);
  const owned = async (database: string) => {
    await queryAsOwner(server.ownerUrl, `create database ${database} owner managed`);
    const authenticator = withDatabase(server.urls.authenticator, database);
    return {
      superuser: withDatabase(server.ownerUrl, database),
      owner: withDatabase(server.ownerUrl, database).replace(/\/\/[^@]*@/, '//managed:managed@'),
      urls: {
        authenticator,
        service: buildServiceUrl(authenticator, 'second'),
        assistant: buildServiceUrl(authenticator, 'third', ASSISTANT_LOGIN),
      },
    };
  };
  return { owned, superuser: server.ownerUrl };
}

type Managed = Awaited<ReturnType<typeof managedServer>>;

/** Migrates an empty database as its managed owner. Returns its URLs and the warnings. */
async function migrateManaged({ owned }: Managed) {
  const database = await owned('product');
  const warned: string[] = [];
  const options = {
    logins: database.urls,
    afterMigrations: migrateJobs,
    warn: (message: string) => warned.push(message),
  };
  await migrate(database.owner, options);
  return { ...database, warned, migrateAgain: () => migrate(database.owner, options) };
}

/** Starts the service on a managed owner's database. */
async function startManagedService(t: TestContext) {
  const { superuser, urls } = await migrateManaged(await managedServer(t));
  const dataDir = await mkdtemp(join(tmpdir(), 'tally-managed-service-'));
  t.onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const database = connectDatabase(urls);
  t.onTestFinished(() => database.close());
  const service = await start(
    loadConfig({
      DB_URL: urls.authenticator,
      DB_SERVICE_ROLE_KEY: 'second',
      DB_ASSISTANT_KEY: 'third',
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'silent',
      BASE_URL: SITE,
      CONNECTIONS_KEY: 'c0'.repeat(32),
    }),
  );
  t.onTestFinished(() => service.stop());
  await queryAsOwner(
    superuser,
    `insert into public.tracked_tickers_latest (symbol, asset_type, currency, current_price)
       select 'M' || g, 'stock', 'USD', g from generate_series(1, 25) g`,
  );
  return { url: service.url, database, superuser };
}

/** Signs a member up. `call` sends a request with the member's token. */
async function signUpMember(url: string) {
  const browser = new TestBrowser(url);
  const { sessionId, userId } = await browser.signUp();
  const headers = { authorization: `Bearer ${await browser.token(sessionId)}` };
  const call = (method: string, path: string, body?: object) => sendRequest(`${url}${path}`, method, body, headers);
  assert.equal((await call('GET', '/api/me')).status, 200);
  return {
    userId,
    call,
    addSymbol: async (symbol: string) => (await call('POST', '/api/watchlist', { symbol })).status,
    listIds: async (): Promise<string[]> =>
      (await call('GET', '/api/watchlist')).body.items.map(({ id }: { id: string }) => id),
  };
}

describe('with an owner that may not grant BYPASSRLS', () => {
  test('changes nothing when it migrates a second time', async (t) => {
    const { superuser, warned, migrateAgain } = await migrateManaged(await managedServer(t));

    const { applied } = await migrateAgain();

    assert.match(warned.join('\n'), /^This owner may not grant BYPASSRLS/);
    assert.deepEqual(
      await queryAsOwner(
        superuser,
        `select rolname from pg_roles where rolbypassrls and rolname !~ '^(pg_|tally_owner)'`,
      ),
      [],
    );
    assert.deepEqual(applied, []);
  });

  test('adds no finding of the database lints', async (t) => {
    const { superuser } = await migrateManaged(await managedServer(t));

    const findings = await lintDatabase((text) => queryAsOwner(superuser, text));

    // These are the default privileges of a superuser who creates nothing here.
    const unexpected = findings.filter(({ object }) => object !== 'functions of tally_owner');
    const ordinary = new Set((await lintedOrdinary(t)).map(({ lint, object }) => `${lint}: ${object}`));
    assert.deepEqual(
      unexpected.map(({ lint, object }) => `${lint}: ${object}`).filter((finding) => !ordinary.has(finding)),
      [],
    );
  });

  test('serves lists that are limited by plan and visible to their member only', async (t) => {
    const { url, database } = await startManagedService(t);
    assert.equal((await sendRequest(`${url}/readyz`, 'GET')).status, 200);
    const ada = await signUpMember(url);
    const ben = await signUpMember(url);

    const statuses = await Promise.all(Array.from({ length: 25 }, (_, i) => ada.addSymbol(`M${i + 1}`)));
    const ids = (await ada.listIds()).toReversed();

    assert.deepEqual(
      [statuses.filter((status) => status === 201).length, statuses.filter((status) => status === 403).length],
      [20, 5],
    );
    assert.deepEqual([ids.length, (await ben.listIds()).length], [20, 0]);
    assert.equal((await ada.call('PUT', '/api/watchlist/order', { ids })).status, 200);
    assert.equal((await ben.call('DELETE', `/api/watchlist/${ids[0]}`)).status, 404);
    // A member under the existing policies, which the service's policies do not affect.
    const benSql = database.asMember({ sub: ben.userId });
    await assert.rejects(benSql.query(`select public.lock_watchlist($1)`, [ada.userId]), { code: '42501' });
    assert.deepEqual(await benSql.query('select id from public.watchlist_items'), []);
  });

  test('serves holdings, the assistant’s SQL and billing', async (t) => {
    const { url, superuser } = await startManagedService(t);
    const ada = await signUpMember(url);
    await queryAsOwner(
      superuser,
      `insert into public.tracked_tickers_historical (ticker_id, d, close)
         select ticker_id, '2025-01-02', 5 from public.tracked_tickers_latest where symbol = 'M1'`,
    );

    const account = await ada.call('POST', '/api/accounts', { name: 'Mine' });
    const holding = { account_id: account.body.account.id, symbol: 'M1', quantity: 2 };
    const added = await ada.call('POST', '/api/investments/holdings', holding);
    const query = "select (select count(*) from holdings), (select count(*) from closes where day = '2025-01-02')";
    const sql = await ada.call('POST', '/api/assistant/sql', { sql: query });

    assert.deepEqual([account.status, added.status], [201, 201]);
    assert.deepEqual([sql.status, sql.body.rows], [200, [[1, 1]]]);
    assert.equal((await ada.call('GET', '/api/billing')).status, 200);
  });
});

/** Returns the findings of the lints after a superuser's migration, where each is a named exception. */
async function lintedOrdinary(t: TestContext) {
  const { createTestDatabase } = await import('../../../test/support/database.ts');
  const { ownerUrl } = await createTestDatabase(t);
  return lintDatabase((text) => queryAsOwner(ownerUrl, text));
}

test('sets the password of a login again only when it has changed', async (t) => {
  const { owner, superuser, urls, migrateAgain } = await migrateManaged(await managedServer(t));
  const readHashes = () =>
    queryAsOwner<{ rolname: string }>(
      superuser,
      `select rolname, rolpassword from pg_authid where rolname ~ 'authenticator' order by 1`,
    );
  const before = await readHashes();
  assert.equal(before.length, 3);
  await migrateAgain();
  assert.deepEqual(await readHashes(), before);

  const service = buildServiceUrl(urls.service, 'new');
  await migrate(owner, { logins: { ...urls, service } });
  const changed = (await readHashes()).filter((row, index) => !isDeepStrictEqual(row, before[index]));
  assert.deepEqual(
    changed.map((row) => row.rolname),
    ['service_authenticator'],
  );
  assert.deepEqual(await queryAsOwner(service, 'select 1 as one'), [{ one: 1 }]);
});

test('keeps passwords of logins that a superuser’s migration created', async (t) => {
  const { owned, superuser } = await managedServer(t);
  const first = await owned('first');
  await migrate(first.superuser, { logins: first.urls, afterMigrations: migrateJobs });
  // The grants that docs/how-to/external-database.md requires of another owner.
  await queryAsOwner(superuser, 'grant anon, authenticated, service_role, assistant to managed with admin option');
  const second = await owned('second');
  const listKept = async (logins: typeof second.urls) => {
    const warned: string[] = [];
    await migrate(second.owner, { logins, afterMigrations: migrateJobs, warn: (message) => warned.push(message) });
    return warned.flatMap((message) => /^The login (\w+) keeps the password that it has/.exec(message)?.[1] ?? []);
  };
  const { authenticator, service, assistant } = second.urls;
  const others = {
    authenticator: buildServiceUrl(authenticator, 'other', 'authenticator'),
    service: buildServiceUrl(service, 'other'),
    assistant: buildServiceUrl(assistant, 'other', ASSISTANT_LOGIN),
  };
  assert.deepEqual(await listKept(others), ['authenticator', 'service_authenticator', 'assistant_authenticator']);
  assert.deepEqual(await listKept(second.urls), []);
  const database = connectDatabase(second.urls);
  t.onTestFinished(() => database.close());
  assert.equal(await database.ping(), true);
});
