import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { from } from 'pg-copy-streams';
import { BackupError, type BackupTable, type Manifest } from './manifest.ts';

/**
 * Replaces all rows of a database by those of a backup. Call it in a transaction. The database must have the backup's
 * migrations. Each table is loaded after the tables that its foreign keys name, so that the owner needs no further
 * privilege and PostgreSQL checks every key.
 */
export async function loadRows(client: pg.Client, folder: string, { tables, sequences }: Manifest): Promise<void> {
  await client.query(`set local row_security = off; set local statement_timeout = 0; set local datestyle = 'ISO'`);
  // "cascade" only reaches tables that are newer than the backup, which are still empty.
  await client.query(`truncate ${tables.map(({ name }) => name).join(', ')} cascade`);
  for (const { name, columns, file, rows } of sortByReferences(tables, await readReferences(client))) {
    const copy = client.query(from(`copy ${name} (${columns.join(', ')}) from stdin`));
    await pipeline(createReadStream(join(folder, file)), createGunzip(), copy);
    if (copy.rowCount !== rows)
      throw new BackupError(`${file} has ${copy.rowCount} rows instead of ${rows}: use another copy of this backup.`);
  }
  for (const { name, last_value: last } of sequences)
    await client.query('select setval($1::regclass, coalesce($2, 1), $2 is not null)', [name, last]);
  await client.query('analyze');
}

/** A foreign key: rows of `table` name rows of `target`. */
interface Reference {
  table: string;
  target: string;
}

/** Reads the foreign keys between different tables, with names as in the manifest. */
async function readReferences(client: pg.Client): Promise<Reference[]> {
  const { rows } = await client.query<Reference>(`
    select distinct format('%I.%I', n.nspname, c.relname) as table, format('%I.%I', tn.nspname, t.relname) as target
      from pg_catalog.pg_constraint k
      join pg_catalog.pg_class c on c.oid = k.conrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      join pg_catalog.pg_class t on t.oid = k.confrelid join pg_catalog.pg_namespace tn on tn.oid = t.relnamespace
     where k.contype = 'f' and k.conrelid <> k.confrelid and k.conparentid = 0`);
  return rows;
}

/** Sorts tables so that each follows the tables that it references. Throws if the references form a cycle. */
export function sortByReferences<Table extends Pick<BackupTable, 'name'>>(
  tables: readonly Table[],
  references: readonly Reference[],
): Table[] {
  const sorted: Table[] = [];
  let waiting = [...tables];
  while (waiting.length > 0) {
    const names = new Set(waiting.map(({ name }) => name));
    const blocked = new Set(references.filter(({ target }) => names.has(target)).map(({ table }) => table));
    const ready = waiting.filter(({ name }) => !blocked.has(name));
    if (ready.length === 0) throw new Error(`Foreign keys form a cycle: ${[...names].join(', ')}.`);
    sorted.push(...ready);
    waiting = waiting.filter(({ name }) => blocked.has(name));
  }
  return sorted;
}
