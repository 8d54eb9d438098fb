import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MarketUrls } from '../../src/config.ts';
import { openTestDatabase, type TestDatabase } from './database.ts';
import type { TestService } from './service.ts';

/** The whole service as a process of its own, whose log can be read. */
export interface LoggedService extends TestService {
  /** What it has logged so far, from the level trace on. */
  log(): string;
}

type Told = Pick<TestService, 'url' | 'firstRun'> & { database: string };

/** Starts it with `settings` on top of the test's defaults; the caller stops it, and drops a database that it gave. */
export async function startLoggedService(
  settings: Record<string, string> = {},
  given?: Pick<TestDatabase, 'name'>,
  marketUrls: MarketUrls = {},
): Promise<LoggedService> {
  const folder = mkdtempSync(join(tmpdir(), 'tally-log-'));
  const file = openSync(join(folder, 'log'), 'a');
  const log = (): string => readFileSync(join(folder, 'log'), 'utf8');
  const child = fork(import.meta.filename, {
    env: {
      ...process.env,
      LOGGED_SERVICE: JSON.stringify({ LOG_LEVEL: 'trace', ...settings }),
      LOGGED_DATABASE: given?.name ?? '',
      LOGGED_MARKET_URLS: JSON.stringify(marketUrls),
    },
    // What the runner of the tests was told is not meant for the service.
    execArgv: [],
    stdio: ['ignore', file, file, 'ipc'],
  });
  closeSync(file);
  const ended = once(child, 'exit');
  const [{ url, firstRun, database: name }] = (await Promise.race([
    once(child, 'message'),
    ended.then(() => Promise.reject(new Error(`The service ended before it was ready:\n${log()}`))),
  ])) as [Told];
  const database = await openTestDatabase(name);
  return {
    ...{ url, firstRun, database },
    log,
    async stop() {
      await database.close();
      if (child.connected) child.disconnect();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

if (import.meta.main) {
  const { startService } = await import('./service.ts');
  const { LOGGED_SERVICE: settings, LOGGED_DATABASE: name, LOGGED_MARKET_URLS: urls } = process.env;
  const given = name ? await openTestDatabase(name) : undefined;
  const service = await startService(
    JSON.parse(settings!) as Record<string, string>,
    given,
    JSON.parse(urls!) as MarketUrls,
  );
  process.once('disconnect', () => void service.stop().then(() => process.exit(0)));
  process.send!({ url: service.url, firstRun: service.firstRun, database: service.database.name } satisfies Told);
}
