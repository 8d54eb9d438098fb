import { tracingChannel } from 'node:diagnostics_channel';
import type { PoolClient, QueryResult } from 'pg';
import { getStatementName } from './prepared-statements.ts';
import { isLongWork, LONG_STATEMENT_TIMEOUT_MS } from './statement-timeouts.ts';

/** Told of each statement, where somebody listens: tracing. */
const statements = tracingChannel<string, { text: string }>('tally:statement');

/** One statement for the server; always the extended protocol, which refuses a second statement hidden in the text. */
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

/** Role and claims that a transaction puts on before its first statement. `null`: the login's own default role. */
export interface Identity {
  role: string;
  /** JSON for `request.jwt.claims`. */
  claims: string;
  /** The member's identifier, which the claims hold too: policies need it for each row, and parse nothing for it. */
  member: string;
}

// Hosted platforms' auth.jwt() looks at the older name `request.jwt.claim` first, so what a session may hold there is
// covered too.
export const SET_IDENTITY = `set_config('role', $1, true), set_config('request.jwt.claims', $2, true),
  set_config('request.jwt.claim', '', true), set_config('request.jwt.claim.sub', $3, true)`;

/** A statement whose text is made at run time: it is never kept prepared. */
export const sendUnprepared = (client: PoolClient, text: string): Promise<QueryResult> =>
  client.query({ text, queryMode: 'extended', ...getStatementTimeout(client) } as never);

const longStatementClients = new WeakSet<object>();

/** Lets this connection's statements take longer where they belong to long work (`withLongStatements`). */
export function allowLongStatements(client: PoolClient): void {
  longStatementClients.add(client);
}

const getStatementTimeout = (client: PoolClient): { query_timeout?: number } =>
  isLongWork() && longStatementClients.has(client) ? { query_timeout: LONG_STATEMENT_TIMEOUT_MS } : {};

const identityForwardingClients = new WeakSet<object>();

/** Has this connection's server pass the identity on to the servers that it spreads the rows over. */
export function forwardIdentity(client: PoolClient): void {
  identityForwardingClients.add(client);
}

/** Opens the transaction and puts the identity on, in one round trip. Both are local to the transaction. */
export const beginAs = (client: PoolClient, identity: Identity | null): Promise<QueryResult>[] => [
  send(client, 'begin'),
  ...(identity ? setIdentity(client, identity) : []),
];

/** Puts the identity on for the rest of the transaction under way. */
export function setIdentity(client: PoolClient, identity: Identity): Promise<QueryResult>[] {
  const sent: Promise<QueryResult>[] = [];
  // Citus passes on what SET LOCAL sets, and nothing that set_config() does: without this a member would see no rows.
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
 * Sets the service's role again. By a statement of its own, since a member may not execute `set_config()`; Citus must not
 * pass it on, since the other servers are reached under the member's role.
 */
export const resetIdentity = (client: PoolClient): Promise<QueryResult>[] => [
  ...(identityForwardingClients.has(client) ? [send(client, `set local citus.propagate_set_commands to 'none'`)] : []),
  send(client, 'set local role service_role'),
];

/** What came of all; else throws the first failure: a later "transaction is aborted" never hides its cause. */
export async function awaitAll(sent: readonly Promise<QueryResult>[]): Promise<QueryResult[]> {
  const results: QueryResult[] = [];
  for (const outcome of await Promise.allSettled(sent)) {
    if (outcome.status === 'rejected') throw outcome.reason;
    results.push(outcome.value);
  }
  return results;
}

/**
 * Runs one statement as `identity` in one round trip: begin, identity, statement, commit leave together. When a step
 * fails the server refuses the later ones and its COMMIT becomes ROLLBACK, so nothing runs under the wrong role.
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
