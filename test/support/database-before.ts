import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { fileURLToPath } from 'node:url';
import { migrate } from '../../src/database/migrate.ts';
import { migrationNames, MIGRATIONS } from '../../src/database/migration-files.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

/** A database as it stood before a migration file, without rows. */
export async function databaseBefore(t: TestContext, file: string): Promise<TestDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'tally-before-'));
  t.onTestFinished(() => rm(directory, { recursive: true }));
  const names = await migrationNames();
  if (!names.includes(file)) throw new Error(`There is no migration ${file}.`);
  for (const name of names.filter((other) => other < file))
    await copyFile(fileURLToPath(new URL(name, MIGRATIONS)), join(directory, name));
  const db = await createTestDatabase(t, { template: 'template0' });
  await migrate(db.ownerUrl, { directory });
  return db;
}
