import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MarketUrls } from '../../src/config/provider-settings.ts';
import type { TestDatabase } from './database.ts';
import { forkService } from './forked-service.ts';
import type { TestService } from './service.ts';

/** The whole service in its own process with a readable log. */
export interface LoggedService extends TestService {
  /** Returns the log so far, from the level trace on. */
  log(): string;
}

/**
 * Starts the service with `settings` on top of the test's defaults. The caller stops it and drops a database that it
 * passed.
 */
export async function startLoggedService(
  settings: Record<string, string> = {},
  existingDatabase?: Pick<TestDatabase, 'name'>,
  marketUrls: MarketUrls = {},
): Promise<LoggedService> {
  const folder = mkdtempSync(join(tmpdir(), 'tally-log-'));
  const output = openSync(join(folder, 'log'), 'a');
  const log = (): string => readFileSync(join(folder, 'log'), 'utf8');
  const options = { settings: { LOG_LEVEL: 'trace', ...settings }, existingDatabase, marketUrls, output };
  const service = await forkService(options).catch((error: unknown) => {
    throw new Error(`The service did not start:\n${log()}`, { cause: error });
  });
  closeSync(output);
  return {
    ...service,
    log,
    async stop() {
      await service.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
