import type pg from 'pg';
import { listTables } from './one-row-each.ts';
import { listRoutines, findRoutineRights } from './routine-rights.ts';
import { describeSurroundings } from './surroundings.ts';
import { findGrants, findPolicies } from './table-rights.ts';

/** The rights of all roles by object: `table public.accounts` -> outcomes of the probes. */
export type Rights = Map<string, string[]>;

/**
 * Determines all rights by probing. `only` limits it to one object. Runs inside a transaction of the caller and leaves
 * it unchanged. The rows must have been prepared.
 */
export async function findRights(client: pg.Client, only?: string): Promise<Rights> {
  const rights: Rights = new Map();
  const isWanted = (name: string): boolean => only === undefined || only === name;
  const onlyTable = only && (/^(?:table|view) (.*)/.exec(only)?.[1] ?? '');
  for (const table of await listTables(client, onlyTable)) {
    const name = `${table.view ? 'view' : 'table'} ${table.name}`;
    if (!isWanted(name)) continue;
    await client.query('savepoint before_granting');
    const grants = await findGrants(client, table);
    const policies = await findPolicies(client, table);
    await client.query('rollback to savepoint before_granting');
    rights.set(name, [
      `  ${table.view ? 'row-level security of its reader' : 'row-level security'} ${table.rls ? 'on' : 'OFF'}`,
      ...grants,
      '  if every grant were given, of the one row, which is of A:',
      ...policies,
    ]);
  }
  for (const routine of /^function /.test(only ?? 'function ') ? await listRoutines(client) : []) {
    const name = `function ${routine.name}`;
    if (!isWanted(name)) continue;
    await client.query('savepoint before_granting');
    rights.set(name, await findRoutineRights(client, routine));
    await client.query('rollback to savepoint before_granting');
  }
  if (only !== undefined && /^(table|view|function) /.test(only)) return rights;
  for (const [name, lines] of await describeSurroundings(client)) if (isWanted(name)) rights.set(name, lines);
  return rights;
}

const HEADER = `# Who may do what with everything in the database, as found by trying.
# Read it as a reviewer: a wider line must be meant.
# After a migration: npm run schema
`;

export const printRights = (rights: Rights): string =>
  `${HEADER}\n${[...rights].map(([name, lines]) => `${name}\n${lines.join('\n')}\n`).join('\n')}`;

/** Parses the committed table of rights by object. */
export function parseRights(text: string): Rights {
  const rights: Rights = new Map();
  let lines: string[] = [];
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    if (line.startsWith(' ')) lines.push(line);
    else {
      lines = [];
      rights.set(line, lines);
    }
  }
  return rights;
}
