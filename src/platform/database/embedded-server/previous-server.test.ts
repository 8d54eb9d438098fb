import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext, vi } from 'vitest';
import { stopPreviousServer } from './previous-server.ts';

/** A program that works in the folder as a server would, and the file that names it. */
async function startFakeServer(t: TestContext) {
  const cluster = await mkdtemp(join(tmpdir(), 'previous-server-'));
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { cwd: cluster, stdio: 'ignore' });
  await once(child, 'spawn');
  const pidFile = join(cluster, 'postmaster.pid');
  await writeFile(pidFile, `${child.pid}\n`);
  t.onTestFinished(async () => {
    child.kill('SIGKILL');
    await rm(cluster, { recursive: true, force: true });
  });
  return { cluster, child, pidFile };
}

test('a server that still runs is ended, and its pid file removed', async (t) => {
  const { cluster, child, pidFile } = await startFakeServer(t);
  const exit = once(child, 'exit');
  await stopPreviousServer(cluster);
  assert.deepEqual(await exit, [null, 'SIGINT']);
  await assert.rejects(access(pidFile), { code: 'ENOENT' });
});

test('a server that dies between the check and the signal counts as ended', async (t) => {
  const { cluster, child, pidFile } = await startFakeServer(t);
  const exit = once(child, 'exit');
  const kill = process.kill.bind(process);
  vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
    if (signal === 0) return kill(pid, 0);
    kill(pid, 'SIGKILL');
    throw Object.assign(new Error('kill ESRCH'), { code: 'ESRCH' });
  });
  await stopPreviousServer(cluster);
  assert.deepEqual(await exit, [null, 'SIGKILL']);
  await assert.rejects(access(pidFile), { code: 'ENOENT' });
});

test('a pid file that a killed server left empty is removed; one written a moment later is heeded', async (t) => {
  const { cluster, child, pidFile } = await startFakeServer(t);
  await writeFile(pidFile, '');
  await stopPreviousServer(cluster);
  await assert.rejects(access(pidFile), { code: 'ENOENT' });
  assert.equal(child.exitCode ?? child.signalCode, null);

  const exit = once(child, 'exit');
  await writeFile(pidFile, '');
  const ending = stopPreviousServer(cluster);
  writeFileSync(pidFile, `${child.pid}\n`);
  await ending;
  assert.deepEqual(await exit, [null, 'SIGINT']);
});

test('the lock of a single-user server is not ours to remove', async (t) => {
  const { cluster, child, pidFile } = await startFakeServer(t);
  await writeFile(pidFile, `-${child.pid}\n`);
  await stopPreviousServer(cluster);
  await access(pidFile);
  assert.equal(child.exitCode ?? child.signalCode, null);
});
