import { readFileSync } from 'node:fs';
import type { OwnerConnection } from '../database/migrate.ts';
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
  await runMigrations({ connectionString: owner.url, logger: new Logger(() => () => {}) });
  await grantToServiceRole(owner, SCHEMA_VERSION);
}
