import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { formatWelcome } from '../cli/start.ts';
import { SECRET_KEY, WEBHOOK_SECRET } from '../test/support/identity.ts';
import { startService } from '../test/support/service.ts';
import { formatFirstSteps, seedFirstRun } from './first-run.ts';
import { loadOrCreateLocalSecrets } from './local-secrets.ts';

test('updates only the address of an existing file when the service starts again', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tally-first-run-'));
  t.onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const file = join(dataDir, 'first-run.json');
  let seeded = 0;
  const seed = async () => {
    seeded += 1;
    return { people: { demoAccountIdpUserId: 'user_demo', members: [] }, apiKey: 'sk-test' };
  };
  const start = (port: number) =>
    seedFirstRun({ seed, dataDir, baseUrl: `http://127.0.0.1:${port}`, secrets: loadOrCreateLocalSecrets(dataDir) });

  const first = await start(3000);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(await start(4000), undefined);
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { ...first, base_url: 'http://127.0.0.1:4000' });
  assert.equal(statSync(file).mode & 0o777, 0o600);
  for (const content of ['not JSON', '[]', 'null']) {
    writeFileSync(file, content);
    assert.equal(await start(5000), undefined);
    assert.equal(readFileSync(file, 'utf8'), content);
  }
  rmSync(file);
  await start(6000);
  assert.equal(existsSync(file), false);
  assert.equal(seeded, 1);
});

test('writes the operator tokens of the settings or generates one for demo access', async (t) => {
  for (const operatorToken of ['a'.repeat(64), undefined]) {
    const dataDir = mkdtempSync(join(tmpdir(), 'tally-first-run-'));
    t.onTestFinished(() => rmSync(dataDir, { recursive: true }));
    const secrets = loadOrCreateLocalSecrets(dataDir);
    const seed = async () => ({ people: { demoAccountIdpUserId: 'user_demo', members: [] }, apiKey: 'sk-test' });
    await seedFirstRun({
      seed,
      dataDir,
      baseUrl: 'http://127.0.0.1:3000',
      secrets,
      operatorToken,
      revenueToken: operatorToken,
    });
    const file = JSON.parse(readFileSync(join(dataDir, 'first-run.json'), 'utf8')) as Record<string, string>;
    assert.equal(file['operator_token'], operatorToken ?? secrets.demo_access_operator_token);
    assert.equal(file['revenue_operator_token'], operatorToken);
  }
});

test('creates no accounts and lists next steps when the identity provider is hosted', async (t) => {
  const hosted = { IDP_API_URL: 'http://127.0.0.1:9/v1', IDP_FRONTEND_API_URL: 'http://127.0.0.1:9' };
  const service = await startService({
    ...hosted,
    IDP_SECRET_KEY: SECRET_KEY,
    IDP_WEBHOOK_SECRET: WEBHOOK_SECRET,
    WORKER: 'off',
  });
  t.onTestFinished(() => service.stop());
  const { firstRun, url, database } = service;
  assert.deepEqual(Object.keys(firstRun), ['base_url', 'api_key', 'revenue_operator_token', 'members', 'next_steps']);
  assert.deepEqual(firstRun.members, []);
  assert.match(firstRun.next_steps!.join(' '), /no sample members and no demo account .* \/sign-up.*set-tier/);
  const printed = formatWelcome(firstRun, './data') + formatFirstSteps(firstRun);
  assert.ok(
    firstRun.next_steps!.every((step) => printed.includes(step)),
    printed,
  );
  assert.doesNotMatch(printed, /example\.com|Members to sign in as/);

  const memberTables = await database.owner<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_attribute a
       join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
      where a.attname in ('idp_id', 'user_id', 'owner_idp_id') and c.relkind = 'r' and n.nspname in ('public', 'idp')`,
  );
  assert.ok(memberTables.length > 20);
  for (const { name } of [...memberTables, { name: 'idp.users' }]) {
    const column = name === 'public.organisations' ? 'where owner_idp_id is not null' : '';
    const [{ count } = { count: -1 }] = await database.owner<{ count: number }>(
      `select count(*)::int as count from ${name} ${column}`,
    );
    assert.equal(count, 0, name);
  }
  const headers = { 'x-api-key': firstRun.api_key, 'svc-version': '2023-06-01' };
  assert.equal((await fetch(`${url}/v1/models`, { headers })).status, 200, 'the key counts tokens');
});
