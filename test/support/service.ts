import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, loadConfig } from '../../src/config.ts';
import type { FirstRun } from '../../src/first-run.ts';
import { start } from '../../src/main.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export interface TestService {
  url: string;
  firstRun: FirstRun;
  database: TestDatabase;
  /** Ends the service and removes what it kept. */
  stop(): Promise<void>;
}

/**
 * The whole service as `tally start` runs it, on a database of its own and a free port. `settings` go on top of the
 * test's defaults. A database that is given stays.
 */
export async function startService(settings: Record<string, string> = {}, given?: TestDatabase): Promise<TestService> {
  const database = given ?? (await createTestDatabase());
  const dataDir = mkdtempSync(join(tmpdir(), 'tally-service-'));
  const service = await start(configOf(database, dataDir, settings), { seed: true });
  return {
    url: service.url,
    firstRun: JSON.parse(readFileSync(join(dataDir, 'first-run.json'), 'utf8')) as FirstRun,
    database,
    async stop() {
      await service.stop();
      await (given ? database.close() : database.drop());
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const configOf = (database: TestDatabase, dataDir: string, settings: Record<string, string>): Config =>
  loadConfig({ ...settingsOn(database), DATA_DIR: dataDir, ...settings });

/** What a service needs to run on this database. */
export const settingsOn = (database: TestDatabase) => ({
  PORT: '0',
  LOG_LEVEL: 'silent',
  DB_PREPARED_STATEMENTS: 'on',
  CONNECTIONS_KEY: 'c0'.repeat(32),
  REVENUE_OPERATOR_TOKEN: 'e0'.repeat(32),
  DB_URL: database.urls.authenticator,
  ...(!database.distributed && { DB_ASSISTANT_KEY: 'assistant-test' }),
  DB_SERVICE_ROLE_KEY: decodeURIComponent(/:\/\/[^:]+:([^@]*)@/.exec(database.urls.service)?.[1] ?? ''),
});
