import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test, type TestContext } from 'vitest';
import { formatWelcome } from '../../cli/start.ts';
import type { TestDatabase } from '../../test/support/database.ts';
import { SECRET_KEY, TestBrowser, WEBHOOK_SECRET } from '../../test/support/identity.ts';
import { createSeededDatabase, startService, type TestService } from '../../test/support/service.ts';
import { formatFirstSteps, type Seeded, seedFirstRun } from './first-run.ts';
import { loadOrCreateLocalSecrets } from './local-secrets.ts';

/** Returns a new data directory, its file of the first run, and a start that counts how often it seeds. */
function createFirstRun(t: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), 'tally-first-run-'));
  t.onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const secrets = loadOrCreateLocalSecrets(dataDir);
  let seeded = 0;
  const seed = async <T>(store: (created: Seeded) => T): Promise<T> => {
    seeded += 1;
    return store({ people: { demoAccountIdpUserId: 'user_demo', members: [] }, apiKey: 'sk-test' });
  };
  const start = (port = 3000, tokens: { operatorToken?: string; revenueToken?: string } = {}) => {
    const baseUrl = `http://127.0.0.1:${port}`;
    // Read from the file, like each start.
    return seedFirstRun({ seed, dataDir, baseUrl, secrets: loadOrCreateLocalSecrets(dataDir), ...tokens });
  };
  return { file: join(dataDir, 'first-run.json'), secrets, start, countSeeds: () => seeded };
}

test('updates only the address of an existing file when the service starts again', async (t) => {
  const { file, start, countSeeds } = createFirstRun(t);
  const first = await start(3000);
  assert.equal(statSync(file).mode & 0o777, 0o600);

  assert.equal(await start(4000), undefined);

  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { ...first, base_url: 'http://127.0.0.1:4000' });
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(countSeeds(), 1);
});

test('adds the token of the revenue report to the file of an older version', async (t) => {
  const { file, start } = createFirstRun(t);
  const first = await start();
  await start(3000, { revenueToken: 'b'.repeat(64) });
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { ...first, revenue_operator_token: 'b'.repeat(64) });
});

test.for(['not JSON', '[]', 'null'])('keeps a file that contains %s', async (content, t) => {
  const { file, start, countSeeds } = createFirstRun(t);
  await start();
  writeFileSync(file, content);

  assert.equal(await start(), undefined);

  assert.equal(readFileSync(file, 'utf8'), content);
  assert.equal(countSeeds(), 1);
});

test('does not create a deleted file again', async (t) => {
  const { file, start, countSeeds } = createFirstRun(t);
  await start();
  rmSync(file);

  await start();

  assert.equal(existsSync(file), false);
  assert.equal(countSeeds(), 1);
});

/** Returns what a first run would change: passwords of users, members, grants and API keys. */
const readPeople = async (database: TestDatabase) =>
  database.owner(
    `select (select jsonb_object_agg(id, coalesce(password_hash, '')) from idp.users) as users,
            (select jsonb_agg(idp_id order by idp_id) from public.all_users) as members,
            (select jsonb_agg(to_jsonb(g) order by idp_id) from public.tier_grants g) as grants,
            (select jsonb_agg(id order by id) from public.api_keys) as keys`,
  );

test('changes nobody and writes no file when the database of new secrets has members', async (t) => {
  const { database } = await createSeededDatabase(t);
  const before = await readPeople(database);

  const service = await startService({ WORKER: 'off' }, database);
  t.onTestFinished(() => service.stop());

  assert.equal(service.firstRun, undefined);
  assert.deepEqual(await readPeople(database), before);
});

test('completes a first run that was interrupted', async (t) => {
  const { database } = await createSeededDatabase(t);
  await database.owner(
    `update idp.users set private_metadata = private_metadata || '{"first_run": "unfinished"}' where email like 'm%'`,
  );

  const service = await startService({ WORKER: 'off' }, database);
  t.onTestFinished(() => service.stop());

  const { email, password } = service.firstRun.members[0]!;
  const browser = new TestBrowser(service.url, service.url);
  assert.equal((await browser.call('POST', '/client/sign_ins', { identifier: email, password })).status, 200);
  assert.deepEqual(await database.owner(`select from idp.users where private_metadata ? 'first_run'`), []);
});

test('writes the operator tokens of the settings', async (t) => {
  const { file, start } = createFirstRun(t);

  await start(3000, { operatorToken: 'a'.repeat(64), revenueToken: 'b'.repeat(64) });

  const written = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  assert.equal(written['operator_token'], 'a'.repeat(64));
  assert.equal(written['revenue_operator_token'], 'b'.repeat(64));
});

test('generates only the demo access token when the settings have no tokens', async (t) => {
  const { file, secrets, start } = createFirstRun(t);

  await start();

  const written = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  assert.equal(written['operator_token'], secrets.demo_access_operator_token);
  assert.equal(written['revenue_operator_token'], undefined);
});

describe('when the identity provider is hosted', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({
      IDP_API_URL: 'http://127.0.0.1:9/v1',
      IDP_FRONTEND_API_URL: 'http://127.0.0.1:9',
      IDP_SECRET_KEY: SECRET_KEY,
      IDP_WEBHOOK_SECRET: WEBHOOK_SECRET,
      WORKER: 'off',
    });
  });
  afterAll(() => service.stop());

  test('lists next steps instead of members', () => {
    const { firstRun } = service;

    assert.deepEqual(Object.keys(firstRun), ['base_url', 'api_key', 'revenue_operator_token', 'members', 'next_steps']);
    assert.deepEqual(firstRun.members, []);
    assert.match(firstRun.next_steps!.join(' '), /no sample members and no demo account .* \/sign-up.*set-tier/);
    const printed = formatWelcome(firstRun, './data') + formatFirstSteps(firstRun);
    for (const step of firstRun.next_steps!) assert.ok(printed.includes(step), printed);
    assert.doesNotMatch(printed, /example\.com|Members to sign in as/);
  });

  test('creates no row of a member', async () => {
    const { database } = service;
    const memberTables = await database.owner<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name from pg_attribute a
         join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
        where a.attname in ('idp_id', 'user_id', 'owner_idp_id') and c.relkind = 'r' and n.nspname in ('public', 'idp')`,
    );
    assert.ok(memberTables.length > 20);

    for (const { name } of [...memberTables, { name: 'idp.users' }]) {
      const column = name === 'public.organisations' ? 'where owner_idp_id is not null' : '';
      const rows = await database.owner(`select count(*)::int as count from ${name} ${column}`);
      assert.deepEqual(rows, [{ count: 0 }], name);
    }
  });

  test('creates a key that counts tokens', async () => {
    const headers = { 'x-api-key': service.firstRun.api_key, 'svc-version': '2023-06-01' };

    assert.equal((await fetch(`${service.url}/v1/models`, { headers })).status, 200);
  });
});
