import semver from 'semver';
import { readVersion } from '../http/version.ts';
import type { Handle } from './roles.ts';

/** Advice for a program that is older than the database, as the end of a sentence. */
export const ROLLBACK_HINT = 'start that version, or restore the backup from before the upgrade';

/**
 * Returns the minimum version that an applied migration set, if this version is older, and else `undefined`. The ledger
 * of migrations must exist.
 */
export async function findNewerMinimum(
  sql: Pick<Handle, 'query'>,
  version: string = readVersion(),
): Promise<string | undefined> {
  const rows = await sql.query<{ minimum: string }>(
    'select minimum_version as minimum from tally.migrations where minimum_version is not null',
  );
  const [highest] = semver.rsort(rows.map(({ minimum }) => minimum));
  return highest !== undefined && semver.lt(version, highest) ? highest : undefined;
}
