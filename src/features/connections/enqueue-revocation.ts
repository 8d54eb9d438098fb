import { randomUUID } from 'node:crypto';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { addJobInTransaction } from '../../platform/jobs/add-job.ts';
import type { TaskName } from '../../platform/jobs/task.ts';
import type { KeyRing } from './key-ring.ts';
import { encryptFor } from './encrypt-column.ts';
import { insertRevocation } from './encrypted-queries.ts';

export const REVOKE_ACCESS = 'revoke-aggregator-access' as TaskName<{ removal_id: string }>;

/** Stores the access without its member until a job has revoked it at the aggregator. */
export async function enqueueRevocation(
  { ring }: { ring: KeyRing },
  sql: ServiceSql,
  provider: string,
  credential: string,
): Promise<void> {
  const id = randomUUID();
  const encryptedCredential = encryptFor(
    ring,
    { column: 'aggregator_removals.sealed', idpId: null, row: id },
    credential,
  );
  await insertRevocation(sql, { id, provider, sealed: encryptedCredential });
  await addJobInTransaction(sql, REVOKE_ACCESS, { removal_id: id }, { key: `revoke-access:${id}` });
}
