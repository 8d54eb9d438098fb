import { createHash } from 'node:crypto';
import type { ServiceSql } from '../../database/roles.ts';
import type { SandboxAccount, Scenario } from './brokerage-data.ts';

/** Where the stand-in's webhooks wait. */
export const OUTBOX = 'brokerage_sandbox.webhook_messages';

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Registers a name; false where it is taken. */
export async function insertPerson(sql: ServiceSql, id: string, secret: string): Promise<boolean> {
  const rows = await sql.query(
    `insert into brokerage_sandbox.people (id, secret_hash) values ($1, $2) on conflict do nothing returning id`,
    [id, hashOf(secret)],
  );
  return rows.length > 0;
}

export async function isPerson(sql: ServiceSql, id: string, secret: string): Promise<boolean> {
  const rows = await sql.query(`select 1 from brokerage_sandbox.people p where p.id = $1 and p.secret_hash = $2`, [
    id,
    hashOf(secret),
  ]);
  return rows.length > 0;
}

/** Deletes a person with their authorizations; false where there is none. */
export async function deletePerson(sql: ServiceSql, id: string): Promise<boolean> {
  return (await sql.query(`delete from brokerage_sandbox.people where id = $1 returning id`, [id])).length > 0;
}

/** A hosted page that was asked for. */
export interface Portal {
  state: 'created' | 'open' | 'finished' | 'exited';
  data: {
    returnUrl: string;
    person: string;
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
  };
  expires_at: Date;
}

export async function insertPortal(sql: ServiceSql, token: string, portal: Portal): Promise<void> {
  await sql.query(
    `insert into brokerage_sandbox.portals (token_hash, state, data, expires_at) values ($1, $2, $3, $4)`,
    [hashOf(token), portal.state, JSON.stringify(portal.data), portal.expires_at],
  );
}

export async function findPortal(sql: ServiceSql, token: string): Promise<Portal | undefined> {
  const [row] = await sql.query<Portal>(
    `select p.state, p.data, p.expires_at from brokerage_sandbox.portals p where p.token_hash = $1`,
    [hashOf(token)],
  );
  return row;
}

/** Moves a page on from the state in which it was read; false where somebody else has. */
export async function updatePortal(
  sql: ServiceSql,
  token: string,
  from: Portal,
  to: Omit<Portal, 'expires_at'>,
): Promise<boolean> {
  const rows = await sql.query(
    `update brokerage_sandbox.portals set state = $2, data = $3
      where token_hash = $1 and state = $4 and data = $5::jsonb returning 1`,
    [hashOf(token), to.state, JSON.stringify(to.data), from.state, JSON.stringify(from.data)],
  );
  return rows.length > 0;
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
  person: string;
  state: 'good' | 'disabled';
  data: {
    user: string;
    brokerage: string;
    accounts: SandboxAccount[];
    createdAt: string;
    /** When it will be disabled by itself. */
    breaksAt?: string;
    fault?: Fault;
  };
}

const columns = 'a.id, a.person, a.state, a.data';

export async function insertAuthorization(sql: ServiceSql, made: Authorization): Promise<void> {
  await sql.query(`insert into brokerage_sandbox.authorizations (id, person, state, data) values ($1, $2, $3, $4)`, [
    made.id,
    made.person,
    made.state,
    JSON.stringify(made.data),
  ]);
}

export function listAuthorizations(sql: ServiceSql, person: string): Promise<Authorization[]> {
  return sql.query<Authorization>(
    `select ${columns} from brokerage_sandbox.authorizations a where a.person = $1 and a.state <> 'removed'
      order by a.created_at, a.id`,
    [person],
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
export async function forgetOld(sql: ServiceSql): Promise<void> {
  await sql.query(`delete from brokerage_sandbox.portals where expires_at < now() - interval '30 days'`);
  await sql.query(
    `delete from brokerage_sandbox.authorizations
      where state = 'removed' and created_at < now() - interval '30 days'`,
  );
}
