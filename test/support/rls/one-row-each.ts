import type pg from 'pg';
import { isOwnSchema } from '../database-lints/own-schemas.ts';

/** The owner of the row in every table. OTHER tries to access these rows. */
export const OWNER = 'user_a';
export const OTHER = 'user_b';

interface Column {
  name: string;
  type: string;
  /** True if a statement may set the column. */
  settable: boolean;
}

export interface Table {
  name: string;
  schema: string;
  /** True if row-level security applies: for a view, if it runs with its reader's rights. */
  rls: boolean;
  view: boolean;
  columns: Column[];
}

/** Returns every table and view of our schemas with its columns, by name. `only` limits it to one. */
export async function listTables(client: pg.Client, only?: string): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `
    select format('%I.%I', n.nspname, c.relname) as name, n.nspname as schema, c.relkind in ('v', 'm') as view,
           c.relrowsecurity or coalesce(c.reloptions, '{}') && array['security_invoker=true'] as rls,
           (select json_agg(json_build_object('name', quote_ident(a.attname), 'type', format_type(a.atttypid, null),
             'settable', a.attgenerated = '') order by a.attnum)
              from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns
      from pg_class c join pg_namespace n on n.oid = c.relnamespace and ${isOwnSchema}
     where c.relkind in ('r', 'p', 'v', 'm') and ($1::text is null or format('%I.%I', n.nspname, c.relname) = $1)
     order by 1`,
    [only ?? null],
  );
  return rows;
}

const sampleByType: Readonly<Record<string, string>> = {
  // Every column that identifies an owner contains A.
  text: `'${OWNER}'`,
  'text[]': "'{reports}'",
  uuid: `'00000000-0000-4000-8000-00000000000a'`,
  jsonb: `'{}'`,
  json: `'{}'`,
  bytea: `'\\x0a'`,
  boolean: 'true',
  date: 'current_date',
  'timestamp with time zone': 'now()',
  smallint: '1',
  integer: '1',
  bigint: '1',
  real: '1',
  'double precision': '1',
  numeric: '1',
};

/** Values that satisfy a policy where those of the type do not: `schema.table.column` -> SQL. */
const sampleByColumn: Readonly<Record<string, string>> = {
  'public.accounts.kind': `'manual'`,
  'public.deleted_members.idp_id_hash': `sha256('${OWNER}')`,
};

export function createSampleRow(table: Table): { columns: string; values: string } {
  const settable = table.columns.filter((column) => column.settable);
  const values = settable.map(({ name, type }) => {
    const value = sampleByColumn[`${table.name}.${name}`] ?? sampleByType[type];
    if (value === undefined)
      throw new Error(
        `${table.name}.${name} is of type ${type}: add a sample of it to test/support/rls/one-row-each.ts.`,
      );
    return `${value}::${type}`;
  });
  return { columns: settable.map(({ name }) => name).join(', '), values: values.join(', ') };
}

/**
 * Leaves exactly one row of A in every table, so that "none" and "all" are unambiguous. Removes checks and foreign keys
 * and disables triggers for this connection: a generated row would violate them, and they would hide the rights.
 */
export async function prepareRows(client: pg.Client): Promise<void> {
  await client.query('set session_replication_role = replica');
  const { rows: checks } = await client.query<{ drop: string }>(`
    select format('alter table %s drop constraint %I', k.conrelid::regclass, k.conname) as drop
      from pg_constraint k join pg_namespace n on n.oid = k.connamespace and ${isOwnSchema} where k.contype = 'c'
        and k.conrelid <> 0`);
  for (const { drop } of checks) await client.query(drop);
  const tables = (await listTables(client)).filter(({ view }) => !view);
  await client.query(`truncate ${tables.map(({ name }) => name).join(', ')}`);
  for (const table of tables) {
    const { columns, values } = createSampleRow(table);
    await client.query(`insert into ${table.name} (${columns}) overriding system value values (${values})`);
  }
}
