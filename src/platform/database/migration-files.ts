import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export interface MigrationFile {
  /** `YYYYMMDD_NN_name.sql` */
  name: string;
  text: string;
  /** SHA-256 of the text with line ends normalized to LF, so that a checkout on Windows has an equal checksum. */
  checksum: string;
  /** The oldest version of Tally that works after this migration, if older ones do not. */
  minimumVersion: string | undefined;
}

const MIGRATIONS = new URL('../../../db/migrations/', import.meta.url);

/** Returns the names of a folder's migrations in the order in which they are applied. */
export async function listMigrationNames(directory: string | URL = MIGRATIONS): Promise<string[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  const misnamed = names.find((name) => !/^\d{8}_\d{2}_[a-z0-9_]+\.sql$/.test(name));
  if (misnamed)
    throw new Error(
      `The migration ${misnamed} must be named YYYYMMDD_NN_name.sql, since the names determine the order.`,
    );
  return names;
}

/**
 * Reads a folder's migrations. A file after which older versions cannot work begins with the line
 * `-- minimum version: X.Y.Z`.
 */
export async function readMigrations(directory: string | URL = MIGRATIONS): Promise<MigrationFile[]> {
  const folder = directory instanceof URL ? fileURLToPath(directory) : directory;
  const names = await listMigrationNames(folder);
  return Promise.all(
    names.map(async (name) => {
      const text = (await readFile(`${folder}/${name}`, 'utf8')).replaceAll('\r\n', '\n');
      const minimumVersion = /^-- minimum version: (\S+)\n/.exec(text)?.[1];
      return { name, text, checksum: createHash('sha256').update(text).digest('hex'), minimumVersion };
    }),
  );
}
