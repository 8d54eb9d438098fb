import type { JWK } from 'jose';
import { queryFirstRow } from '../../platform/database/query-first-row.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { hashToken, type HostedPageSession } from '../shared/hosted-page-queries.ts';
import type { EmbeddedAccount } from './bank-data.ts';

/** Outbox table of the embedded provider's webhooks. */
export const OUTBOX = 'bank_sandbox.webhook_messages';

export const SESSIONS = 'bank_sandbox.link_sessions';

/** Session of a hosted page. */
export type LinkSession = HostedPageSession<{
  returnUrl: string;
  webhook: string | null;
  /** Item that the member reauthenticates, if any. */
  itemId: string | null;
  /** Person in the naming of the caller that created the page. */
  clientUserId: string;
  startedAt?: string;
  finishedAt?: string;
  /** User and bank of the sign-in. Each missing value is the next step of the page. */
  user?: string;
  bank?: string;
  step?: 'code' | 'accounts';
  /** Error that the page showed last. */
  error?: string;
  accounts?: EmbeddedAccount[];
  /** Accounts that the item already shares, if a new sign-in also selects accounts. */
  shared?: EmbeddedAccount[];
  exchanged?: boolean;
}>;

export async function insertSession(
  sql: ServiceSql,
  token: string,
  publicToken: string,
  session: LinkSession,
): Promise<void> {
  await sql.query(
    `insert into bank_sandbox.link_sessions (token_hash, state, data, public_token_hash, expires_at)
     values ($1, $2, $3, $4, $5)`,
    [hashToken(token), session.state, JSON.stringify(session.data), hashToken(publicToken), session.expires_at],
  );
}

/** Redeems a public token. Each token can be redeemed once. */
export const spendPublicToken = (sql: ServiceSql, publicToken: string) =>
  queryFirstRow<LinkSession>(
    sql,
    `update bank_sandbox.link_sessions s set data = s.data || '{"exchanged": true}'
      where s.public_token_hash = $1 and s.state = 'finished' and not s.data ? 'exchanged'
      returning s.state, s.data, s.expires_at`,
    [hashToken(publicToken)],
  );

export interface Item {
  id: string;
  state: 'good' | 'login_required' | 'removed';
  data: { clientUserId: string; user: string; bank: string; webhook: string | null; accounts: EmbeddedAccount[] };
}

const columns = 'i.id, i.state, i.data';

export async function insertItem(sql: ServiceSql, accessToken: string, { id, state, data }: Item): Promise<void> {
  await sql.query(`insert into bank_sandbox.items (id, access_token_hash, state, data) values ($1, $2, $3, $4)`, [
    id,
    hashToken(accessToken),
    state,
    JSON.stringify(data),
  ]);
}

export const findItem = (sql: ServiceSql, accessToken: string) =>
  queryFirstRow<Item>(
    sql,
    `select ${columns} from bank_sandbox.items i where i.access_token_hash = $1 and i.state <> 'removed'`,
    [hashToken(accessToken)],
  );

export async function setItemState(sql: ServiceSql, id: string, state: Item['state']): Promise<void> {
  await sql.query(`update bank_sandbox.items i set state = $2 where i.id = $1 and i.state <> 'removed'`, [id, state]);
}

/** Sets the accounts that an item shares. */
export async function setItemAccounts(
  sql: ServiceSql,
  id: string,
  accounts: readonly EmbeddedAccount[],
): Promise<void> {
  await sql.query(
    `update bank_sandbox.items i set data = jsonb_set(i.data, '{accounts}', $2::jsonb)
      where i.id = $1 and i.state <> 'removed'`,
    [id, JSON.stringify(accounts)],
  );
}

/** Revokes access of a person's items at a bank. These items then require a new sign-in. */
export function endOlderItems(sql: ServiceSql, clientUserId: string, bank: string): Promise<Item[]> {
  return sql.query<Item>(
    `update bank_sandbox.items i set state = 'login_required'
      where i.state = 'good' and i.data ->> 'clientUserId' = $1 and i.data ->> 'bank' = $2 returning ${columns}`,
    [clientUserId, bank],
  );
}

/** Deletes the pages of a person, in the naming of the caller that created them. */
export async function deletePages(sql: ServiceSql, clientUserId: string): Promise<void> {
  await sql.query(`delete from bank_sandbox.link_sessions where data ->> 'clientUserId' = $1`, [clientUserId]);
}

/** Deletes pages that expired, and items that were removed, more than 30 days ago. */
export async function purgeExpired(sql: ServiceSql): Promise<void> {
  await sql.query(`delete from bank_sandbox.link_sessions where expires_at < now() - interval '30 days'`);
  await sql.query(`delete from bank_sandbox.items where state = 'removed' and created_at < now() - interval '30 days'`);
}

export interface EmbeddedKey {
  kid: string;
  public_jwk: JWK;
  private_jwk: JWK;
}

/** Stores the key unless a key exists. Returns the stored key. */
export async function storeKeyOnce(sql: ServiceSql, key: EmbeddedKey): Promise<EmbeddedKey> {
  await sql.query(
    `insert into bank_sandbox.signing_keys (kid, public_jwk, private_jwk) values ($1, $2, $3) on conflict do nothing`,
    [key.kid, JSON.stringify(key.public_jwk), JSON.stringify(key.private_jwk)],
  );
  return (await findKey(sql))!;
}

export const findKey = (sql: ServiceSql) =>
  queryFirstRow<EmbeddedKey>(sql, `select k.kid, k.public_jwk, k.private_jwk from bank_sandbox.signing_keys k`);
