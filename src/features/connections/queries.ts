import { queryFirstRow } from '../../platform/database/query-first-row.ts';
import type { MemberSql, ServiceSql } from '../../platform/database/roles.ts';
import type { Connection, ConnectionStatus } from './contract.ts';

export interface ConnectionRow extends Omit<Connection, 'connected_at' | 'synced_at'> {
  connected_at: Date;
  synced_at: Date | null;
}

/** Selects connections of the member `$1` with their accounts, oldest first. `c` is a connection. */
const buildConnectionQuery = (condition = 'true'): string =>
  `select c.id, c.kind, c.institution, c.status, c.connected_at, c.synced_at,
     coalesce((select json_agg(json_build_object('id', a.id, 'name', a.name, 'mask', a.mask, 'type', a.type,
         'balance', a.balance, 'currency', a.currency, 'left_out', a.left_out_at is not null,
         'duplicate', (select json_build_object('id', d.duplicate_id, 'name', d.name)
           from public.account_duplicates d where d.idp_id = $1 and d.account_id = a.id
           order by d.is_same_name desc, d.created_at, d.duplicate_id limit 1)) order by a.created_at, a.name, a.id)
       from public.connected_accounts a where a.idp_id = $1 and a.connection_id = c.id), '[]') as accounts
     from public.connections c where c.idp_id = $1 and ${condition} order by c.connected_at, c.id`;

/** Returns the member's connections with their accounts, oldest first. */
export function listConnections(sql: MemberSql): Promise<ConnectionRow[]> {
  return sql.query<ConnectionRow>(buildConnectionQuery(), [sql.idpId]);
}

export const findConnection = (sql: MemberSql, id: string) =>
  queryFirstRow<ConnectionRow>(sql, buildConnectionQuery('c.id = $2'), [sql.idpId, id]);

/** Connection with its encrypted credential. */
export interface StoredConnection extends Pick<Connection, 'id' | 'kind' | 'status'> {
  idp_id: string;
  provider: string;
  external_id: string;
  /** Null if its key was lost. */
  sealed: Buffer | null;
}

const storedConnectionColumns = `c.idp_id, c.id, c.kind, c.provider, c.external_id, c.status, s.sealed
  from public.connections c left join public.connection_secrets s on s.idp_id = c.idp_id and s.connection_id = c.id`;

export const findStoredConnection = (sql: ServiceSql, id: string) =>
  queryFirstRow<StoredConnection>(sql, `select ${storedConnectionColumns} where c.id = $1`, [id]);

export const findStoredConnectionOfMember = (sql: ServiceSql, idpId: string, id: string) =>
  queryFirstRow<StoredConnection>(sql, `select ${storedConnectionColumns} where c.idp_id = $1 and c.id = $2`, [
    idpId,
    id,
  ]);

export function listStoredConnections(sql: ServiceSql, idpId: string): Promise<StoredConnection[]> {
  return sql.query<StoredConnection>(`select ${storedConnectionColumns} where c.idp_id = $1 order by c.id`, [idpId]);
}

/** Data that shows whether a new sign-in repeats an existing connection. */
export interface ExistingConnection extends Pick<Connection, 'id' | 'institution' | 'status'> {
  external_id: string;
  institution_id: string | null;
  accounts: { name: string; mask: string | null }[];
}

export function listExistingConnections(
  sql: ServiceSql,
  idpId: string,
  provider: string,
): Promise<ExistingConnection[]> {
  return sql.query<ExistingConnection>(
    `select c.id, c.external_id, c.institution_id, c.institution, c.status,
       coalesce((select json_agg(json_build_object('name', a.original_name, 'mask', a.mask))
         from public.connected_accounts a where a.idp_id = $1 and a.connection_id = c.id), '[]') as accounts
       from public.connections c where c.idp_id = $1 and c.provider = $2 order by c.connected_at, c.id`,
    [idpId, provider],
  );
}

interface NewConnection extends Pick<StoredConnection, 'id' | 'kind' | 'provider'> {
  idpId: string;
  externalId: string;
  sealed: Buffer;
  institution: { id: string | null; name: string };
}

/** Inserts a connection with its credential. The caller must hold the member's lock. */
export async function insertConnection(sql: ServiceSql, connection: NewConnection): Promise<void> {
  const { idpId, id, kind, provider, externalId, institution, sealed } = connection;
  await sql.query(
    `insert into public.connections (idp_id, id, kind, provider, external_id, institution_id, institution)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [idpId, id, kind, provider, externalId, institution.id, institution.name],
  );
  await storeCredential(sql, { idpId, id, sealed });
}

/** Replaces a connection's credential. */
export async function replaceCredential(
  sql: ServiceSql,
  { idpId, id, externalId, sealed }: Pick<NewConnection, 'idpId' | 'id' | 'externalId' | 'sealed'>,
): Promise<void> {
  await sql.query(`update public.connections set external_id = $3 where idp_id = $1 and id = $2`, [
    idpId,
    id,
    externalId,
  ]);
  await storeCredential(sql, { idpId, id, sealed });
}

async function storeCredential(
  sql: ServiceSql,
  { idpId, id, sealed }: Pick<NewConnection, 'idpId' | 'id' | 'sealed'>,
): Promise<void> {
  await sql.query(
    `insert into public.connection_secrets (idp_id, connection_id, sealed) values ($1, $2, $3)
     on conflict (idp_id, connection_id) do update set sealed = excluded.sealed`,
    [idpId, id, sealed],
  );
}

interface SyncRecord {
  idpId: string;
  id: string;
  status: ConnectionStatus;
  /** True if everything was read. */
  isComplete: boolean;
  /** Id of the access used for the sync. The result of a replaced access is ignored. */
  externalId: string;
}

/** Records a sync with the provider. Returns false if the connection was deleted or has another access. */
export async function recordSync(
  sql: ServiceSql,
  { idpId, id, status, isComplete, externalId }: SyncRecord,
): Promise<boolean> {
  const rows = await sql.query(
    `update public.connections
        set status = $3, sync_attempted_at = now()${isComplete ? ', synced_at = now()' : ''}
      where idp_id = $1 and id = $2 and external_id = $4 returning id`,
    [idpId, id, status, externalId],
  );
  return rows.length > 0;
}

/**
 * Returns the connections with a provider's external id. There are several members only if the provider repeats ids.
 */
export async function findConnectionsByExternalId(
  sql: ServiceSql,
  provider: string,
  externalId: string,
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select c.id from public.connections c where c.provider = $1 and c.external_id = $2 order by c.id`,
    [provider, externalId],
  );
  return rows.map(({ id }) => id);
}

