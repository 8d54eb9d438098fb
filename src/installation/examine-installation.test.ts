import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { queryAsOwner } from '../../test/support/cluster.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { getDatabaseSettings } from '../../test/support/service.ts';
import { createScope, type TestScope } from '../../test/support/test-scope.ts';
import { runChecks } from './check-installation.ts';
import type { MarketUrls } from '../config/provider-settings.ts';
import { loadUsableConfig } from '../config/load-config.ts';
import { examineInstallation } from './examine-installation.ts';
import { createKeyRing } from '../features/connections/key-ring.ts';
import { loadOrCreateSharedSecrets } from './local-secrets.ts';
import { tryKey } from '../market-data/providers/try-key.ts';
import { recordBackup } from '../platform/database/last-backup.ts';

const KEY = 'a'.repeat(64);

let db: TestDatabase;
const folder = mkdtempSync(join(tmpdir(), 'tally-doctor-'));
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(async () => {
  await db.drop();
  rmSync(folder, { recursive: true });
});

async function examine(settings: Record<string, string> = {}, urls: MarketUrls = {}): Promise<Map<string, string>> {
  const { config, problems } = loadUsableConfig({ ...getDatabaseSettings(db), DATA_DIR: folder, ...settings });
  const findings = await examineInstallation(config, problems, urls);
  const lines = new Map<string, string>();
  for (const { name, state, message } of findings)
    lines.set(name, `${lines.has(name) ? `${lines.get(name)}\n` : ''}${state}: ${message}`);
  return lines;
}

