import { createHash } from 'node:crypto';
import type { ServiceSql } from '../../platform/database/roles.ts';

/** The embedded providers' tables of pages that were asked for, by the hash of their token. */
type HostedPageTable = 'bank_sandbox.link_sessions' | 'brokerage_sandbox.portals';

/** A page that was asked for, as the aggregators' own states call it. */
export interface HostedPageSession<Data> {
  state: 'created' | 'open' | 'finished' | 'exited';
  data: Data;
  expires_at: Date;
}

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

export async function findHostedPageSession<Data>(
  sql: ServiceSql,
  table: HostedPageTable,
  token: string,
): Promise<HostedPageSession<Data> | undefined> {
  const text = `select v.state, v.data, v.expires_at from ${table} v where v.token_hash = $1`;
  const [row] = await sql.query<HostedPageSession<Data>>(text, [hashToken(token)]);
  return row;
}

/** Moves a page on from the state in which it was read; false where somebody else has. */
export async function updateHostedPageSession<Data>(
  sql: ServiceSql,
  table: HostedPageTable,
  token: string,
  from: HostedPageSession<Data>,
  to: Omit<HostedPageSession<Data>, 'expires_at'>,
): Promise<boolean> {
  const rows = await sql.query(
    `update ${table} set state = $2, data = $3 where token_hash = $1 and state = $4 and data = $5::jsonb returning 1`,
    [hashToken(token), to.state, JSON.stringify(to.data), from.state, JSON.stringify(from.data)],
  );
  return rows.length > 0;
}
