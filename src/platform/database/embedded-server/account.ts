import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The account that the server runs as, where it must not be ours. */
export interface Account {
  uid: number;
  gid: number;
}

/** "nobody" on every Linux and in most containers. */
const NOBODY: Account = { uid: 65534, gid: 65534 };

/** PostgreSQL refuses to run as root: then it runs as the owner of the existing data, or as `nobody`. */
export async function accountFor(pgData: string): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(pgData).catch(() => null);
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : NOBODY;
}

/** Whether `account` can walk down to `path` and read it (and, for a file, execute it). `null` is ourselves: always. */
export async function canReach(path: string, account: Account | null): Promise<boolean> {
  if (!account) return true;
  if (!(await permits(path, account, 0o5))) return false;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (!(await permits(folder, account, 0o1))) return false;
    if (folder === dirname(folder)) return true;
  }
}

async function permits(path: string, { uid, gid }: Account, bits: number): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (!found) return false;
  const shift = found.uid === uid ? 6 : found.gid === gid ? 3 : 0;
  return ((found.mode >> shift) & bits) === bits;
}
