import { randomUUID } from 'node:crypto';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { addJobIn } from '../../platform/jobs/add-job.ts';
import type { TaskName } from '../../platform/jobs/task.ts';
import type { KeyRing } from './key-ring.ts';
import { sealFor } from './seal-column.ts';
import { insertRemoval } from './sealed-queries.ts';

export const END_ACCESS = 'end-aggregator-access' as TaskName<{ removal_id: string }>;

/** Keeps the access under no member's name until a job has had the aggregator end it. */
export async function queueRemoval(
  { ring }: { ring: KeyRing },
  sql: ServiceSql,
  provider: string,
  credential: string,
): Promise<void> {
  const id = randomUUID();
  const sealed = sealFor(ring, { column: 'aggregator_removals.sealed', idpId: null, row: id }, credential);
  await insertRemoval(sql, { id, provider, sealed });
  await addJobIn(sql, END_ACCESS, { removal_id: id }, { key: `end-access:${id}` });
}
