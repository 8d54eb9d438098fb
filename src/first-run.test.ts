import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { seedFirstRun } from './first-run.ts';
import { openLocalSecrets } from './local-secrets.ts';

test('a first run is made once; later starts renew its address, unless the file is gone or changed', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tally-first-run-'));
  t.after(() => rmSync(dataDir, { recursive: true }));
  const file = join(dataDir, 'first-run.json');
  let seeded = 0;
  const seed = async () => {
    seeded += 1;
    return { people: { demoAccountIdpUserId: 'user_demo', members: [] }, apiKey: 'sk-test' };
  };
  const start = (port: number) =>
    seedFirstRun({ seed, dataDir, baseUrl: `http://127.0.0.1:${port}`, secrets: openLocalSecrets(dataDir) });

  const first = await start(3000);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(await start(4000), undefined);
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { ...first, base_url: 'http://127.0.0.1:4000' });
  assert.equal(statSync(file).mode & 0o777, 0o600);
  for (const own of ['not JSON', '[]', 'null']) {
    writeFileSync(file, own);
    assert.equal(await start(5000), undefined);
    assert.equal(readFileSync(file, 'utf8'), own);
  }
  rmSync(file);
  await start(6000);
  assert.equal(existsSync(file), false);
  assert.equal(seeded, 1);
});

test('the file names the operators’ tokens: of the setting, for demo access else of the data directory', async (t) => {
  for (const operatorToken of ['a'.repeat(64), undefined]) {
    const dataDir = mkdtempSync(join(tmpdir(), 'tally-first-run-'));
    t.after(() => rmSync(dataDir, { recursive: true }));
    const secrets = openLocalSecrets(dataDir);
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