test('names what is missing when an installation does not work', async () => {
  const lines = await examine();
  assert.match(lines.get('settings')!, /^ok: /);
  for (const login of ['DB_URL', 'DB_SERVICE_ROLE_KEY', 'DB_WORKER_URL'])
    assert.equal(lines.get(`database ${login}`), 'ok: Accepted.', 'one line for each login');
  assert.match(lines.get('database TLS')!, /^ok: /);
  assert.match(lines.get('migrations')!, /^ok: All \d+ migrations/);
  assert.match(lines.get('clock')!, /^ok: /);
  assert.match(lines.get('worker')!, /^warning: No worker is connected: start the service/);
  assert.match(lines.get('backup')!, /^warning: There is no backup yet: run "tally backup/);
  assert.match(lines.get('identity provider')!, /^ok: Embedded/);
  await recordBackup(db.database.service, { succeeded_at: new Date(), table_count: 1, row_count: 2 });
  assert.match((await examine()).get('backup')!, /^ok: The last backup is of 2/);
});

test('reports every wrong part at once instead of the first', async () => {
  const lines = await examine({
    PORT: 'x',
    LOG_LEVEL: 'loud',
    DB_ASSISTANT_KEY: 'wrong',
    REDIS_URL: 'redis://127.0.0.1:1',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'a@example.com',
    IDP_API_URL: 'http://127.0.0.1:1',
    IDP_FRONTEND_API_URL: 'http://127.0.0.1:1',
    IDP_SECRET_KEY: 'sk_live_0123456789abcdef',
  });
  assert.match(lines.get('settings')!, /wrong: The setting PORT must .*\nwrong: The setting LOG_LEVEL must/s);
  assert.match(lines.get('database DB_ASSISTANT_KEY')!, /^wrong: The setting DB_ASSISTANT_KEY must/);
  assert.match(lines.get('Redis')!, /^unavailable: Redis does not reply/);
  assert.match(lines.get('mail')!, /^unavailable: The mail server does not answer/);
  assert.match(lines.get('identity provider')!, /^unavailable: IDP_FRONTEND_API_URL cannot be reached/);
  assert.match(lines.get('migrations')!, /^ok/);
});

test('tells an unreachable database from a wrong password', async () => {
  const away = await examine({ DB_URL: 'postgres://authenticator:x@127.0.0.1:1/x' });
  assert.match(away.get('database DB_URL')!, /^unavailable: The database cannot be reached/);
  assert.match(away.get('migrations')!, /^unavailable: The database cannot be reached/);
  assert.match(away.get('disk')!, /^ok/);
  const { DB_URL: url } = getDatabaseSettings(db);
  const wrong = await examine({ DB_SERVICE_ROLE_KEY: 'not-the-password', DB_URL: url });
  assert.match(wrong.get('database DB_SERVICE_ROLE_KEY')!, /^wrong: The setting DB_SERVICE_ROLE_KEY must/);
  for (const name of ['database DB_WORKER_URL', 'database TLS', 'data directory', 'migrations', 'jobs'])
    assert.match(wrong.get(name)!, /^wrong: Not checked, since the database refuses a connection/, name);
});

test('names DB_URL when the server of it has no TLS', async (t) => {
  // The letter N is how a server or pooler answers a request for TLS that it does not offer.
  const server = createTcpServer((socket) => socket.once('data', () => socket.end('N')));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.onTestFinished(() => {
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const lines = await examine({ DB_URL: `postgres://authenticator:x@127.0.0.1:${port}/x`, DB_SSLMODE: 'require' });
  assert.match(lines.get('database DB_URL')!, /^wrong: The setting DB_URL must name a server with TLS/);
  for (const name of ['database DB_WORKER_URL', 'database TLS', 'data directory', 'migrations', 'jobs'])
    assert.match(lines.get(name)!, /^wrong: Not checked, since the database refuses a connection/, name);
});

test('asks for no backup by a command that refuses a cluster', async (t) => {
  const cluster = await createTestDatabase(t);
  // An entry in the catalog, as the extension creates it.
  await queryAsOwner(
    cluster.ownerUrl,
    `set allow_system_table_mods = on;
     insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
     values (4000000000, 'citus', 10, 'pg_catalog'::regnamespace, false, '13.2')`,
  );
  const lines = await examine(getDatabaseSettings(cluster));
  assert.match(lines.get('backup')!, /^ok: The servers of a Citus cluster are backed up by their own tools/);
});

test('rejects read nodes when the database is no cluster', async () => {
  const lines = await examine({ DB_READ_NODES: '127.0.0.1:1' });
  assert.match(lines.get('database DB_READ_NODES 127.0.0.1:1')!, /^wrong: The setting DB_READ_NODES must be empty/);
});

test('checks no embedded database when the setting of the own one is wrong', async () => {
  const lines = await examine({ DB_URL: 'mysql://x' });
  assert.match(lines.get('database')!, /^wrong: Not checked: correct DB_URL/);
  assert.match((await examine({ DB_URL: '', DB_SERVICE_ROLE_KEY: '' })).get('database')!, /^warning: DATA_DIR has no/);
});

test('says that DATA_DIR cannot be created there', async (t) => {
  const parent = join(mkdtempSync(join(tmpdir(), 'tally-doctor-parent-')), 'file');
  t.onTestFinished(() => rmSync(join(parent, '..'), { recursive: true }));
  writeFileSync(parent, '');
  const lines = await examine({ DB_URL: '', DB_SERVICE_ROLE_KEY: '', DATA_DIR: join(parent, 'data') });
  assert.match(lines.get('database')!, /^wrong: The data directory .* cannot be used by this account \(ENOTDIR\)/);
});

test('names the lost secrets of an embedded database', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tally-doctor-lost-'));
  t.onTestFinished(() => rmSync(dataDir, { recursive: true }));
  mkdirSync(join(dataDir, 'postgres'));
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '18');
  const lines = await examine({ DB_URL: '', DB_SERVICE_ROLE_KEY: '', DATA_DIR: dataDir });
  assert.match(lines.get('database')!, /^wrong: .*secrets\.json is missing, .*"tally secrets create"/);
});

test('rejects a missing CONNECTIONS_KEY when encrypted connections are stored', async (t) => {
  const scratch = await createTestDatabase(t);
  const examineKey = async (key: string) =>
    (await examine({ ...getDatabaseSettings(scratch), CONNECTIONS_KEY: key })).get('connections key')!;
  assert.match(await examineKey(''), /^ok: CONNECTIONS_KEY is not set/);
  await scratch.database.service.query(
    `insert into public.connection_revocations (id, provider, sealed) values (gen_random_uuid(), 'plaid', $1)`,
    [createKeyRing(KEY).encrypt('access', { table: 'connection_revocations', idpId: null, row: 'a', field: 'sealed' })],
  );
  assert.match(await examineKey(''), /^wrong: The setting CONNECTIONS_KEY must be .*CONNECTIONS_KEY_PREVIOUS=lost/);
  assert.match(await examineKey(KEY), /^ok: The key fits/);
});

test('says when CONNECTIONS_KEY_PREVIOUS=lost can be removed', async (t) => {
  const scratch = await createTestDatabase(t);
  const examineLost = async () => {
    const keys = { CONNECTIONS_KEY: KEY, CONNECTIONS_KEY_PREVIOUS: 'lost' };
    return (await examine({ ...getDatabaseSettings(scratch), ...keys })).get('connections key')!;
  };
  assert.match(await examineLost(), /^warning: .*nothing is left that needs it: remove it/);
  const sealed = createKeyRing('b'.repeat(64)).encrypt('access', { table: 't', idpId: null, row: 'a', field: 'f' });
  await scratch.database.service.query(
    `insert into public.connection_revocations (id, provider, sealed) values (gen_random_uuid(), 'plaid', $1)`,
    [sealed],
  );
  assert.match(await examineLost(), /^warning: .*start the service, .*then remove it/);
});

test('rejects a secret key that the hosted identity provider refuses', async (t) => {
  const server = createServer((request, response) => {
    const isKeys = request.url === '/.well-known/jwks.json';
    response.writeHead(isKeys ? 200 : 401, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(() => {
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const lines = await examine({
    IDP_API_URL: url,
    IDP_FRONTEND_API_URL: url,
    IDP_SECRET_KEY: 'sk_live_0123456789abcdef',
  });
  assert.match(lines.get('identity provider')!, /^wrong: The setting IDP_SECRET_KEY must be a key/);
});

/** Starts a market-data provider with one response for every request, and returns its address. */
async function startProvider(t: TestScope, status: number, body: string) {
  const received: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    received.push(request);
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(() => {
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

const KEYS = { FMP_API_KEY: 'fmp-secret-key', FINNHUB_API_KEY: 'finnhub-secret-key' };

test('tries each market-data key with one call and names the answer without the key', async (t) => {
  const fmp = await startProvider(t, 200, '[{"symbol":"AAPL","price":200}]');
  const finnhub = await startProvider(t, 401, '{"error":"Invalid API key finnhub-secret-key"}');
  const lines = await examine(KEYS, { fmp: fmp.url, finnhub: finnhub.url });
  assert.equal(lines.get('market data FMP'), 'ok: FMP answers and accepts the key.');
  assert.equal(
    lines.get('market data Finnhub'),
    'wrong: The setting FINNHUB_API_KEY must be a key that Finnhub accepts (status 401: Invalid API key …).',
  );
  assert.deepEqual([fmp.received.length, finnhub.received.length], [1, 1]);
  assert.match(fmp.received[0]!.url!, /apikey=fmp-secret-key/);
  assert.equal(finnhub.received[0]!.headers['x-finnhub-token'], 'finnhub-secret-key');
});

test.each([
  [200, '{"Error Message":"Invalid API KEY."}', /^wrong: .*FMP_API_KEY must.*status 200: Invalid API KEY/],
  [403, '', /^wrong: .*\(status 403: no JSON\)/],
  [429, '{}', /^warning: .*\(status 429\): see FMP_CALLS_PER_MINUTE/],
  [200, '{"Error Message":"Limit Reach."}', /^warning: /],
  [503, '<html>fmp-secret-key</html>', /^unavailable: FMP does not answer \(status 503: <html>…<\/html>\)/],
  [200, 'x'.repeat(100_000), /^unavailable: /],
])('tells why a market-data key is of no use when the provider answers %i %s', async (status, body, expected) => {
  const scope = createScope();
  const { url } = await startProvider(scope, status, body);
  const lines = await examine({ FMP_API_KEY: KEYS.FMP_API_KEY }, { fmp: url });
  await scope.end();
  assert.match(lines.get('market data FMP')!, expected);
  assert.doesNotMatch([...lines.values()].join('\n'), /secret-key/);
});

test('waits for no market-data provider that does not answer', async (t) => {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  assert.deepEqual(await tryKey('fmp', { key: 'x', baseUrl, timeoutMs: 200 }), {
    outcome: 'unavailable',
    answer: 'no response in time',
  });
  assert.equal((await tryKey('finnhub', { key: 'x', baseUrl: 'http://127.0.0.1:1' })).outcome, 'unavailable');
});

test('reports the other checks when one throws or does not end', async () => {
  const findings = await runChecks(
    [
      { name: 'throws', run: () => Promise.reject(new Error('It broke')) },
      { name: 'lacks a table', run: () => Promise.reject(Object.assign(new Error('missing'), { code: '42P01' })) },
      { name: 'hangs', run: () => new Promise(() => {}) },
      { name: 'works', run: async () => ({ state: 'ok', message: 'Fine.' }) },
    ],
    50,
  );
  assert.deepEqual(
    findings.map(({ name, state }) => [name, state]),
    [
      ['throws', 'wrong'],
      ['lacks a table', 'wrong'],
      ['hangs', 'unavailable'],
      ['works', 'ok'],
    ],
  );
  assert.match(findings[1]!.message, /the database lacks migrations: run "tally migrate"/);
});

test('names an unreadable DATA_DIR when a start on an external database needs it', async (t) => {
  const scratch = await createTestDatabase(t);
  const dataDir = mkdtempSync(join(tmpdir(), 'tally-doctor-external-'));
  t.onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const examineFolder = async () =>
    (await examine({ ...getDatabaseSettings(scratch), DATA_DIR: dataDir })).get('data directory')!;
  assert.match(await examineFolder(), /^ok/);
  writeFileSync(join(dataDir, 'secrets.json'), 'damaged');
  assert.match(await examineFolder(), /^wrong: \S+\/secrets\.json is damaged/);
  await loadOrCreateSharedSecrets(join(dataDir, 'empty'), scratch.database.service);
  assert.match(await examineFolder(), /^ok/, 'the database has its own');
});
