import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The account that runs the server, if it must differ from our own. */
export interface Account {
  uid: number;
  gid: number;
}

/** The account "nobody" on every Linux and in most containers. */
const NOBODY: Account = { uid: 65534, gid: 65534 };

/**
 * Returns the account for the server. PostgreSQL refuses to run as root, so the owner of the existing data or `nobody`
 * is used.
 */
export async function chooseAccount(pgData: string): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(pgData).catch(() => null);
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : NOBODY;
}

/**
 * Returns whether `account` can traverse to `path` and read it (and execute it, for a file). `null` is our own account:
 * always true.
 */
export async function canReach(path: string, account: Account | null): Promise<boolean> {
  if (!account) return true;
  if (!(await hasPermission(path, account, 0o5))) return false;
  let folder = path;
  while (folder !== dirname(folder)) {
    folder = dirname(folder);
    if (!(await hasPermission(folder, account, 0o1))) return false;
  }
  return true;
}

async function hasPermission(path: string, { uid, gid }: Account, bits: number): Promise<boolean> {
  const stats = await stat(path).catch(() => null);
  if (!stats) return false;
  const groupShift = stats.gid === gid ? 3 : 0;
  const shift = stats.uid === uid ? 6 : groupShift;
  return ((stats.mode >> shift) & bits) === bits;
}
