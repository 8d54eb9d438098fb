import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'vitest';
import { Worker } from 'node:worker_threads';
import { recordDiskCalls } from '../../test/support/record-disk-calls.ts';
import {
  assertSecretsMatchDatabase,
  loadOrCreateLocalSecrets,
  readLocalSecrets,
  replaceLostSecrets,
  saveLocalSecrets,
} from './local-secrets.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tally-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test.each(['demo_access_operator_token', 'revenue_operator_token', 'connections_key'] as const)(
  'creates a random %s',
  (name) => {
    const { [name]: secret, ...others } = loadOrCreateLocalSecrets(folder);

    assert.match(secret, /^[0-9a-f]{64}$/);
    assert.ok(!Object.values(others).includes(secret));
  },
);

test('creates secrets once, readable only by their owner', () => {
  assert.equal(readLocalSecrets(folder), undefined);

  const first = loadOrCreateLocalSecrets(folder);

  assert.equal(statSync(join(folder, 'secrets.json')).mode & 0o777, 0o600);
  assert.deepEqual(loadOrCreateLocalSecrets(folder), first);
});

test('saves secrets without leaving a draft behind', () => {
  const first = loadOrCreateLocalSecrets(folder);

  saveLocalSecrets(folder, { ...first, seeded_at: '2026-01-01T00:00:00.000Z' });

  assert.equal(loadOrCreateLocalSecrets(folder).seeded_at, '2026-01-01T00:00:00.000Z');
  assert.deepEqual(readdirSync(folder), ['secrets.json']);
});

test('creates and saves secrets that survive a power loss', (t) => {
  const calls = recordDiskCalls(t);
  const first = loadOrCreateLocalSecrets(folder);
  saveLocalSecrets(folder, first);

  const names = calls.map((call) => call.replaceAll(`${folder}/`, '').replaceAll(/\.secrets\.json-\S+/g, 'DRAFT'));
  assert.deepEqual(names, [
    'sync DRAFT',
    'link DRAFT secrets.json',
    `sync ${folder}`,
    'sync DRAFT',
    'rename DRAFT secrets.json',
    `sync ${folder}`,
  ]);
});

test('agrees on one set of secrets when processes start at once', async () => {
  const code = `
    const { parentPort, workerData } = require('node:worker_threads');
    import(workerData.module).then(({ loadOrCreateLocalSecrets }) =>
      parentPort.postMessage(loadOrCreateLocalSecrets(workerData.folder)));
  `;
  const workerData = { module: new URL('./local-secrets.ts', import.meta.url).href, folder };
  const results = await Promise.all(
    Array.from({ length: 6 }, () => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const worker = new Worker(code, { eval: true, workerData });
      worker.once('message', resolve);
      worker.once('error', reject);
      return promise;
    }),
  );
  for (const result of results) assert.deepEqual(result, results[0]);
});

describe('describes a data directory that cannot be used in one sentence', () => {
  const createMessage = (dataDir: string, code: string): string =>
    `The data directory ${dataDir} cannot be used by this account (${code}); ` +
    'change its owner or set DATA_DIR to another folder.';

  test('when it is inside a file', () => {
    writeFileSync(join(folder, 'file'), '');
    const dataDir = join(folder, 'file', 'data');

    assert.throws(() => loadOrCreateLocalSecrets(dataDir), { message: createMessage(dataDir, 'ENOTDIR') });
  });

  test('when its secrets are a folder', () => {
    mkdirSync(join(folder, 'secrets.json'));

    assert.throws(() => loadOrCreateLocalSecrets(folder), { message: createMessage(folder, 'EISDIR') });
  });
});

/** Creates what the checks take for a database. */
function createDatabaseFolder(): void {
  mkdirSync(join(folder, 'postgres'));
  writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '18');
}

test('stops with a sentence and creates no new set when the secrets are damaged', () => {
  writeFileSync(join(folder, 'secrets.json'), '{"db');
  createDatabaseFolder();
  assert.throws(
    () => loadOrCreateLocalSecrets(folder),
    /secrets\.json is damaged: restore it from a backup, or run "tally secrets create"/,
  );
});

test('names a remedy that works when the secrets are damaged and there is no database', () => {
  const path = join(folder, 'secrets.json');
  writeFileSync(path, '{"db');
  const sentence = {
    message:
      `${path} is damaged, and the database ${join(folder, 'postgres')} is missing: put both back, restore a backup ` +
      'into an empty DATA_DIR, or move the file away to begin without members.',
  };
  assert.throws(() => assertSecretsMatchDatabase(folder), sentence);
  assert.throws(() => replaceLostSecrets(folder), sentence);

  renameSync(path, `${path}.old`);
  assertSecretsMatchDatabase(folder);
  assert.equal(loadOrCreateLocalSecrets(folder).seeded_at, null);
});

test('names the lost file when a database has no secrets, or complete secrets have no database', () => {
  createDatabaseFolder();
  assert.throws(() => assertSecretsMatchDatabase(folder), /secrets\.json is missing, .* "tally secrets create"/);

  rmSync(join(folder, 'postgres'), { recursive: true });
  assertSecretsMatchDatabase(folder);
  const secrets = loadOrCreateLocalSecrets(folder);
  assertSecretsMatchDatabase(folder);

  saveLocalSecrets(folder, { ...secrets, seeded_at: '2026-01-01T00:00:00.000Z' });
  assert.throws(() => assertSecretsMatchDatabase(folder), /postgres is missing: put it back/);
  // The folder of a volume that is not mounted.
  mkdirSync(join(folder, 'postgres'));
  assert.throws(() => assertSecretsMatchDatabase(folder), /postgres is missing: put it back/);
  mkdirSync(join(folder, 'postgres/base'));
  assert.throws(() => assertSecretsMatchDatabase(folder), /postgres is damaged, since its PG_VERSION is missing/);
});

test('creates secrets that count as a complete first run, only when those of a database are lost or damaged', () => {
  assert.throws(() => replaceLostSecrets(folder), /has no database: run "tally start"/);
  createDatabaseFolder();
  assert.equal(replaceLostSecrets(folder), undefined);
  const created = readLocalSecrets(folder)!;
  assert.notEqual(created.seeded_at, null);
  assert.throws(() => replaceLostSecrets(folder), /has its secrets/);

  writeFileSync(join(folder, 'secrets.json'), '{"db');
  const damaged = replaceLostSecrets(folder)!;
  assert.equal(readFileSync(damaged, 'utf8'), '{"db');
  assert.notEqual(readLocalSecrets(folder)!.db_service_role_key, created.db_service_role_key);
});

test('names the data directory when its secrets cannot be read', () => {
  mkdirSync(join(folder, 'secrets.json'));

  assert.throws(
    () => readLocalSecrets(folder),
    /The data directory \/.*tally-secrets-.* cannot be used by this account \(EISDIR\)/,
  );
});
