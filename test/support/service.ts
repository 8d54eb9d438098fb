import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, loadConfig } from '../../src/config/load-config.ts';
import { type FirstRun, readFirstRun } from '../../src/installation/first-run.ts';
import { start, type StartOptions } from '../../src/main.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { createSeeded, type SeededFiles } from './seeded-database.ts';
import type { TestScope } from './test-scope.ts';

/** The first run beside the embedded identity provider, which creates an operator's token and a demo account. */
export type SeededRun = FirstRun & { operator_token: string; demo_account_idp_user_id: string };

export interface TestService {
  url: string;
  /** Undefined in spite of its type if a passed database had members. */
  firstRun: SeededRun;
  database: TestDatabase;
  /** Ends the service and removes its data. */
  stop(): Promise<void>;
}

/** Settings that change the result of a first run. */
const SETTINGS_THAT_CHANGE_SEED =
  /^(DATA_DIR|IDP_API_URL|FMP_API_KEY|FINNHUB_API_KEY|(DEMO_ACCOUNT|SAMPLE_USER)_IDP_USER_ID)$/;

/**
 * Starts the whole service like `tally start`, on a new database and a free port. `settings` extend the test's
 * defaults. The first run is a copy of the run's, unless the settings change it. A database that was passed is not
 * dropped.
 */
export async function startService(
  settings: Record<string, string> = {},
  existingDatabase?: TestDatabase,
  options: Pick<StartOptions, 'marketUrls' | 'embeddedIdentity'> = {},
): Promise<TestService> {
  const usesSeededCopy =
    !existingDatabase && !Object.keys(settings).some((name) => SETTINGS_THAT_CHANGE_SEED.test(name));
  const seeded = usesSeededCopy ? await createSeeded(seed) : undefined;
  const database = existingDatabase ?? seeded?.database ?? (await createTestDatabase());
  const dataDir = mkdtempSync(join(tmpdir(), 'tally-service-'));
  if (seeded) writeFirstRun(seeded.files, dataDir, settings);
  const service = await start(createConfig(database, dataDir, settings), { seed: true, ...options });
  return {
    url: service.url,
    firstRun: readFirstRun(dataDir) as SeededRun,
    database,
    async stop() {
      await service.stop();
      await (existingDatabase ? database.close() : database.drop());
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Creates a database with a first run and returns its result, for services that a test starts in another way. */
export async function createSeededDatabase(t?: TestScope): Promise<{ database: TestDatabase; firstRun: SeededRun }> {
  const { database, files } = await createSeeded(seed, t);
  return { database, firstRun: JSON.parse(files['first-run.json']) as SeededRun };
}

async function seed(database: TestDatabase, dataDir: string): Promise<void> {
  const service = await start(createConfig(database, dataDir, { WORKER: 'off' }), { seed: true });
  await service.stop();
}

/** Writes the files that a first run with these settings would write. */
function writeFirstRun(files: SeededFiles, dataDir: string, settings: Record<string, string>): void {
  const { DEMO_ACCESS_OPERATOR_TOKEN: operator, REVENUE_OPERATOR_TOKEN: revenue } = settings;
  const firstRun = {
    ...(JSON.parse(files['first-run.json']) as FirstRun),
    ...(operator && { operator_token: operator }),
    ...(revenue !== undefined && { revenue_operator_token: revenue || undefined }),
  };
  writeFileSync(join(dataDir, 'secrets.json'), files['secrets.json'], { mode: 0o600 });
  writeFileSync(join(dataDir, 'first-run.json'), JSON.stringify(firstRun), { mode: 0o600 });
}

const createConfig = (database: TestDatabase, dataDir: string, settings: Record<string, string>): Config =>
  loadConfig({ ...getDatabaseSettings(database), DATA_DIR: dataDir, ...settings });

/** Returns the settings of a service on this database. */
export const getDatabaseSettings = (database: TestDatabase) => ({
  PORT: '0',
  LOG_LEVEL: 'silent',
  // During a run at the reset hour, tests would find reset demo data.
  DEMO_ACCESS_RESET: 'off',
  CONNECTIONS_KEY: 'c0'.repeat(32),
  SAMPLE_DATA: 'on',
  REVENUE_OPERATOR_TOKEN: 'e0'.repeat(32),
  OPERATOR_TOKEN: 'f0'.repeat(32),
  DB_URL: database.urls.authenticator,
  ...(!database.distributed && { DB_ASSISTANT_KEY: 'assistant-test' }),
  DB_SERVICE_ROLE_KEY: decodeURIComponent(/:\/\/[^:]+:([^@]*)@/.exec(database.urls.service)?.[1] ?? ''),
});
