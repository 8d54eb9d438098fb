import type { PoolClient } from 'pg';

/** More than the service's number of statements. Any excess is built at run time and would fill the server's memory. */
const MAX_STATEMENTS = 500;

const nameByText = new Map<string, string>();
const preparedClients = new WeakSet<object>();

/** Lets this connection keep prepared statements. Not for a transaction pooler, which changes connections. */
export function enablePreparedStatements(client: PoolClient): void {
  preparedClients.add(client);
}

/**
 * Returns the name under which the connection prepares a statement, so that the server parses and plans it once.
 * Returns `undefined` if it prepares none. Planning was more than half of the time of short statements. Values that the
 * driver must convert to JSON are excluded. If the conversion failed, the name would be used without a statement on the
 * server.
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
