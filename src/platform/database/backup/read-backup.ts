import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import semver from 'semver';
import { parseJson } from '../../http/parse-json.ts';
import { readVersion } from '../../http/version.ts';
import { readMigrations } from '../migration-files.ts';
import { isOf0_1_0, UPGRADE_HINT_0_1_0 } from '../version-0.1.0.ts';
import { BackupError, computeManifestDigest, DamagedFile, type Manifest, manifestShape } from './manifest.ts';

/**
 * Reads a backup's manifest, and checks its files and migrations. It writes nothing, and throws `BackupError` when a
 * check fails.
 */
export async function readBackup(folder: string): Promise<Manifest> {
  const files = await readMigrations();
  const manifest = await checkFiles(folder);
  if (semver.gt(manifest.version, readVersion()))
    throw new BackupError(
      `The backup is of a newer version (${manifest.version}) than this one (${readVersion()}): restore it with that version.`,
    );
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

/** Reads a backup's manifest and compares each file with its checksum. Throws `BackupError` for the first difference. */
export async function checkFiles(folder: string): Promise<Manifest> {
  const manifest = parseManifest(folder, await readManifest(folder));
  for (const { file, sha256 } of [...manifest.tables, ...manifest.files])
    if ((await computeDigest(join(folder, file))) !== sha256) throw new DamagedFile(join(folder, file));
  return manifest;
}

async function readManifest(folder: string): Promise<string> {
  const path = join(folder, 'manifest.json');
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw explainReadError(path, error);
    throw new BackupError(`${folder} contains no backup (${code}): name a folder that "tally backup" wrote.`);
  }
}

/** Reads a file of a backup. Throws `DamagedFile` if it is missing, and `BackupError` if it cannot be read. */
export async function readBackupFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw explainReadError(path, error);
  }
}

function explainReadError(path: string, error: unknown): BackupError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new DamagedFile(path);
  return new BackupError(`${path} cannot be read (${code ?? message}): let this account read it, or use another copy.`);
}

function parseManifest(folder: string, text: string): Manifest {
  const content = parseJson(text);
  if (isManifestOf0_1_0(content))
    throw new BackupError(`${folder} is a backup of version 0.1.0: ${UPGRADE_HINT_0_1_0}.`);
  const { success, data: manifest } = manifestShape.safeParse(content);
  if (!success || computeManifestDigest(content as Manifest) !== manifest.sha256)
    throw new BackupError(`${join(folder, 'manifest.json')} is damaged or has another format.`);
  return manifest;
}

function isManifestOf0_1_0(content: unknown): boolean {
  const { data } = manifestShape.pick({ migrations: true }).safeParse(content);
  return data !== undefined && isOf0_1_0(data.migrations.map(({ name }) => name));
}

/** Computes the checksum of a file of a backup. Throws like `readBackupFile`. */
export async function computeDigest(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash);
  } catch (error) {
    throw explainReadError(path, error);
  }
  return hash.digest('hex');
}
