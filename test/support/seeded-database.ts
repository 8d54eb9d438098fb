import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createTestDatabase, joinCluster, type TestDatabase } from './database.ts';

/** What the first run has made: a database to copy, and what it has written into its data directory. */
export interface Seeded {
  template: string;
  files: Record<(typeof FILES)[number], string>;
}

const TEMPLATE = 'tally_seeded';
const FILES = ['secrets.json', 'first-run.json'] as const;

let found: Promise<Seeded> | undefined;

/** The run's, which the first of its processes to ask makes by `seed`. */
export function findSeeded(seed: (database: TestDatabase, dataDir: string) => Promise<void>): Promise<Seeded> {
  return (found ??= makeOnce(seed));
}

async function makeOnce(seed: (database: TestDatabase, dataDir: string) => Promise<void>): Promise<Seeded> {
  const client = new pg.Client({ connectionString: (await joinCluster()).ownerUrl });
  await client.connect();
  try {
    // Until the connection ends.
    await client.query('select pg_advisory_lock(hashtext($1))', [TEMPLATE]);
    const look = `select shobj_description(oid, 'pg_database') as files from pg_database where datname = $1`;
    const [made] = (await client.query<{ files: string }>(look, [TEMPLATE])).rows;
    if (made) return { template: TEMPLATE, files: JSON.parse(made.files) as Seeded['files'] };
    const database = await createTestDatabase();
    const dataDir = mkdtempSync(join(tmpdir(), 'tally-seeded-'));
    try {
      await seed(database, dataDir);
      const files = Object.fromEntries(
        FILES.map((name) => [name, readFileSync(join(dataDir, name), 'utf8')]),
      ) as Seeded['files'];
      await database.close();
      await client.query(`comment on database ${database.name} is ${pg.escapeLiteral(JSON.stringify(files))}`);
      await client.query(`alter database ${database.name} rename to ${TEMPLATE}`);
      return { template: TEMPLATE, files };
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  } finally {
    await client.end();
  }
}
