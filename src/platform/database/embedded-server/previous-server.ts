import { execFile } from 'node:child_process';
import { readlink, realpath, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type PidFile, getPidFilePath, readPidFile } from './pid-file.ts';

/**
 * Called under the data directory's lock, so its holder is dead: a server that still runs there is dying or was
 * orphaned. It is asked to stop, then told to. A `postmaster.pid` whose number now belongs to another program, or that
 * was never written, is removed: PostgreSQL alone would refuse it.
 */
export async function stopPreviousServer(cluster: string): Promise<void> {
  const file = await readCompletePidFile(cluster);
  // A negative number is a `postgres --single` that an operator repairs the cluster with: PostgreSQL refuses to start
  // beside it, and says so.
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

/** The pid file; one without a number is read again for a second, since the server writes that right after. */
async function readCompletePidFile(cluster: string): Promise<PidFile | undefined> {
  for (const deadline = Date.now() + 1_000; ; await sleep(20)) {
    const file = await readPidFile(cluster);
    if (!file || file.pid !== undefined || Date.now() > deadline) return file;
  }
}

/** A dying server may be gone between the check and the signal, which is the aim of the signal. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Whether the process is the postmaster of this cluster: it works in the cluster's folder. A zombie is not. */
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
