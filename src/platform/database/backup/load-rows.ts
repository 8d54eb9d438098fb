import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { from } from 'pg-copy-streams';
import { createOwnerClient } from '../disposable-client.ts';
import { BackupError, type Manifest } from './manifest.ts';

/**
 * Replaces all rows of a database by those of a backup, in one transaction. The database must have the backup's
 * migrations. Triggers and foreign keys are off during the load, since the rows were consistent when they were written.
 * So the owner must be allowed to set `session_replication_role`.
 */
export async function loadRows(ownerUrl: string, folder: string, manifest: Manifest): Promise<void> {
  const { tables, sequences, repairs } = manifest;
  await using client = createOwnerClient(ownerUrl, 'restore');
  await client.connect();
  await client.query(`set row_security = off; set statement_timeout = 0; set datestyle = 'ISO'`);
  await client.query('begin');
  await client.query('set local session_replication_role = replica');
  // "cascade" only reaches tables that are newer than the backup, which are still empty.
  await client.query(`truncate ${tables.map(({ name }) => name).join(', ')} cascade`);
  for (const { name, columns, file, rows } of tables) {
    const copy = client.query(from(`copy ${name} (${columns.join(', ')}) from stdin`));
    await pipeline(createReadStream(join(folder, file)), createGunzip(), copy);
    if (copy.rowCount !== rows)
      throw new BackupError(`${file} has ${copy.rowCount} rows instead of ${rows}: use another copy of this backup.`);
  }
  if (repairs) await client.query(await readFile(repairs, 'utf8'));
  for (const { name, last_value: last } of sequences)
    await client.query('select setval($1::regclass, coalesce($2, 1), $2 is not null)', [name, last]);
  await client.query('commit');
  await client.query('analyze');
}
