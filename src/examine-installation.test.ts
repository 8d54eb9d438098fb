import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts';
import { getDatabaseSettings } from '../test/support/service.ts';
import { runChecks } from './check-installation.ts';
import { loadUsableConfig } from './config/load-config.ts';
import { examineInstallation } from './examine-installation.ts';
import { recordBackup } from './platform/database/last-backup.ts';

let db: TestDatabase;
const folder = mkdtempSync(join(tmpdir(), 'tally-doctor-'));
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(async () => {
  await db.drop();
  rmSync(folder, { recursive: true });
});

async function examine(settings: Record<string, string> = {}): Promise<Map<string, string>> {
  const { config, problems } = loadUsableConfig({ ...getDatabaseSettings(db), DATA_DIR: folder, ...settings });
  const findings = await examineInstallation(config, problems);
  const lines = new Map<string, string>();
  for (const { name, state, message } of findings)
    lines.set(name, `${lines.has(name) ? `${lines.get(name)}\n` : ''}${state}: ${message}`);
  return lines;
}

test('finds nothing wrong with a working installation, and names what is missing', async () => {
  const lines = await examine();
  assert.match(lines.get('settings')!, /^ok: /);
  assert.match(lines.get('database DB_URL')!, /^(ok: Accepted\.\n?){3}$/);
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
});

test('checks no embedded database when the setting of the own one is wrong', async () => {
  const lines = await examine({ DB_URL: 'mysql://x' });
  assert.match(lines.get('database')!, /^wrong: Not checked: correct DB_URL/);
  assert.match((await examine({ DB_URL: '', DB_SERVICE_ROLE_KEY: '' })).get('database')!, /^warning: DATA_DIR has no/);
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

test('reports a check that throws or does not end, and the others', async () => {
  const findings = await runChecks(
    [
      { name: 'throws', run: () => Promise.reject(new Error('It broke')) },
      { name: 'hangs', run: () => new Promise(() => {}) },
      { name: 'works', run: async () => ({ state: 'ok', message: 'Fine.' }) },
    ],
    50,
  );
  assert.deepEqual(
    findings.map(({ name, state }) => [name, state]),
    [
      ['throws', 'wrong'],
      ['hangs', 'unavailable'],
      ['works', 'ok'],
    ],
  );
});
