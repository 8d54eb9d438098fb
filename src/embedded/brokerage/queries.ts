import type { ServiceSql } from '../../platform/database/roles.ts';
import { hashToken, type HostedPageSession } from '../shared/hosted-page-queries.ts';
import type { EmbeddedAccount, Scenario } from './brokerage-data.ts';

/** Outbox table of the embedded provider's webhooks. */
export const OUTBOX = 'brokerage_sandbox.webhook_messages';

/** Registers a user id. Returns false if the id exists. */
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

/** Deletes a person with their authorizations and pages. Returns false if the person does not exist. */
export async function deleteUser(sql: ServiceSql, id: string): Promise<boolean> {
  const deleted = await sql.query(
    `with pages as (delete from brokerage_sandbox.portals where data ->> 'userId' = $1)
     delete from brokerage_sandbox.users where id = $1 returning id`,
    [id],
  );
  return deleted.length > 0;
}

export const PORTALS = 'brokerage_sandbox.portals';

/** Session of a hosted page. */
export type Portal = HostedPageSession<{
  returnUrl: string;
  userId: string;
  /** Authorization that the person reauthenticates, if any. */
  reconnect: string | null;
  /** User, brokerage and scenario of the sign-in. Each missing value is the next step of the page. */
  user?: string;
  brokerage?: string;
  scenario?: Scenario;
  step?: 'code';
  /** Error that the page showed last. */
  error?: string;
  /** Parameters of the redirect to the service. */
  result?: Record<string, string>;
}>;

export async function insertPortal(sql: ServiceSql, token: string, portal: Portal): Promise<void> {
  await sql.query(
    `insert into brokerage_sandbox.portals (token_hash, state, data, expires_at) values ($1, $2, $3, $4)`,
    [hashToken(token), portal.state, JSON.stringify(portal.data), portal.expires_at],
  );
}

/** Injected response to calls for an authorization. Tests write this value. */
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
    /** Time at which the authorization is disabled automatically. */
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

/** Deletes pages that expired, and authorizations that were removed, more than 30 days ago. */
export async function purgeExpired(sql: ServiceSql): Promise<void> {
  await sql.query(`delete from brokerage_sandbox.portals where expires_at < now() - interval '30 days'`);
  await sql.query(
    `delete from brokerage_sandbox.authorizations
      where state = 'removed' and created_at < now() - interval '30 days'`,
  );
}
