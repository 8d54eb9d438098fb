import type { JWK } from 'jose';
import type { ServiceSql } from '../../platform/database/roles.ts';

export interface KeyRow {
  kid: string;
  public_jwk: JWK;
  private_jwk: JWK;
  retired: boolean;
}

/** Returns every key, oldest first. */
export const listKeys = (sql: ServiceSql) =>
  sql.query<KeyRow>(
    `select kid, public_jwk, private_jwk, retired_at is not null as retired
     from idp.signing_keys order by created_at, kid`,
  );

/** Stores a key as the signing key, unless there is one. */
export async function insertKey(sql: ServiceSql, key: Omit<KeyRow, 'retired'>): Promise<void> {
  await sql.query(
    `insert into idp.signing_keys (kid, public_jwk, private_jwk) values ($1, $2, $3) on conflict do nothing`,
    [key.kid, JSON.stringify(key.public_jwk), JSON.stringify(key.private_jwk)],
  );
}

/** Retires the signing key. The key stays published for tokens that it has signed. */
export async function rotateOutCurrentKey(sql: ServiceSql): Promise<void> {
  await sql.query(`update idp.signing_keys set retired_at = now() where retired_at is null`);
}
