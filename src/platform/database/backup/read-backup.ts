import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { readMigrations } from '../migration-files.ts';
import { adaptManifest } from './adapt-0.1.0.ts';
import { BackupError, type Manifest, manifestShape } from './manifest.ts';

/**
 * Reads a backup's manifest, adapts one of 0.1.0 to this version, and checks its files and migrations. It writes
 * nothing, and throws `BackupError` when a check fails.
 */
export async function readBackup(folder: string): Promise<Manifest> {
  const files = await readMigrations();
  const manifest = adaptManifest(parseManifest(folder, await readManifest(folder)), files);
  for (const { file, sha256 } of manifest.tables)
    if ((await computeDigest(join(folder, file))) !== sha256)
      throw new BackupError(`${join(folder, file)} is missing or damaged: use another copy of this backup.`);
  const checksumByName = new Map(files.map(({ name, checksum }) => [name, checksum]));
  const unknown = manifest.migrations.find(({ name }) => !checksumByName.has(name));
  if (unknown)
    throw new BackupError(
      `The backup is of a newer version (${manifest.version}, migration ${unknown.name}): restore it with that version.`,
    );
  const changed = manifest.migrations.find(({ name, checksum }) => checksumByName.get(name) !== checksum);
  if (changed) throw new BackupError(`The migration ${changed.name} of this version differs from the backup's.`);
  return manifest;
}

async function readManifest(folder: string): Promise<string> {
  try {
    return await readFile(join(folder, 'manifest.json'), 'utf8');
  } catch (error) {
    const remedy = 'name a folder that "tally backup" wrote';
    throw new BackupError(`${folder} contains no backup (${(error as NodeJS.ErrnoException).code}): ${remedy}.`);
  }
}

function parseManifest(folder: string, text: string): Manifest {
  try {
    return manifestShape.parse(JSON.parse(text));
  } catch {
    throw new BackupError(`${join(folder, 'manifest.json')} is damaged or has another format.`);
  }
}

async function computeDigest(file: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(file), hash);
  } catch {
    return undefined;
  }
  return hash.digest('hex');
}
