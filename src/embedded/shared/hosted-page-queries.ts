import { createHash } from 'node:crypto';
import type { ServiceSql } from '../../platform/database/roles.ts';

/** Tables of the embedded providers' page sessions, by the hash of their token. */
type HostedPageTable = 'bank_sandbox.link_sessions' | 'brokerage_sandbox.portals';

/** A requested page, in the states of the aggregators. */
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

/** Updates a page if its state is unchanged since it was read. Returns false if another request changed it. */
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
