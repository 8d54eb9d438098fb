import { readFileSync } from 'node:fs';
import type { OwnerConnection } from '../database/migrate.ts';
import { openPool } from '../database/pool.ts';
import { grantToServiceRole, readSchemaVersion } from './queries.ts';

const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.resolve('graphile-worker')), 'utf8'),
) as { version: string };
const SCHEMA_VERSION = `graphile-worker ${version}`;

/**
 * Migrates the queue's schema and grants the service role access to it, for `migrate(…, { afterMigrations: migrateJobs })`.
 * A version in the schema comment avoids loading the library at later starts.
 */
export async function migrateJobs(owner: OwnerConnection): Promise<void> {
  if ((await readSchemaVersion(owner)) === SCHEMA_VERSION) return;
  const { Logger, runMigrations } = await import('graphile-worker');
  // The library does not wait for the end of a pool of its own, whose connection then breaks when the server stops.
  const pool = openPool(owner.url, 1, { queryTimeoutMs: 0, prepare: false });
  try {
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) });
  } finally {
    await pool.end();
  }
  await grantToServiceRole(owner, SCHEMA_VERSION);
}
