import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../src/config.ts';
import { loadConfig } from '../../src/config.ts';
import type { FirstRun } from '../../src/first-run.ts';
import { start } from '../../src/main.ts';
import type { TestDatabase } from './database.ts';
import { createTestDatabase } from './database.ts';

export interface TestService {
  url: string;
  firstRun: FirstRun;
  database: TestDatabase;
  /** Ends the service and removes what it kept. */
  stop(): Promise<void>;
}

/** Where a run's tests find what a first start makes; in the environment variable of this name. */
const SEEDED_VARIABLE = 'TALLY_TEST_SEEDED';

interface Seeded {
  /** A database to copy, and the data directory that belongs to it. */
  template: string;
  dataDir: string;
}

/**
 * Does the first start of the service once for a whole run: each `startService` of a process that has `env` is then a second one, on copies.
 * Call it where the run's cluster is known.
 */
export async function seedOnce(): Promise<{ env: Record<string, string>; remove(): void }> {
  const database = await createTestDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'tally-seeded-'));
  const service = await start(configOf(database, dataDir, { WORKER: 'off' }), { seed: true });
  await service.stop();
  await database.database.close();
  const seeded: Seeded = { template: database.name, dataDir };
  return {
    env: { [SEEDED_VARIABLE]: JSON.stringify(seeded) },
    remove: () => rmSync(dataDir, { recursive: true, force: true }),
  };
}

/** The whole service as `tally start` runs it, on a database of its own and a free port. `settings` go on top of the test's defaults. */
export async function startService(settings: Record<string, string> = {}): Promise<TestService> {
  const seeded = JSON.parse(process.env[SEEDED_VARIABLE] ?? 'null') as Seeded | null;
  const database = await createTestDatabase(undefined, seeded ?? {});
  const dataDir = mkdtempSync(join(tmpdir(), 'tally-service-'));
  if (seeded) cpSync(seeded.dataDir, dataDir, { recursive: true });
  const service = await start(configOf(database, dataDir, settings), { seed: true });
  return {
    url: service.url,
    firstRun: JSON.parse(readFileSync(join(dataDir, 'first-run.json'), 'utf8')) as FirstRun,
    database,
    async stop() {
      await service.stop();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const configOf = (database: TestDatabase, dataDir: string, settings: Record<string, string>): Config =>
  loadConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    DB_PREPARED_STATEMENTS: 'on',
    DB_URL: database.urls.authenticator,
    DB_SERVICE_ROLE_KEY: decodeURIComponent(/:\/\/[^:]+:([^@]*)@/.exec(database.urls.service)?.[1] ?? ''),
    ...settings,
  });
