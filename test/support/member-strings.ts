import { createHash } from 'node:crypto';
import { excludeExtensionObjects } from './database-lints/own-schemas.ts';
import { listOwnerColumns } from './member-tables.ts';
import type { TestService } from './service.ts';

type Owner = TestService['database']['owner'];

/** Strings of a member, each with the column where it was found. */
export type MemberStrings = Map<string, string>;

interface Column {
  table: string;
  column: string;
}

/** Shorter strings, such as currencies and symbols, belong to nobody. */
const MIN_LENGTH = 8;

const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d([T ][\d:.+Z-]*)?$/.test(text);

/**
 * Returns every column of every schema, also of the job queue's, that may hold text: all types but numbers, booleans,
 * times and intervals.
 */
const listTextColumns = (owner: Owner): Promise<Column[]> =>
  owner<Column>(`
    select format('%I.%I', n.nspname, c.relname) as table, a.attname as column
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
     where c.relkind in ('r', 'p') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
       and ${excludeExtensionObjects('c.oid', 'pg_class')}
       and a.attnum > 0 and not a.attisdropped and t.typcategory not in ('N', 'B', 'D', 'T')
     order by 1, 2`);

/** Returns the texts in a JSON value. A bytea in it is hexadecimal after `\x`. */
function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value.replace(/^\\x/, '')];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

/** Returns the texts of all rows that belong to one of these members, with their column, except rows with `without`. */
async function readTexts(owner: Owner, idpIds: readonly string[], without: string | null): Promise<MemberStrings> {
  const texts: MemberStrings = new Map();
  const keys = [
    { table: 'public.all_users', column: 'idp_id' },
    { table: 'idp.users', column: 'id' },
    ...(await listOwnerColumns(owner)),
  ];
  const textColumns = new Set((await listTextColumns(owner)).map(({ table, column }) => `${table}.${column}`));
  for (const { table, column } of keys) {
    const rows = await owner<{ row: object }>(
      `select to_jsonb(t) as row from ${table} t
        where ${column} = any ($1) and ($2::text is null or strpos(t::text, $2) = 0)`,
      [idpIds, without],
    );
    for (const { row } of rows)
      for (const [name, value] of Object.entries(row))
        if (textColumns.has(`${table}.${name}`))
          for (const text of listTexts(value)) texts.set(text, `${table}.${name}`);
  }
  return texts;
}

/**
 * Returns the strings that only rows of this member have: identifiers, addresses, names, texts, hashes, and the hash of
 * the identifier. Other members should have the same kinds of rows, so that common values are left out.
 */
export async function collectMemberStrings(owner: Owner, idpId: string): Promise<MemberStrings> {
  const others = (
    await owner<{ id: string }>('select idp_id as id from public.all_users where idp_id <> $1', [idpId])
  ).map(({ id }) => id);
  const common = await readTexts(owner, others, idpId);
  const own = await readTexts(owner, [idpId], null);
  own.set(createHash('sha256').update(idpId).digest('hex'), 'SHA-256 of the identifier');
  return new Map([...own].filter(([text]) => text.length >= MIN_LENGTH && !isDate(text) && !common.has(text)));
}

export interface FoundString {
  /** Column that has the string. */
  column: string;
  /** Column of the member's rows where it was collected. */
  source: string;
}

/** Returns how a column may have the text: as it is, escaped as in JSON, and as hexadecimal bytes. */
const listForms = (text: string): string[] => [
  ...new Set([text, JSON.stringify(text).slice(1, -1), Buffer.from(text).toString('hex')]),
];

/** Returns the columns of the database that have one of the strings. */
export async function findMemberStrings(owner: Owner, strings: MemberStrings): Promise<FoundString[]> {
  const forms = [...strings].flatMap(([text, source]) => listForms(text).map((form) => ({ form, source })));
  // Most columns have none, and one expression rules them out faster than each string in turn.
  const anyForm = new RegExp(forms.map(({ form }) => form.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')).join('|'));
  const found = new Map<string, FoundString>();
  for (const { table, column } of await listTextColumns(owner)) {
    const rows = await owner<{ value: string | null }>(`select distinct "${column}"::text as value from ${table}`);
    // No text of the database has a zero byte, so that no string spans two values.
    const values = rows.map(({ value }) => value ?? '').join('\0');
    if (!anyForm.test(values)) continue;
    for (const { form, source } of forms)
      if (values.includes(form)) found.set(`${table}.${column} ${source}`, { column: `${table}.${column}`, source });
  }
  return [...found.values()];
}
