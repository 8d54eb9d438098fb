import type { MemberSql, ServiceSql } from '../../../platform/database/roles.ts';
import type { TokenScope } from './contract.ts';

/** A token for lists, without the token itself and its hash. */
export interface TokenRow {
  id: string;
  name: string;
  hint: string;
  scopes: TokenScope[];
  created_at: Date;
  expires_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
}

/** The holder of a token. */
export interface TokenHolder {
  id: string;
  idp_id: string;
  scopes: TokenScope[];
}

const TOKEN_COLUMNS = 't.id, t.name, t.hint, t.scopes, t.created_at, t.expires_at, t.last_used_at, t.revoked_at';

/** Returns the member's newest 100 tokens, including expired and revoked ones. */
export function listTokens(sql: MemberSql): Promise<TokenRow[]> {
  return sql.query<TokenRow>(
    `select ${TOKEN_COLUMNS} from public.assistant_tokens t where t.idp_id = $1
      order by (t.revoked_at is null and t.expires_at > now()) desc, t.created_at desc, t.id limit 100`,
    [sql.idpId],
  );
}

/**
 * Stores a token. Returns `undefined` if the member already has `most` valid tokens. Runs in its own transaction, so
 * that concurrent calls wait for each other.
 */
export function insertToken(
  sql: MemberSql,
  token: {
    idpId: string;
    name: string;
    hash: Buffer;
    hint: string;
    scopes: TokenScope[];
    days: number;
    maxActive: number;
  },
): Promise<TokenRow | undefined> {
  return sql.transaction(async (transaction) => {
    await transaction.query(`select pg_advisory_xact_lock(hashtextextended('assistant-tokens:' || $1, 0))`, [
      token.idpId,
    ]);
    const [{ active_count: count } = { active_count: 0 }] = await transaction.query<{ active_count: number }>(
      `select count(*)::int as active_count from public.assistant_tokens t
        where t.idp_id = $1 and t.revoked_at is null and t.expires_at > now()`,
      [token.idpId],
    );
    if (count >= token.maxActive) return undefined;
    const [row] = await transaction.query<TokenRow>(
      `insert into public.assistant_tokens as t (idp_id, name, token_hash, hint, scopes, expires_at)
       values ($1, $2, $3, $4, $5, now() + $6::int * interval '1 day') returning ${TOKEN_COLUMNS}`,
      [token.idpId, token.name, token.hash, token.hint, token.scopes, token.days],
    );
    return row;
  });
}

/**
 * Revokes a token of the member. An earlier revocation time is kept. Returns `false` if the member has no token with
 * this id.
 */
export async function revokeToken(sql: MemberSql, id: string): Promise<boolean> {
  const rows = await sql.query(
    `update public.assistant_tokens t set revoked_at = least(t.revoked_at, now())
      where t.idp_id = $1 and t.id = $2::uuid returning t.id`,
    [sql.idpId, id],
  );
  return rows.length > 0;
}

/** Returns the holder of the valid token with this hash. Records the use of the token at most once a minute. */
export async function findTokenHolder(sql: ServiceSql, hash: Buffer): Promise<TokenHolder | undefined> {
  const [row] = await sql.query<TokenHolder>(
    `with token as (
       select t.id, t.idp_id, t.scopes, t.last_used_at from public.assistant_tokens t
        where t.token_hash = $1 and t.revoked_at is null and t.expires_at > now()
     ), touched as (
       update public.assistant_tokens t set last_used_at = now() from token f
        where t.idp_id = f.idp_id and t.id = f.id
          and (f.last_used_at is null or f.last_used_at < now() - interval '1 minute')
     )
     select id, idp_id, scopes from token`,
    [hash],
  );
  return row;
}

/** Deletes the tokens of a deleted member. */
export async function deleteMemberTokens(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query('delete from public.assistant_tokens where idp_id = $1', [idpId]);
}
