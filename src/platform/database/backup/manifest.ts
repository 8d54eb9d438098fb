import { z } from 'zod';

const table = z.object({
  /** `schema.name`, as PostgreSQL quotes it. */
  name: z.string(),
  /** The columns in the order of the file, as PostgreSQL quotes them, without generated ones. */
  columns: z.array(z.string()).min(1),
  rows: z.int().min(0),
  /** A file in the backup's folder with the rows in the text format of COPY, compressed with gzip. */
  file: z.string().regex(/^[\w.-]+\.copy\.gz$/),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** The content of a backup's `manifest.json`: its migrations, tables and sequences. */
export const manifestShape = z.object({
  format: z.literal('tally-backup-1'),
  made_at: z.iso.datetime(),
  /** The versions of the service and of PostgreSQL, for people to read. */
  version: z.string(),
  postgres: z.string(),
  /** The migrations that had been applied, in the order of their names. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })).min(1),
  tables: z.array(table).min(1),
  sequences: z.array(z.object({ name: z.string(), last_value: z.string().nullable() })),
});

export interface Manifest extends z.infer<typeof manifestShape> {
  /** An SQL file that repairs rows of an older version after they are loaded. It is not in `manifest.json`. */
  repairs?: URL;
}

export type BackupTable = z.infer<typeof table>;

/** Thrown when a backup cannot be written or restored. The message describes what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
