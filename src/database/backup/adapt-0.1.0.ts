import type { MigrationFile } from '../migration-files.ts';
import type { Manifest } from './manifest.ts';

/** A migration that every database of 0.1.0 has had and no later version has. */
const ONLY_IN_0_1_0 = '20260905_01_plans.sql';

/** The last migration of 0.2.0: files dated after it change the schema that the rows of 0.1.0 fit. */
const LAST_OF_0_2_0 = '20261003_01_assistant_sql.sql';

/**
 * What 0.2.0 names otherwise than 0.1.0: `schema.table` or a sequence to its new name, `schema.table.column` (by the old
 * name of the table) to the column's.
 */
const RENAMED: Readonly<Record<string, string>> = {};

const REPAIRS = new URL('../../../db/restore/repair-0.1.0.sql', import.meta.url);

/** How a database of 0.1.0 comes to this version, as the end of a sentence. */
export const WAY_FROM_0_1_0 =
  'write it to a folder with "tally backup", and fill an empty DATA_DIR or database from it with "tally restore"';

/** Whether these migrations are those of a database of 0.1.0. */
export const isOf0_1_0 = (migrations: readonly string[]): boolean => migrations.includes(ONLY_IN_0_1_0);

/**
 * A backup of 0.1.0 as one of 0.2.0: its rows go into the tables that the migrations of 0.2.0 create, under the new
 * names, and are repaired. Other backups are returned as they are.
 */
export function adapt(manifest: Manifest, files: readonly MigrationFile[], renamed = RENAMED): Manifest {
  if (!isOf0_1_0(manifest.migrations.map(({ name }) => name))) return manifest;
  const rename = (name: string): string => renamed[name] ?? name;
  return {
    ...manifest,
    migrations: files.filter(({ name }) => name <= LAST_OF_0_2_0),
    tables: manifest.tables
      // The new database records its own migrations.
      .filter(({ name }) => name !== 'tally.migrations')
      .map((table) => ({
        ...table,
        name: rename(table.name),
        columns: table.columns.map((column) => renamed[`${table.name}.${column}`] ?? column),
      })),
    sequences: manifest.sequences.map((sequence) => ({ ...sequence, name: rename(sequence.name) })),
    repairs: REPAIRS,
  };
}
