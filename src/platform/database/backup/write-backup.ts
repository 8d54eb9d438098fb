import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to } from 'pg-copy-streams';
import { createOwnerClient, toSql } from '../disposable-client.ts';
import type { Handle } from '../roles.ts';
import { BackupError, type BackupTable, computeManifestDigest, type Manifest } from './manifest.ts';
import { isOf0_1_0, UPGRADE_HINT_0_1_0 } from '../version-0.1.0.ts';
import { computeDigest } from './read-backup.ts';

interface TableRow {
  name: string;
  columns: string[];
}

/**
 * Query of every table of the service with its columns that are not generated. The tables of the job queue are
 * excluded, since its library owns them. Jobs are saved by name and payload. A restored database has no last backup and
 * no session of the operator. Links that a cluster keeps unique are also in `all_users`.
 */
const TABLES = `
  select format('%I.%I', n.nspname, c.relname) as name,
         array_agg(quote_ident(a.attname) order by a.attnum) as columns
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
   where c.relkind in ('r', 'p') and not c.relispartition
     and n.nspname not in ('pg_catalog', 'information_schema', 'graphile_worker') and n.nspname !~ '^pg_'
     and not (n.nspname = 'tally' and c.relname in ('last_backup', 'operator_sessions', 'referral_links'))
   group by 1 order by 1`;

const SEQUENCES = `
  select format('%I.%I', schemaname, sequencename) as name, last_value::text
    from pg_catalog.pg_sequences where schemaname <> 'graphile_worker' order by 1`;

/**
 * Writes a consistent snapshot of all rows into `folder` while the service runs, and returns the manifest.
 * @param writeFiles Writes the other files of the backup. It reads rows from the same snapshot.
 */
export async function writeRows(
  ownerUrl: string,
  folder: string,
  version: string,
  writeFiles: (sql: Pick<Handle, 'query'>) => Promise<void>,
): Promise<Manifest> {
  await using client = createOwnerClient(ownerUrl, 'backup');
  await client.connect();
  await client.query(`set row_security = off; set statement_timeout = 0; set datestyle = 'ISO'`);
  await client.query('begin isolation level repeatable read, read only');
  const { query } = toSql(client);
  const migrations = await query<Manifest['migrations'][number]>(
    'select name, checksum from tally.migrations order by name',
  );
  if (isOf0_1_0(migrations.map(({ name }) => name)))
    throw new BackupError(`The database is of version 0.1.0: ${UPGRADE_HINT_0_1_0}.`);
  const tables: BackupTable[] = [];
  for (const table of await query<TableRow>(TABLES)) tables.push(await writeTable(client, folder, table));
  await writeFiles({ query });
  // Sequences are not part of the snapshot, and a later value does no harm.
  const sequences = await query<Manifest['sequences'][number]>(SEQUENCES);
  const [server] = await query<{ server_version: string }>('show server_version');
  await client.query('commit');
  const files: Manifest['files'] = [];
  for (const file of (await readdir(folder)).toSorted())
    if (!tables.some((table) => table.file === file))
      files.push({ file, sha256: await computeDigest(join(folder, file)) });
  const content: Omit<Manifest, 'sha256'> = {
    format: 'tally-backup-1',
    made_at: new Date().toISOString(),
    version,
    postgres: server!.server_version,
    migrations,
    tables,
    sequences,
    files,
  };
  const manifest: Manifest = { ...content, sha256: computeManifestDigest(content) };
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  return manifest;
}

async function writeTable(client: pg.Client, folder: string, { name, columns }: TableRow): Promise<BackupTable> {
  const file = `${name.replaceAll('"', '')}.copy.gz`;
  const rows = client.query(to(`copy (select ${columns.join(', ')} from ${name}) to stdout`));
  const hash = createHash('sha256');
  const hashed = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(rows, createGzip(), hashed, createWriteStream(join(folder, file), { mode: 0o600 }));
  return { name, columns, rows: rows.rowCount ?? 0, file, sha256: hash.digest('hex') };
}
