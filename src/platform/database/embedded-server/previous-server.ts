import { execFile } from 'node:child_process';
import { readlink, realpath, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type PidFile, getPidFilePath, readPidFile } from './pid-file.ts';

/**
 * Stops the previous server under the data directory's lock. The lock shows that its holder has exited, so the server
 * is stopping or orphaned. It gets a shutdown signal, then a kill signal. A `postmaster.pid` that is incomplete or
 * names another program is removed, since PostgreSQL would reject it.
 */
export async function stopPreviousServer(cluster: string): Promise<void> {
  const file = await readCompletePidFile(cluster);
  // A negative number is a `postgres --single` with which an operator repairs the cluster. PostgreSQL then declines to
  // start, with a clear message.
  if (!file || (file.pid ?? 0) < 0) return;
  for (const [signal, timeout] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    const { pid } = file;
    if (pid === undefined || !(await isServerOf(pid, cluster))) break;
    sendSignal(pid, signal);
    for (const deadline = Date.now() + timeout; Date.now() < deadline && (await isServerOf(pid, cluster));)
      await sleep(20);
  }
  await rm(getPidFilePath(cluster), { force: true });
}

/**
 * Reads the pid file. It retries for a second if the number is missing, since the server writes the number right after.
 */
async function readCompletePidFile(cluster: string): Promise<PidFile | undefined> {
  const deadline = Date.now() + 1_000;
  let file = await readPidFile(cluster);
  while (file && file.pid === undefined && Date.now() <= deadline) {
    await sleep(20);
    file = await readPidFile(cluster);
  }
  return file;
}

/** Sends a signal. The server may exit between check and signal, which is the goal anyway. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Returns whether the process is the postmaster of this cluster, by its working folder. A zombie is not. */
async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  try {
    process.kill(pid, 0);
    if (process.platform === 'linux') return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(cluster));
    const { stdout } = await promisify(execFile)('ps', ['-p', String(pid), '-o', 'command=']);
    return stdout.includes('postgres') && stdout.includes(cluster);
  } catch {
    return false;
  }
}
