import { tracingChannel } from 'node:diagnostics_channel';
import type { PoolClient, QueryResult } from 'pg';
import { getStatementName } from './prepared-statements.ts';
import { isLongWork, LONG_STATEMENT_TIMEOUT_MS } from './statement-timeouts.ts';

/** Publishes each statement to subscribers, which is tracing. */
const statements = tracingChannel<string, { text: string }>('tally:statement');

/** Sends one statement. Always uses the extended protocol, which rejects a second statement hidden in the text. */
export function send(client: PoolClient, text: string, values: readonly unknown[] = []): Promise<QueryResult> {
  const name = getStatementName(client, text, values);
  const runQuery = (): Promise<QueryResult> =>
    client.query({
      text,
      values: [...values],
      ...getStatementTimeout(client),
      ...(name === undefined ? { queryMode: 'extended' } : { name }),
    } as never);
  return statements.hasSubscribers ? statements.tracePromise(runQuery, { text }) : runQuery();
}

/** Role and claims that a transaction sets before its first statement. `null` keeps the login's default role. */
export interface Identity {
  role: string;
  /** JSON for `request.jwt.claims`. */
  claims: string;
  /** The member's identifier, which the claims also contain. Policies read it for each row without parsing JSON. */
  member: string;
}

// Hosted platforms' auth.jwt() reads the older name `request.jwt.claim` first, so a value that a session may have there
// is overwritten too.
export const SET_IDENTITY = `set_config('role', $1, true), set_config('request.jwt.claims', $2, true),
  set_config('request.jwt.claim', '', true), set_config('request.jwt.claim.sub', $3, true)`;

/** Sends a statement whose text is built at run time, so it is never prepared. */
export const sendUnprepared = (client: PoolClient, text: string): Promise<QueryResult> =>
  client.query({ text, queryMode: 'extended', ...getStatementTimeout(client) } as never);

const longStatementClients = new WeakSet<object>();

/** Allows longer statements on this connection if they belong to long work (`withLongStatements`). */
export function allowLongStatements(client: PoolClient): void {
  longStatementClients.add(client);
}

const getStatementTimeout = (client: PoolClient): { query_timeout?: number } =>
  isLongWork() && longStatementClients.has(client) ? { query_timeout: LONG_STATEMENT_TIMEOUT_MS } : {};

const identityForwardingClients = new WeakSet<object>();

/** Makes this connection's server forward the identity to the servers that hold the distributed rows. */
export function forwardIdentity(client: PoolClient): void {
  identityForwardingClients.add(client);
}

/** Begins the transaction and sets the identity in one round trip. Both are local to the transaction. */
export const beginAs = (client: PoolClient, identity: Identity | null): Promise<QueryResult>[] => [
  send(client, 'begin'),
  ...(identity ? setIdentity(client, identity) : []),
];

/** Sets the identity for the rest of the current transaction. */
export function setIdentity(client: PoolClient, identity: Identity): Promise<QueryResult>[] {
  const sent: Promise<QueryResult>[] = [];
  // Citus forwards SET LOCAL, but no set_config(). Without this a member would see no rows.
  if (identityForwardingClients.has(client))
    sent.push(
      send(client, `set local citus.propagate_set_commands to 'local'`),
      sendUnprepared(client, `set local request.jwt.claims to ${client.escapeLiteral(identity.claims)}`),
      sendUnprepared(client, `set local request.jwt.claim.sub to ${client.escapeLiteral(identity.member)}`),
    );
  sent.push(send(client, `select ${SET_IDENTITY}`, [identity.role, identity.claims, identity.member]));
  return sent;
}

/**
 * Sets the service's role again. It is a separate statement, since a member may not execute `set_config()`. Citus must
 * not forward it, because the other servers are connected under the member's role.
 */
export const resetIdentity = (client: PoolClient): Promise<QueryResult>[] => [
  ...(identityForwardingClients.has(client) ? [send(client, `set local citus.propagate_set_commands to 'none'`)] : []),
  send(client, 'set local role service_role'),
];

/** Returns all results, or throws the first error. A later "transaction is aborted" never hides its cause. */
export async function awaitAll(sent: readonly Promise<QueryResult>[]): Promise<QueryResult[]> {
  const results: QueryResult[] = [];
  for (const outcome of await Promise.allSettled(sent)) {
    if (outcome.status === 'rejected') throw outcome.reason;
    results.push(outcome.value);
  }
  return results;
}

/**
 * Runs one statement as `identity` in one round trip: begin, identity, statement and commit are sent together. If a
 * step fails, the server rejects the later ones and its COMMIT becomes ROLLBACK. So nothing runs under the wrong role.
 */
export async function runAs(
  client: PoolClient,
  identity: Identity,
  text: string,
  values?: readonly unknown[],
): Promise<QueryResult> {
  const sent = [...beginAs(client, identity), send(client, text, values), send(client, 'commit')];
  const [statement, commit] = (await awaitAll(sent)).slice(-2);
  if (!statement || commit?.command !== 'COMMIT') throw new Error('The transaction was rolled back by the server.');
  return statement;
}
