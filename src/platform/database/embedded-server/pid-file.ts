import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Content of PostgreSQL's `postmaster.pid`. */
export interface PidFile {
  /** `undefined` if the file was just created, or if its server was killed at that moment. */
  pid: number | undefined;
  socketDir: string;
  ready: boolean;
}

export const getPidFilePath = (cluster: string): string => join(cluster, 'postmaster.pid');

/** Returns `undefined` if there is no file: no server uses this cluster, or it has only just started. */
export async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  const text = await readFile(getPidFilePath(cluster), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  // Lines: pid, data directory, start time, port, socket directory, listen address, shared memory, status.
  const [pid = '', , , , socketDir = '', , , status = ''] = text.split('\n');
  return { pid: Number.parseInt(pid, 10) || undefined, socketDir, ready: status.startsWith('ready') };
}
