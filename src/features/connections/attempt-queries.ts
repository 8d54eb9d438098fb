import { createHash } from 'node:crypto';
import { deleteInBatches } from '../../platform/database/delete-in-batches.ts';
import { queryFirstRow } from '../../platform/database/query-first-row.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { ConnectionKind } from './contract.ts';

type AttemptState = 'open' | 'connected' | 'abandoned' | 'failed' | 'duplicate';

export interface AttemptRow {
  idp_id: string;
  id: string;
  kind: ConnectionKind;
  provider: string;
  reauthenticates_id: string | null;
  sealed_reference: Buffer;
  external_id: string | null;
  sealed_credential: Buffer | null;
  state: AttemptState;
  code: string | null;
  connection_id: string | null;
  /** Time of the claim that holds the lease, as PostgreSQL prints it with microseconds. */
  claimed_at: string | null;
  /** True one hour after the deadline of the aggregator's page. */
  is_over: boolean;
}

/** Attempt whose lease the caller holds. `claimed_at` fences its writes. */
export type ClaimedAttempt = AttemptRow & { claimed_at: string };

const columns = `a.idp_id, a.id, a.kind, a.provider, a.reauthenticates_id, a.sealed_reference, a.external_id, a.sealed_credential,
  a.state, a.code, a.connection_id, a.claimed_at::text as claimed_at, now() - a.expires_at > interval '1 hour' as is_over`;

const hashReference = (reference: string): Buffer => createHash('sha256').update(reference).digest();

interface NewAttempt extends Pick<AttemptRow, 'id' | 'kind' | 'provider' | 'reauthenticates_id'> {
  idpId: string;
  reference: string;
  encryptedReference: Buffer;
  expiresAt: Date;
}

export async function insertAttempt(sql: ServiceSql, attempt: NewAttempt): Promise<void> {
  await sql.query(
    `insert into public.connection_attempts
       (idp_id, id, kind, provider, reauthenticates_id, sealed_reference, reference_hash, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      attempt.idpId,
      attempt.id,
      attempt.kind,
      attempt.provider,
      attempt.reauthenticates_id,
      attempt.encryptedReference,
      hashReference(attempt.reference),
      attempt.expiresAt,
    ],
  );
}

export const findAttempt = (sql: ServiceSql, idpId: string, id: string) =>
  queryFirstRow<AttemptRow>(
    sql,
    `select ${columns} from public.connection_attempts a where a.idp_id = $1 and a.id = $2`,
    [idpId, id],
  );

/** Returns the member of an attempt, for jobs without a member in their payload. */
export async function findAttemptOwner(sql: ServiceSql, id: string): Promise<string | undefined> {
  const [row] = await sql.query<{ idp_id: string }>(
    `select a.idp_id from public.connection_attempts a where a.id = $1`,
    [id],
  );
  return row?.idp_id;
}

/** Returns the id of the open attempt with this reference of the aggregator. */
export async function findOpenAttemptId(sql: ServiceSql, reference: string): Promise<string | undefined> {
  const [row] = await sql.query<{ id: string }>(
    `select a.id from public.connection_attempts a where a.reference_hash = $1 and a.state = 'open'`,
    [hashReference(reference)],
  );
  return row?.id;
}

/** Returns a member's open attempts at an aggregator without references. */
export async function listOpenAttempts(sql: ServiceSql, idpId: string, provider: string): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select a.id from public.connection_attempts a
      where a.idp_id = $1 and a.provider = $2 and a.state = 'open' order by a.id`,
    [idpId, provider],
  );
  return rows.map(({ id }) => id);
}

/** Longer than the work on one attempt, so that a second caller does not start during it. */
const LEASE_SECONDS = 90;

/**
 * Claims the lease of an open attempt. Returns `undefined` if another caller holds the lease or the attempt is closed.
 */
export function claimAttempt(sql: ServiceSql, idpId: string, id: string): Promise<ClaimedAttempt | undefined> {
  return sql.transaction(async (transaction) => {
    const claimed = await transaction.query(
      `update public.connection_attempts a set claimed_at = now()
        where a.idp_id = $1 and a.id = $2 and a.state = 'open'
          and (a.claimed_at is null or a.claimed_at < now() - make_interval(secs => $3))
        returning a.id`,
      [idpId, id, LEASE_SECONDS],
    );
    if (claimed.length === 0) return undefined;
    // Citus formats no times in "returning".
    const [row] = await transaction.query<ClaimedAttempt>(
      `select ${columns} from public.connection_attempts a where a.idp_id = $1 and a.id = $2`,
      [idpId, id],
    );
    return row;
  });
}

