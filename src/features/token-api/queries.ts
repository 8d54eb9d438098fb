import { queryFirstRow } from '../../platform/database/query-first-row.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';

export type UsageTier = 1 | 2 | 3 | 4;

/** An API key in lists, without the key text and its hash. */
export interface ApiKeyRow {
  id: string;
  organisation_id: string;
  organisation: string;
  usage_tier: UsageTier;
  name: string;
  hint: string;
  created_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
}

/** The owner of an API key. */
export interface KeyHolder {
  hash: string;
  id: string;
  organisation_id: string;
  usage_tier: UsageTier;
}

const KEY_COLUMNS =
  'k.id, k.organisation_id, o.name as organisation, o.usage_tier, k.name, k.hint, k.created_at, ' +
  'k.last_used_at, k.revoked_at';

/** Returns the holders of active keys by their hashes (hexadecimal). Unknown hashes have no row. */
export function findKeyHolders(sql: ServiceSql, hashes: readonly string[]): Promise<KeyHolder[]> {
  return sql.query<KeyHolder>(
    `select encode(k.key_hash, 'hex') as hash, k.id, k.organisation_id, o.usage_tier
       from public.api_keys k join public.organisations o on o.id = k.organisation_id
      where k.revoked_at is null and k.key_hash in (select decode(h, 'hex') from unnest($1::text[]) h)`,
    [hashes],
  );
}

/** Returns the id of an operator's organization by name, and creates it if missing. Sets the tier if one is given. */
export async function ensureOrganisation(sql: ServiceSql, name: string, tier: UsageTier | undefined): Promise<string> {
  const [row] = await sql.query<{ id: string }>(
    `insert into public.organisations (name, usage_tier) values ($1, coalesce($2::smallint, 1))
     on conflict (name) where owner_idp_id is null
     do update set usage_tier = coalesce($2::smallint, organisations.usage_tier)
     returning id`,
    [name, tier ?? null],
  );
  return row!.id;
}

/** Returns the id of the member's own organization, and creates it if missing. */
export async function ensureMemberOrganisation(sql: ServiceSql, idpId: string): Promise<string> {
  const [row] = await sql.query<{ id: string }>(
    `insert into public.organisations (name, owner_idp_id) values ('Personal', $1)
     on conflict (owner_idp_id) where owner_idp_id is not null do update set name = organisations.name
     returning id`,
    [idpId],
  );
  return row!.id;
}

/**
 * Inserts a key, or returns `undefined` if the organization already has `most` active keys. Runs in the transaction
 * that locked the organization row, so concurrent callers wait for each other.
 */
export const insertApiKey = (
  sql: ServiceSql,
  key: { organisationId: string; name: string; hash: string; hint: string; maxKeys?: number | undefined },
) =>
  queryFirstRow<ApiKeyRow>(
    sql,
    `with k as (
       insert into public.api_keys (organisation_id, name, key_hash, hint)
       select $1, $2, decode($3, 'hex'), $4
        where $5::int is null or (select count(*) from public.api_keys
          where organisation_id = $1 and revoked_at is null) < $5
       returning *
     )
     select ${KEY_COLUMNS} from k join public.organisations o on o.id = k.organisation_id`,
    [key.organisationId, key.name, key.hash, key.hint, key.maxKeys ?? null],
  );

/**
 * Returns all keys, newest first, including revoked ones. If `ownerIdpId` is given, returns only the keys of that
 * member.
 */
export function listApiKeys(sql: ServiceSql, ownerIdpId?: string): Promise<ApiKeyRow[]> {
  return sql.query<ApiKeyRow>(
    `select ${KEY_COLUMNS} from public.api_keys k join public.organisations o on o.id = k.organisation_id
      where $1::text is null or o.owner_idp_id = $1 order by k.created_at desc, k.id`,
    [ownerIdpId ?? null],
  );
}

/**
 * Revokes a key. The time of an earlier revocation does not change. Returns `undefined` if there is no such key (of
 * that member, if one is given).
 */
export const markRevoked = (sql: ServiceSql, id: string, ownerIdpId?: string) =>
  queryFirstRow<ApiKeyRow>(
    sql,
    `with k as (
       update public.api_keys a set revoked_at = least(a.revoked_at, now())
         from public.organisations o
        where a.id = $1::uuid and o.id = a.organisation_id and ($2::text is null or o.owner_idp_id = $2)
       returning a.*
     )
     select ${KEY_COLUMNS} from k join public.organisations o on o.id = k.organisation_id`,
    [id, ownerIdpId ?? null],
  );

/** Sets the last use of keys to now, unless it was set within the last minute. */
export async function updateLastUsed(sql: ServiceSql, ids: readonly string[]): Promise<void> {
  await sql.query(
    `update public.api_keys set last_used_at = now()
      where id = any($1::uuid[]) and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
    [ids],
  );
}

/** Deletes the organization and keys of a deleted member. Running servers reject these keys within seconds. */
export async function deleteMemberOrganisation(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(`delete from public.organisations where owner_idp_id = $1`, [idpId]);
}