/**
 * Claims connections without a sync for 23 hours, oldest first, so that an hourly run syncs each once a day. Each claim
 * sets the next attempt a day later, unless a sync comes first.
 */
export function claimOverdueConnections(
  sql: ServiceSql,
  providers: readonly string[],
  limit: number,
): Promise<string[]> {
  return sql.transaction(async (transaction) => {
    // An advisory lock, because row locks do not span several servers.
    await transaction.query(`select pg_advisory_xact_lock(hashtextextended('claim-connections', 0))`);
    const overdue = await transaction.query<{ idp_id: string; id: string }>(
      `select o.idp_id, o.id from public.connections o
        where o.sync_attempted_at < now() - interval '23 hours' and o.provider = any($1::text[])
        order by o.sync_attempted_at limit $2`,
      [providers, limit],
    );
    const ids = overdue.map(({ id }) => id);
    await transaction.query(
      `update public.connections c set sync_attempted_at = now()
         from unnest($1::text[], $2::uuid[]) as overdue (idp_id, id) where c.idp_id = overdue.idp_id and c.id = overdue.id`,
      [overdue.map(({ idp_id }) => idp_id), ids],
    );
    return ids;
  });
}

type RefreshClaim = { outcome: 'claimed' } | { outcome: 'too_soon'; retryAfter: number } | { outcome: 'not_found' };

/** Records a refresh by the member, at most one per `intervalSeconds`. `retryAfter` is in seconds. */
export async function claimRefresh(
  sql: ServiceSql,
  idpId: string,
  id: string,
  intervalSeconds: number,
): Promise<RefreshClaim> {
  const claimed = await sql.query(
    `update public.connections set refresh_requested_at = now()
      where idp_id = $1 and id = $2
        and (refresh_requested_at is null or refresh_requested_at <= now() - make_interval(secs => $3)) returning id`,
    [idpId, id, intervalSeconds],
  );
  if (claimed.length > 0) return { outcome: 'claimed' };
  const [row] = await sql.query<{ wait: number }>(
    `select ceil(extract(epoch from c.refresh_requested_at - now()) + $3)::int as wait
       from public.connections c where c.idp_id = $1 and c.id = $2`,
    [idpId, id, intervalSeconds],
  );
  return row ? { outcome: 'too_soon', retryAfter: Math.max(1, row.wait) } : { outcome: 'not_found' };
}

/** Deletes the connection and by cascade its accounts, holdings and credential. Returns false if it does not exist. */
export async function deleteConnection(sql: ServiceSql, idpId: string, id: string): Promise<boolean> {
  const rows = await sql.query(`delete from public.connections where idp_id = $1 and id = $2 returning id`, [
    idpId,
    id,
  ]);
  return rows.length > 0;
}

/** Records a webhook's delivery. Returns false if it was recorded before. */
export async function recordDelivery(sql: ServiceSql, provider: string, id: string): Promise<boolean> {
  const rows = await sql.query(
    `insert into public.aggregator_deliveries (provider, id) values ($1, $2) on conflict do nothing returning id`,
    [provider, id],
  );
  return rows.length > 0;
}

/**
 * Counts of connections. `stale`: no complete read for two days, counted from the connection if there was none.
 * `revocations`: access that must be revoked.
 */
type ConnectionCounts = Record<'total' | 'stale' | 'needs_sign_in' | 'revocations', number>;

export async function countConnections(sql: ServiceSql): Promise<ConnectionCounts> {
  const [row] = await sql.query<ConnectionCounts>(
    `with counted as materialized (
       select count(*)::int as total,
         count(*) filter (where coalesce(c.synced_at, c.connected_at) < now() - interval '2 days')::int as stale,
         count(*) filter (where c.status in ('login_required', 'revoked'))::int as needs_sign_in
         from public.connections c
     )
     select c.*, (select count(*)::int from public.connection_revocations) as revocations from counted c`,
  );
  return row!;
}

/** Connection for the operator, without its member and names. */
export interface OperatorRow extends Omit<ConnectionRow, 'institution' | 'accounts'> {
  provider: string;
  accounts: number;
}

export function listConnectionsForOperator(sql: ServiceSql): Promise<OperatorRow[]> {
  return sql.query<OperatorRow>(
    `select c.id, c.kind, c.provider, c.status, c.connected_at, c.synced_at,
       (select count(*)::int from public.connected_accounts a
         where a.idp_id = c.idp_id and a.connection_id = c.id) as accounts
       from public.connections c order by c.synced_at nulls first, c.id`,
  );
}
