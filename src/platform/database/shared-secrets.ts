import type { ServiceSql } from './roles.ts';

/**
 * Returns the stored secrets of these names, and stores the proposed value of a missing one. Concurrent starts agree,
 * because the first proposal is kept. `propose` is called only if one is missing.
 */
export async function getOrCreateSecrets<Name extends string>(
  sql: Pick<ServiceSql, 'query'>,
  names: readonly Name[],
  propose: () => Readonly<Record<Name, string>>,
): Promise<Record<Name, string>> {
  const stored = await readSecrets(sql, names);
  if (isComplete(stored, names)) return stored;
  const values = propose();
  const proposed = Object.fromEntries(names.map((name) => [name, values[name]]));
  await sql.query(
    `insert into tally.shared_secrets (name, value) select key, value from jsonb_each_text($1::jsonb)
       on conflict (name) do nothing`,
    [JSON.stringify(proposed)],
  );
  return readSecrets(sql, names);
}

/** Returns whether the database has the secrets of these names. */
export const hasSecrets = async (sql: Pick<ServiceSql, 'query'>, names: readonly string[]): Promise<boolean> =>
  isComplete(await readSecrets(sql, names), names);

const isComplete = (stored: Readonly<Record<string, string>>, names: readonly string[]): boolean =>
  names.every((name) => name in stored);

async function readSecrets(sql: Pick<ServiceSql, 'query'>, names: readonly string[]): Promise<Record<string, string>> {
  const rows = await sql.query<{ name: string; value: string }>(
    'select name, value from tally.shared_secrets where name = any($1)',
    [names],
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}
