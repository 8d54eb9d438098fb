// @module-tag slow
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, test } from 'vitest';
import { readBackup } from '../../src/platform/database/backup/read-backup.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { getDatabaseSettings } from '../support/service.ts';
import type { TestScope } from '../support/test-scope.ts';

/* Processes of "tally backup --schedule" that are killed, or that run at once. */

let db: TestDatabase;
let folder: string;
beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach((t) => {
  folder = mkdtempSync(join(tmpdir(), 'tally-backup-kills-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});
afterAll(() => db.drop());

/** Starts a schedule that is due at once, since the newest backup is older than yesterday. */
function startSchedule(t: TestScope): ServiceProcess {
  const command = ['bin/tally.mjs', 'backup', folder, '--schedule', 'daily', '--keep', '1'];
  const schedule = startService({ ...getDatabaseSettings(db), DB_OWNER_URL: db.ownerUrl }, command);
  schedule.ready.catch(() => {});
  t.onTestFinished(() => schedule.end('SIGKILL').then(() => {}));
  return schedule;
}

const isDone = (schedule: ServiceProcess): boolean => / rows of \d+ tables/.test(schedule.output());
const listNames = (): string[] => readdirSync(folder).toSorted();
const listPartials = (): string[] => listNames().filter((name) => name.endsWith('.partial'));

/** Locks a table, so that a backup waits in its middle. Returns the function that ends it. */
async function holdTable(t: TestScope): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: db.ownerUrl });
  await client.connect();
  t.onTestFinished(() => client.end().catch(() => {}));
  await client.query('begin; lock table public.watchlist_items in access exclusive mode');
  return () => client.end();
}

/** Returns how many sessions of backups wait for a lock of this kind. */
async function countWaiting(kind: 'relation' | 'advisory'): Promise<number> {
  const rows = await db.owner(
    `select from pg_stat_activity where datname = current_database() and application_name = 'tally backup'
        and wait_event_type = 'Lock' and wait_event = $1`,
    [kind],
  );
  return rows.length;
}

const OLD = 'tally-20260101T020000Z';

/** Makes a complete backup of an earlier day. */
async function makeOldBackup(t: TestScope): Promise<void> {
  const schedule = startSchedule(t);
  await eventually(() => isDone(schedule), schedule.output);
  assert.equal(await schedule.end('SIGTERM'), 0);
  renameSync(join(folder, listNames()[0]!), join(folder, OLD));
}

test('completes a backup in the next run when it was killed', async (t) => {
  await makeOldBackup(t);
  const release = await holdTable(t);
  const killed = startSchedule(t);
  await eventually(async () => (await countWaiting('relation')) === 1, killed.output);
  assert.equal(listPartials().length, 1);
  await killed.end('SIGKILL');
  assert.deepEqual(
    listNames().filter((name) => !name.startsWith('.')),
    [OLD],
    'the last complete backup stays, although one is kept',
  );
  await assert.rejects(readBackup(join(folder, listPartials()[0]!)), 'what is left cannot be restored');
  await release();

  const next = startSchedule(t);
  await eventually(() => isDone(next), next.output);
  const [name, ...others] = listNames();
  assert.match(name!, /^tally-\d{8}T\d{6}Z$/);
  assert.deepEqual(others, []);
  assert.notEqual(name, OLD);
  assert.ok((await readBackup(join(folder, name!))).tables.length > 50);
  assert.equal(await next.end('SIGTERM'), 0);
});

test('makes one backup when two schedules are due at once', async (t) => {
  await makeOldBackup(t);
  const release = await holdTable(t);
  const schedules = [startSchedule(t), startSchedule(t)];
  const readOutput = (): string => schedules.map(({ output }) => output()).join('\n');
  await eventually(
    async () => (await countWaiting('relation')) === 1 && (await countWaiting('advisory')) === 1,
    readOutput,
  );
  assert.equal(listPartials().length, 1, 'the second schedule waits');
  await release();
  const readSessions = () =>
    db.owner(`select from pg_stat_activity where datname = current_database() and application_name = 'tally backup'`);
  await eventually(async () => (await readSessions()).length === 0, readOutput);
  await eventually(() => schedules.some(isDone), readOutput);
  assert.equal(schedules.filter(isDone).length, 1, readOutput());
  assert.deepEqual([listNames().length, listPartials().length, listNames().includes(OLD)], [1, 0, false]);
  for (const schedule of schedules) assert.equal(await schedule.end('SIGTERM'), 0, schedule.output());
});

test('keeps the last backup when a file of the new one was damaged before it was complete', async (t) => {
  await makeOldBackup(t);
  const release = await holdTable(t);
  const schedule = startSchedule(t);
  await eventually(async () => (await countWaiting('relation')) === 1, schedule.output);
  const partial = join(folder, listPartials()[0]!);
  truncateSync(join(partial, readdirSync(partial).toSorted()[0]!), 1);
  await release();
  await eventually(() => /failed, next attempt at .*missing or damaged/.test(schedule.output()), schedule.output);
  assert.deepEqual(listNames(), [OLD]);
  assert.equal(await schedule.end('SIGTERM'), 0);
});
