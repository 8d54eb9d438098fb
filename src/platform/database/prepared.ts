import type { PoolClient } from 'pg';

/** More texts than the service has: what goes beyond is built at run time and would fill the server's memory. */
const MOST = 500;

const names = new Map<string, string>();
const preparing = new WeakSet<object>();

/** Lets this connection keep its statements prepared; not through a transaction pooler, which changes connections. */
export function keepPrepared(client: PoolClient): void {
  preparing.add(client);
}

/**
 * The name under which the connection keeps a statement, so that the server parses and plans it once; `undefined` where
 * it does not. Planning was more than half of the time of short statements. What a driver has yet to turn into JSON is
 * left out: where that fails, the name would be taken and the statement not there.
 */
export function nameOf(client: PoolClient, text: string, values: readonly unknown[]): string | undefined {
  if (!preparing.has(client) || !values.every(isPlain)) return undefined;
  const known = names.get(text);
  if (known !== undefined || names.size >= MOST) return known;
  const name = `tally_${names.size + 1}`;
  names.set(text, name);
  return name;
}

const isPlain = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  value instanceof Date ||
  (Array.isArray(value) && value.every((one) => typeof one !== 'object' || one === null));
