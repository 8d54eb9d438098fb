import { execFile } from 'node:child_process';
import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/**
 * Called under the data directory's lock, so its holder is dead: a server that still runs there is dying or was orphaned. It is asked to
 * stop, then told to. A `postmaster.pid` whose number now belongs to another program is removed: PostgreSQL alone would refuse it.
 */
export async function endPreviousServer(cluster: string): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  const pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10);
  if (!(pid > 0)) return;
  for (const [signal, patience] of [['SIGINT', 10_000], ['SIGQUIT', 5_000], ['SIGKILL', 5_000]] as const) {
    if (!(await isServerOf(pid, cluster))) break;
    tell(pid, signal);
    for (const end = Date.now() + patience; Date.now() < end && (await isServerOf(pid, cluster)); ) await sleep(20);
  }
  await rm(pidFile, { force: true });
}

/** A dying server may be gone between the look at it and the signal: that is what the signal was for. */
function tell(pid: number, signal: NodeJS.Signals): void {
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
