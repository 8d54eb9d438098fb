import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { lockDataDirectory, readHolder } from './data-lock.ts';

test('stores a complete holder at every moment, for the next one too', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'data-lock-'));
  t.onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const lock = await lockDataDirectory(dataDir);
  let publishing = true;
  const publishLoop = (async () => {
    for (let round = 0; round < 200; round += 1)
      await lock.publish({ pid: process.pid, runtime: `/somewhere/tally-${'x'.repeat(round)}` });
    publishing = false;
  })();
  while (publishing) assert.equal((await readHolder(dataDir))?.pid, process.pid);
  await publishLoop;
  lock.release();
  const next = await lockDataDirectory(dataDir);
  assert.equal(next.previous?.runtime, `/somewhere/tally-${'x'.repeat(199)}`);
  next.release();
  assert.deepEqual(
    (await readdir(dataDir)).filter((name) => name.includes('holder')),
    ['postgres.holder.json'],
  );
});

test('locks nothing and names the file when this account may not write it', async (t) => {
  // Other accounts may enter this folder, while that of the run belongs to the account of the tests.
  const dataDir = await mkdtemp('/tmp/data-lock-');
  t.onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  await chmod(dataDir, 0o777);
  (await lockDataDirectory(dataDir)).release();
  await chmod(join(dataDir, 'postgres.lock'), 0o444);
  // Root may write every file.
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid!(65_534);
  try {
    await assert.rejects(lockDataDirectory(dataDir), {
      name: 'Error',
      message: `${dataDir}/postgres.lock cannot be opened by this account: change its owner.`,
    });
  } finally {
    if (isRoot) process.seteuid!(0);
  }
});
