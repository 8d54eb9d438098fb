import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext, vi } from 'vitest';
import { stopPreviousServer } from './previous-server.ts';

/** Starts a program with the working folder of a server, and writes the pid file that names it. */
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

test('stops a running server and removes its pid file', async (t) => {
  const { cluster, child, pidFile } = await startFakeServer(t);
  const exit = once(child, 'exit');
  await stopPreviousServer(cluster);
  assert.deepEqual(await exit, [null, 'SIGINT']);
  await assert.rejects(access(pidFile), { code: 'ENOENT' });
});

test('accepts that a server exits between the check and the signal', async (t) => {
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

test('removes an empty pid file unless its number appears a moment later', async (t) => {
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

test('keeps the lock file of a single-user server', async (t) => {
  const { cluster, child, pidFile } = await startFakeServer(t);
  await writeFile(pidFile, `-${child.pid}\n`);
  await stopPreviousServer(cluster);
  await access(pidFile);
  assert.equal(child.exitCode ?? child.signalCode, null);
});
