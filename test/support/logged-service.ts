import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MarketUrls } from '../../src/config/provider-settings.ts';
import type { TestDatabase } from './database.ts';
import { forkService } from './forked-service.ts';
import type { TestService } from './service.ts';

/** The whole service as a process of its own, whose log can be read. */
export interface LoggedService extends TestService {
  /** What it has logged so far, from the level trace on. */
  log(): string;
}

/** Starts it with `settings` on top of the test's defaults; the caller stops it, and drops a database that it gave. */
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
