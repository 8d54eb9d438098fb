import type { PoolClient } from 'pg';

/** More texts than the service has: what goes beyond is built at run time and would fill the server's memory. */
const MAX_STATEMENTS = 500;

const nameByText = new Map<string, string>();
const preparedClients = new WeakSet<object>();

/** Lets this connection keep its statements prepared; not through a transaction pooler, which changes connections. */
export function enablePreparedStatements(client: PoolClient): void {
  preparedClients.add(client);
}

/**
 * The name under which the connection keeps a statement, so that the server parses and plans it once; `undefined` where
 * it does not. Planning was more than half of the time of short statements. What a driver has yet to turn into JSON is
 * left out: where that fails, the name would be taken and the statement not there.
 */
export function getStatementName(client: PoolClient, text: string, values: readonly unknown[]): string | undefined {
  if (!preparedClients.has(client) || !values.every(isPlain)) return undefined;
  const existing = nameByText.get(text);
  if (existing !== undefined || nameByText.size >= MAX_STATEMENTS) return existing;
  const name = `tally_${nameByText.size + 1}`;
  nameByText.set(text, name);
  return name;
}

const isPlain = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  value instanceof Date ||
  (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null));
