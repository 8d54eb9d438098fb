import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createTestDatabase, joinCluster, type TestDatabase } from './database.ts';
import type { TestScope } from './test-scope.ts';

const FILES = ['secrets.json', 'first-run.json'] as const;

/** Contents of the files that a first run writes into its data directory. */
export type SeededFiles = Record<(typeof FILES)[number], string>;

/** Performs the first run in a database and a data directory. */
type Seed = (database: TestDatabase, dataDir: string) => Promise<void>;

const TEMPLATE = 'tally_seeded';

let filesPromise: Promise<SeededFiles> | undefined;

/**
 * Creates a database with the data of a first run: a copy of the database that the run's first process seeds. With
 * distributed rows each database is seeded itself.
 */
export async function createSeeded(seed: Seed, t?: TestScope): Promise<{ database: TestDatabase; files: SeededFiles }> {
  if ((await joinCluster()).workers) {
    const database = await createTestDatabase(t);
    return { database, files: await seedIn(database, seed) };
  }
  filesPromise ??= makeOnce(seed);
  const files = await filesPromise;
  return { database: await createTestDatabase(t, { template: TEMPLATE }), files };
}

async function makeOnce(seed: Seed): Promise<SeededFiles> {
  const client = new pg.Client({ connectionString: (await joinCluster()).ownerUrl });
  await client.connect();
  try {
    // The lock lasts until the connection ends.
    await client.query('select pg_advisory_lock(hashtext($1))', [TEMPLATE]);
    const descriptionQuery = `select shobj_description(oid, 'pg_database') as files from pg_database where datname = $1`;
    const [template] = (await client.query<{ files: string }>(descriptionQuery, [TEMPLATE])).rows;
    if (template) return JSON.parse(template.files) as SeededFiles;
    const database = await createTestDatabase();
    const files = await seedIn(database, seed);
    await database.close();
    await client.query(`comment on database ${database.name} is ${pg.escapeLiteral(JSON.stringify(files))}`);
    await client.query(`alter database ${database.name} rename to ${TEMPLATE}`);
    return files;
  } finally {
    await client.end();
  }
}

async function seedIn(database: TestDatabase, seed: Seed): Promise<SeededFiles> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tally-seeded-'));
  try {
    await seed(database, dataDir);
    return Object.fromEntries(FILES.map((name) => [name, readFileSync(join(dataDir, name), 'utf8')])) as SeededFiles;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
