import { createHash } from 'node:crypto';
import semver from 'semver';
import { z } from 'zod';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const table = z.object({
  /** `schema.name`, as PostgreSQL quotes it. */
  name: z.string(),
  /** The columns in the order of the file, as PostgreSQL quotes them, without generated ones. */
  columns: z.array(z.string()).min(1),
  rows: z.int().min(0),
  /** A file in the backup's folder with the rows in the text format of COPY, compressed with gzip. */
  file: z.string().regex(/^[\w.-]+\.copy\.gz$/),
  sha256,
});

/** The content of a backup's `manifest.json`: its migrations, tables, sequences and other files. */
export const manifestShape = z.object({
  format: z.literal('tally-backup-1'),
  made_at: z.iso.datetime(),
  /** The versions of the service and of PostgreSQL. A restore accepts none that are newer than its own. */
  version: z.string().refine((version) => semver.valid(version) !== null),
  postgres: z.string(),
  /** The migrations that had been applied, in the order of their names. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })).min(1),
  tables: z.array(table).min(1),
  sequences: z.array(z.object({ name: z.string(), last_value: z.string().nullable() })),
  /** Files without rows: the jobs and the secrets. */
  files: z.array(z.object({ file: z.string().regex(/^[\w-]+\.json$/), sha256 })),
  /** Checksum of the manifest without this field. */
  sha256,
});

/** Computes the checksum of a manifest, which may have the field `sha256` or not. */
export function computeManifestDigest({ sha256: _, ...content }: Partial<Manifest>): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

export type Manifest = z.infer<typeof manifestShape>;

export type BackupTable = z.infer<typeof table>;

/** Thrown when a backup cannot be written or restored. The message describes what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** Thrown when a file of a backup cannot be used. */
export class DamagedFile extends BackupError {
  constructor(path: string) {
    super(`${path} is missing or damaged: use another copy of this backup.`);
  }
}