/** Part of an attempt that identifies the attempt and the caller's lease. */
type Lease = Pick<ClaimedAttempt, 'idp_id' | 'id' | 'claimed_at'>;

/** Releases the caller's lease. A lease that another caller has claimed since is kept. */
export async function releaseAttempt(
  sql: ServiceSql,
  { idp_id: idpId, id, claimed_at: claimedAt }: Lease,
): Promise<void> {
  await sql.query(
    `update public.connection_attempts set claimed_at = null
      where idp_id = $1 and id = $2 and state = 'open' and claimed_at = $3::timestamptz`,
    [idpId, id, claimedAt],
  );
}

/**
 * Stores the exchanged credential before the connection is built. Returns false if the attempt is closed or deleted, or
 * if another caller holds its lease.
 */
export async function storeCredential(
  sql: ServiceSql,
  { idp_id: idpId, id, claimed_at: claimedAt }: Lease,
  exchanged: { externalId: string; encryptedCredential: Buffer },
): Promise<boolean> {
  const rows = await sql.query(
    `update public.connection_attempts set external_id = $3, sealed_credential = $4
      where idp_id = $1 and id = $2 and state = 'open' and claimed_at = $5::timestamptz returning id`,
    [idpId, id, exchanged.externalId, exchanged.encryptedCredential, claimedAt],
  );
  return rows.length > 0;
}

/**
 * Closes an open attempt and deletes its credential. Returns false if the attempt is closed or if another caller holds
 * its lease.
 */
export async function closeAttempt(
  sql: ServiceSql,
  { idp_id: idpId, id, claimed_at: claimedAt }: Lease,
  result: { state: Exclude<AttemptState, 'open'>; code?: string | null; connectionId?: string | null },
): Promise<boolean> {
  const rows = await sql.query(
    `update public.connection_attempts
        set state = $3, code = $4, connection_id = $5, external_id = null, sealed_credential = null, claimed_at = null
      where idp_id = $1 and id = $2 and state = 'open' and claimed_at = $6::timestamptz returning id`,
    [idpId, id, result.state, result.code ?? null, result.connectionId ?? null, claimedAt],
  );
  return rows.length > 0;
}

/** Returns the ids of open attempts that are at least a minute old and that no caller holds, oldest first. */
export async function listUnfinishedAttempts(
  sql: ServiceSql,
  providers: readonly string[],
  limit: number,
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select a.id from public.connection_attempts a
      where a.state = 'open' and a.provider = any($1::text[]) and a.created_at < now() - interval '1 minute'
        and (a.claimed_at is null or a.claimed_at < now() - make_interval(secs => $3))
      order by a.created_at limit $2`,
    [providers, limit, LEASE_SECONDS],
  );
  return rows.map(({ id }) => id);
}

type AttemptWithCredential = AttemptRow & { sealed_credential: Buffer };

/** Returns a member's attempts with an exchanged credential but without a connection. */
export function listAttemptsWithCredential(sql: ServiceSql, idpId: string): Promise<AttemptWithCredential[]> {
  return sql.query<AttemptWithCredential>(
    `select ${columns} from public.connection_attempts a where a.idp_id = $1 and a.sealed_credential is not null`,
    [idpId],
  );
}

/** Deletes a deleted member's attempts and connections. */
export async function deleteMemberConnections(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(`delete from public.connection_attempts where idp_id = $1`, [idpId]);
  await sql.query(`delete from public.connections where idp_id = $1`, [idpId]);
}

/** Deletes closed attempts and deliveries after 30 days. */
export async function purgeExpired(sql: ServiceSql): Promise<void> {
  await deleteInBatches(sql, {
    statement: `delete from public.connection_attempts where state <> 'open' and created_at < now() - interval '30 days'`,
    time: 'created_at',
    id: 'id',
  });
  await deleteInBatches(sql, {
    statement: `delete from public.aggregator_deliveries where received_at < now() - interval '30 days'`,
    time: 'received_at',
    id: 'id',
  });
}
