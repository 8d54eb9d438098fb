import type { ServiceSql } from '../../platform/database/roles.ts';
import { hashToken, type HostedPageSession } from '../shared/hosted-page-queries.ts';
import type { EmbeddedAccount, Scenario } from './brokerage-data.ts';

/** Where the embedded provider's webhooks wait. */
export const OUTBOX = 'brokerage_sandbox.webhook_messages';

/** Registers a name; false where it is taken. */
export async function insertUser(sql: ServiceSql, id: string, secret: string): Promise<boolean> {
  const rows = await sql.query(
    `insert into brokerage_sandbox.users (id, secret_hash) values ($1, $2) on conflict do nothing returning id`,
    [id, hashToken(secret)],
  );
  return rows.length > 0;
}

export async function isValidUser(sql: ServiceSql, id: string, secret: string): Promise<boolean> {
  const rows = await sql.query(`select 1 from brokerage_sandbox.users u where u.id = $1 and u.secret_hash = $2`, [
    id,
    hashToken(secret),
  ]);
  return rows.length > 0;
}

/** Deletes a user with their authorizations; false where there is none. */
export async function deleteUser(sql: ServiceSql, id: string): Promise<boolean> {
  return (await sql.query(`delete from brokerage_sandbox.users where id = $1 returning id`, [id])).length > 0;
}

export const PORTALS = 'brokerage_sandbox.portals';

/** A hosted page that was asked for. */
export type Portal = HostedPageSession<{
  returnUrl: string;
  userId: string;
  /** The authorization that is signed in to again. */
  reconnect: string | null;
  /** Who has signed in, where, and what it shall come to; what is asked for next. */
  user?: string;
  brokerage?: string;
  scenario?: Scenario;
  step?: 'code';
  /** The error that the page showed last. */
  error?: string;
  /** What the browser is sent back with. */
  result?: Record<string, string>;
}>;

export async function insertPortal(sql: ServiceSql, token: string, portal: Portal): Promise<void> {
  await sql.query(
    `insert into brokerage_sandbox.portals (token_hash, state, data, expires_at) values ($1, $2, $3, $4)`,
    [hashToken(token), portal.state, JSON.stringify(portal.data), portal.expires_at],
  );
}

/** What calls about an authorization are answered with instead; tests write it. */
interface Fault {
  on: 'authorization' | 'accounts' | 'balances' | 'positions';
  status: number;
  code: string;
  retryAfter?: number;
}

export interface Authorization {
  id: string;
  userId: string;
  state: 'good' | 'disabled';
  data: {
    user: string;
    brokerage: string;
    accounts: EmbeddedAccount[];
    createdAt: string;
    /** When it will be disabled by itself. */
    breaksAt?: string;
    fault?: Fault;
  };
}

const columns = 'a.id, a.owner_id as "userId", a.state, a.data';

export async function insertAuthorization(sql: ServiceSql, { id, userId, state, data }: Authorization): Promise<void> {
  await sql.query(`insert into brokerage_sandbox.authorizations (id, owner_id, state, data) values ($1, $2, $3, $4)`, [
    id,
    userId,
    state,
    JSON.stringify(data),
  ]);
}

export function listAuthorizations(sql: ServiceSql, userId: string): Promise<Authorization[]> {
  return sql.query<Authorization>(
    `select ${columns} from brokerage_sandbox.authorizations a where a.owner_id = $1 and a.state <> 'removed'
      order by a.created_at, a.id`,
    [userId],
  );
}

export async function setAuthorizationState(
  sql: ServiceSql,
  id: string,
  state: Authorization['state'] | 'removed',
): Promise<void> {
  await sql.query(
    `update brokerage_sandbox.authorizations set state = $2, data = data - 'breaksAt'
      where id::text = $1 and state <> 'removed'`,
    [id, state],
  );
}

/** Forgets pages that expired, and authorizations that were removed, more than 30 days ago. */
export async function purgeExpired(sql: ServiceSql): Promise<void> {
  await sql.query(`delete from brokerage_sandbox.portals where expires_at < now() - interval '30 days'`);
  await sql.query(
    `delete from brokerage_sandbox.authorizations
      where state = 'removed' and created_at < now() - interval '30 days'`,
  );
}
