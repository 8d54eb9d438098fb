// @module-tag slow
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, test, type TestContext } from 'vitest';
import { backUp } from '../../src/installation/backup.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { startEmbedded } from '../../src/platform/database/embedded.ts';
import { getLoginPasswords, readLocalSecrets } from '../../src/installation/local-secrets.ts';
import { queryAsOwner, withDatabase } from '../support/cluster.ts';
import { startDedicatedServer } from '../support/own-server.ts';
import { startService } from '../support/service-process.ts';

/* A restore that was killed at any moment leaves a place on which nothing starts, and succeeds when it is repeated. */

const KILLS = 8;
const CLI = ['bin/tally.mjs'];
const COUNT = `select (select count(*)::int from public.all_users) as members,
                      (select count(*)::int from public.watchlist_items) as items,
                      (select count(*)::int from graphile_worker._private_jobs) as jobs`;

let folder: string;
let backup: string;
let saved: object;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tally-restore-kills-'));
  backup = join(folder, 'backup');
  const dataDir = join(folder, 'original');
  const service = startService({ DATA_DIR: dataDir });
  await service.ready;
  await service.end('SIGTERM');
  await backUp(loadConfig({ DATA_DIR: dataDir }), backup, assert.fail);
  saved = await countEmbedded(dataDir);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the numbers of members, watchlist items and jobs of a data directory. */
async function countEmbedded(dataDir: string): Promise<object> {
  const secrets = getLoginPasswords(readLocalSecrets(dataDir)!);
  const server = await startEmbedded({ dataDir, secrets, create: false });
  try {
    return (await queryAsOwner(server.ownerUrl, COUNT))[0]!;
  } finally {
    await server.stop();
  }
}

type Settings = Record<string, string>;

/** Runs `tally` to its end and returns its exit code and output. */
function runTally(settings: Settings, ...command: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...CLI, ...command], {
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'warn', ...settings },
    encoding: 'utf8',
    timeout: 300_000,
  });
  return { status, output: stdout + stderr };
}

/** Kills a restore after `milliseconds`. Returns false if it had ended before. */
async function killRestore(settings: Settings, milliseconds: number): Promise<boolean> {
  const restore = startService(settings, [...CLI, 'restore', backup]);
  restore.ready.catch(() => {});
  restore.readyAfter.catch(() => {});
  await sleep(milliseconds);
  return (await restore.end('SIGKILL')) === null;
}

/** Returns the time of a whole restore in ms. */
function timeRestore(settings: Settings): number {
  const started = performance.now();
  const { status, output } = runTally(settings, 'restore', backup);
  assert.equal(status, 0, output);
  return performance.now() - started;
}

describe('into a data directory', () => {
  test('leaves nothing that starts as complete, and succeeds when repeated', async () => {
    const restoreMs = timeRestore({ DATA_DIR: join(folder, 'measured') });
    let interrupted = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const DATA_DIR = join(folder, `killed-${kill}`);
      if (!(await killRestore({ DATA_DIR }, ((kill + 0.5) / KILLS) * restoreMs))) continue;
      const migrated = runTally({ DATA_DIR }, 'migrate');
      // A kill before the first write leaves an empty folder, which a start may use. A kill after the last leaves all.
      if (migrated.status !== 0) {
        interrupted += 1;
        assert.equal(migrated.status, 2, migrated.output);
        assert.match(migrated.output, /DATA_DIR .* has not finished: run "tally restore" again/);
        assert.equal(runTally({ DATA_DIR }, 'restore', backup).status, 0);
        assert.deepEqual(await countEmbedded(DATA_DIR), saved);
      }
    }
    assert.ok(interrupted > 0, 'no restore was interrupted');
  });
});

describe('into an external database of an owner who is no superuser', () => {
  /** Creates empty databases on one server. */
  async function createServer(t: TestContext) {
    const server = await startDedicatedServer(t);
    await queryAsOwner(server.ownerUrl, `create role managed login createrole nobypassrls password 'managed'`);
    return async (name: string) => {
      await queryAsOwner(server.ownerUrl, `create database ${name} owner managed`);
      const authenticator = withDatabase(server.urls.authenticator, name);
      const owner = withDatabase(server.ownerUrl, name).replace(/\/\/[^@]*@/, '//managed:managed@');
      const settings = { DB_URL: authenticator, DB_SERVICE_ROLE_KEY: 'second', DATA_DIR: join(folder, 'unused') };
      const count = async (): Promise<object> => (await queryAsOwner(withDatabase(server.ownerUrl, name), COUNT))[0]!;
      return { settings, ownerSettings: { ...settings, DB_OWNER_URL: owner }, count };
    };
  }

  test('leaves nothing that starts as complete, and continues when repeated', async (t) => {
    const createDatabase = await createServer(t);
    const restoreMs = timeRestore((await createDatabase('measured')).ownerSettings);
    let interrupted = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const { settings, ownerSettings, count } = await createDatabase(`killed_${kill}`);
      if (!(await killRestore(ownerSettings, ((kill + 0.5) / KILLS) * restoreMs))) continue;
      const started = runTally(settings, 'start');
      assert.equal(started.status, 2, started.output);
      // A kill before the first write leaves an empty database, which the owner may still use.
      if (/lacks/.test(started.output)) continue;
      assert.match(started.output, /DB_URL must name another database, .* has not finished/);
      assert.match(runTally(ownerSettings, 'migrate').output, /DB_OWNER_URL must name another database/);
      interrupted += 1;
      const repeated = runTally(ownerSettings, 'restore', backup);
      assert.equal(repeated.status, 0, repeated.output);
      assert.deepEqual(await count(), saved);
    }
    assert.ok(interrupted > 0, 'no restore was interrupted');
  });
});
