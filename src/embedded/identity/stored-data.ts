import type { ServiceSql } from '../../platform/database/roles.ts';
import type { TaskName } from '../../platform/jobs/task.ts';
import type { Feature } from '../../feature.ts';
import { memberRows } from './export-queries.ts';
import { purgeOldSessions } from './session-queries.ts';

const CLEANUP = 'cleanup-embedded-identity' as TaskName<Record<string, never>>;

/** Exports and cleans up the stored data of the embedded provider, even after a hosted provider has replaced it. */
export function createStoredIdentityData(sql: ServiceSql) {
  return {
    name: 'embedded-identity',
    memberRows,
    tasks: { [CLEANUP]: () => purgeOldSessions(sql) },
    // Every hour, since strangers can create challenges.
    schedules: [{ task: CLEANUP, match: '17 * * * *' }],
  } satisfies Feature;
}
