import { queryFirstRow } from '../../platform/database/query-first-row.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { Kind, Objects, StoredObject } from './objects.ts';

/** Outbox table of the embedded provider's webhooks. */
export const OUTBOX = 'pay_sandbox.webhook_messages';

/** Takes an exclusive lock until the transaction ends. All operations of the embedded provider are serialized. */
export async function lockPayments(sql: ServiceSql): Promise<void> {
  await sql.query(`select pg_advisory_xact_lock(hashtext('pay_sandbox'))`);
}

export async function findObject(sql: ServiceSql, id: string): Promise<StoredObject | undefined> {
  const [row] = await sql.query<{ data: StoredObject }>(`select o.data from pay_sandbox.objects o where o.id = $1`, [
    id,
  ]);
  return row?.data;
}

export async function findByToken<K extends Kind>(
  sql: ServiceSql,
  kind: K,
  token: string,
): Promise<Objects[K] | undefined> {
  const [row] = await sql.query<{ data: Objects[K] }>(
    `select o.data from pay_sandbox.objects o where o.kind = $1 and o.data ->> '_token' = $2`,
    [kind, token],
  );
  return row?.data;
}

export async function putObject(sql: ServiceSql, object: StoredObject): Promise<void> {
  await sql.query(
    `insert into pay_sandbox.objects (id, kind, customer, data) values ($1, $2, $3, $4)
     on conflict (id) do update set data = excluded.data`,
    [object.id, object.object, 'customer' in object ? object.customer : null, JSON.stringify(object)],
  );
}

/** Returns the objects of a kind, newest first as in the API, optionally of one customer. */
export async function listObjects<K extends Kind>(sql: ServiceSql, kind: K, customer?: string): Promise<Objects[K][]> {
  const rows = await sql.query<{ data: Objects[K] }>(
    `select o.data from pay_sandbox.objects o where o.kind = $1 and ($2::text is null or o.customer = $2)
      order by o.seq desc`,
    [kind, customer ?? null],
  );
  return rows.map(({ data }) => data);
}

export const findStoredResponse = (sql: ServiceSql, key: string) =>
  queryFirstRow<{ request_hash: Buffer; body: object }>(
    sql,
    `select k.request_hash, k.body from pay_sandbox.idempotency_keys k where k.key = $1`,
    [key],
  );

export async function storeResponse(sql: ServiceSql, key: string, hash: Buffer, body: object): Promise<void> {
  await sql.query(
    `insert into pay_sandbox.idempotency_keys (key, request_hash, status, body) values ($1, $2, 200, $3)`,
    [key, hash, JSON.stringify(body)],
  );
}

/** Stores the embedded provider's secret unless one with this name exists. Returns the stored secret. */
export async function storeSecretOnce(sql: ServiceSql, name: string, secret: string): Promise<string> {
  await sql.query(`insert into pay_sandbox.secrets (name, secret) values ($1, $2) on conflict do nothing`, [
    name,
    secret,
  ]);
  const [row] = await sql.query<{ secret: string }>(`select secret from pay_sandbox.secrets where name = $1`, [name]);
  return row!.secret;
}

/** Deletes idempotent responses that no caller repeats anymore. */
export async function purgeExpired(sql: ServiceSql): Promise<void> {
  await sql.query(`delete from pay_sandbox.idempotency_keys where created_at < now() - interval '3 days'`);
}
