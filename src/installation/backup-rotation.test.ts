import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'vitest';
import { rotateBackups, runBackupSchedule } from './backup-rotation.ts';
import { ConfigError } from '../config/load-config.ts';
import type { Manifest } from '../platform/database/backup/manifest.ts';

let folder: string;
let time: Date;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tally-rotation-'));
  time = new Date('2026-03-10T12:00:00Z');
});
afterEach(() => rmSync(folder, { recursive: true }));

const manifest = { tables: [] } as unknown as Manifest;
const now = (): Date => time;
const runAlone = <Result>(work: () => Promise<Result>): Promise<Result> => work();
const listNames = (): string[] => readdirSync(folder).toSorted();

/** Writes a complete backup, as `backUp` does. */
const write = async (target: string): Promise<Manifest> => {
  addBackup(target);
  return manifest;
};

function addBackup(path: string, isComplete = true): void {
  mkdirSync(path);
  if (isComplete) writeFileSync(join(path, 'manifest.json'), '{}');
}

test('removes only complete backups beyond the newest', async () => {
  for (const day of ['01', '02', '03']) addBackup(join(folder, `tally-202603${day}T020000Z`));
  addBackup(join(folder, 'tally-20260228T020000Z'), false);
  addBackup(join(folder, 'tally-monday'));
  const { removed, path } = await rotateBackups({ folder, keep: 2, write, runAlone, now });
  assert.equal(path, join(folder, 'tally-20260310T120000Z'));
  assert.deepEqual(removed, ['tally-20260302T020000Z', 'tally-20260301T020000Z']);
  assert.deepEqual(listNames(), [
    'tally-20260228T020000Z',
    'tally-20260303T020000Z',
    'tally-20260310T120000Z',
    'tally-monday',
  ]);
});

test('removes no old backup when the new one fails', async () => {
  for (const day of ['01', '02']) addBackup(join(folder, `tally-202603${day}T020000Z`));
  const fail = () => Promise.reject(new Error('The disk is full.'));
  await assert.rejects(rotateBackups({ folder, keep: 1, write: fail, runAlone, now }), /disk is full/);
  assert.deepEqual(listNames(), ['tally-20260301T020000Z', 'tally-20260302T020000Z']);
});

test('removes what a killed process left, before it writes', async () => {
  for (const name of ['.tally-20260301T020000Z.abc.partial', '.tally-20260310T115959Z.removed.partial'])
    mkdirSync(join(folder, name));
  mkdirSync(join(folder, '.other.partial'));
  await rotateBackups({
    folder,
    keep: 1,
    async write(target) {
      assert.deepEqual(listNames(), ['.other.partial']);
      return write(target);
    },
    runAlone,
    now,
  });
  assert.deepEqual(listNames(), ['.other.partial', 'tally-20260310T120000Z']);
});

test('makes no second backup when another process made it while this one waited', async () => {
  const ended = new AbortController();
  await runBackupSchedule({
    folder,
    keep: 3,
    time: '02:00',
    write: () => assert.fail('a second backup'),
    async runAlone(work) {
      addBackup(join(folder, 'tally-20260310T115959Z'));
      const result = await work();
      ended.abort();
      return result;
    },
    now,
    signal: ended.signal,
    report: { done: () => assert.fail('done'), failed: (error) => assert.fail(String(error)) },
  });
  assert.deepEqual(listNames(), ['tally-20260310T115959Z']);
});

/** Runs the schedule until it has reported `count` attempts. Returns "done" or the next attempt for each. */
async function runSchedule(count: number, writeBackup: typeof write): Promise<string[]> {
  const attempts: string[] = [];
  const ended = new AbortController();
  const add = (attempt: string): void => {
    attempts.push(attempt);
    if (attempts.length === count) ended.abort();
  };
  await runBackupSchedule({
    folder,
    keep: 3,
    time: '02:00',
    write: writeBackup,
    runAlone,
    now,
    signal: ended.signal,
    report: {
      done: () => add('done'),
      failed(_error, next) {
        add(next.toISOString());
        time = next;
      },
    },
  });
  return attempts;
}

test('backs up at once when the newest backup is older than the last time', async () => {
  addBackup(join(folder, 'tally-20260310T015959Z'));
  assert.deepEqual(await runSchedule(1, write), ['done']);
  assert.deepEqual(listNames(), ['tally-20260310T015959Z', 'tally-20260310T120000Z']);
});

test('tries a failed backup again after 15 minutes', async () => {
  let calls = 0;
  const attempts = await runSchedule(2, async (target) => {
    calls += 1;
    if (calls === 1) throw new Error('No connection.');
    return write(target);
  });
  assert.deepEqual(attempts, ['2026-03-10T12:15:00.000Z', 'done']);
});

test('waits for the next day when today is backed up', async () => {
  addBackup(join(folder, 'tally-20260310T020000Z'));
  const ended = new AbortController();
  const running = runBackupSchedule({
    folder,
    keep: 3,
    time: '02:00',
    write: () => assert.fail('a second backup of the day'),
    runAlone,
    now,
    signal: ended.signal,
    report: { done: () => assert.fail('done'), failed: (error) => assert.fail(String(error)) },
  });
  setTimeout(() => ended.abort(), 20);
  await running;
  assert.deepEqual(listNames(), ['tally-20260310T020000Z']);
});

test('ends when a setting is wrong, since a later attempt would fail too', async () => {
  const fail = () => Promise.reject(new ConfigError('The setting DB_URL names a Citus cluster.'));
  await assert.rejects(runSchedule(2, fail), ConfigError);
  assert.deepEqual(listNames(), []);
});
