import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { MarketUrls } from '../../src/config/provider-settings.ts';
import { openTestDatabase, type TestDatabase } from './database.ts';
import type { TestService } from './service.ts';

/** Name of the environment variable that passes the shared service to browser tests. */
const SERVICE_VARIABLE = 'TALLY_TEST_SERVICE';

/** The message of the process once its service is ready. */
type Ready = Pick<TestService, 'url' | 'firstRun'> & { database: string };

interface ForkOptions {
  /** Settings on top of the test's defaults. */
  settings: Record<string, string>;
  /** A database that outlives the service. Without it the service creates its own database and drops it. */
  existingDatabase?: Pick<TestDatabase, 'name'> | undefined;
  marketUrls?: MarketUrls;
  /** File descriptor for the output. Without it the process inherits this process's output. */
  output?: number;
}

/**
 * Starts the whole service in its own process, which loads ten times faster than in Playwright's workers. The
 * environment must name the run's PostgreSQL server. Rejects if the service does not start.
 */
export async function forkService({
  settings,
  existingDatabase,
  marketUrls = {},
  output,
}: ForkOptions): Promise<TestService> {
  const child = fork(import.meta.filename, [JSON.stringify({ settings, given: existingDatabase?.name, marketUrls })], {
    // The test runner's own Node options must not reach the service.
    execArgv: [],
    stdio: ['ignore', output ?? 'inherit', output ?? 'inherit', 'ipc'],
    // The run handles an interrupt and then ends this process.
    detached: true,
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const [ready] = (await Promise.race([
    once(child, 'message'),
    ended.then((code) => {
      throw new Error(`The service ended with code ${code} before it was ready.`);
    }),
  ])) as [Ready];
  void ended.then((code) => {
    if (code !== 0) console.error(`The service ended during the run, with code ${code}.`);
  });
  const service = await join(ready);
  return {
    ...service,
    async stop() {
      await service.stop();
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

/**
 * Starts the service that the browser tests of a run share. `env` passes it to the tests. Each member signs up from a
 * separate address, because the provider limits requests per address.
 */
export async function startSharedService(): Promise<{ env: Record<string, string>; stop(): Promise<void> }> {
  const { url, firstRun, database, stop } = await forkService({ settings: { TRUSTED_PROXIES: '127.0.0.1' } });
  const ready: Ready = { url, firstRun, database: database.name };
  return { env: { [SERVICE_VARIABLE]: JSON.stringify(ready) }, stop };
}

/** Returns the service that the browser tests of this run share. `stop` only closes this process's connections. */
export const joinSharedService = (): Promise<TestService> => join(JSON.parse(process.env[SERVICE_VARIABLE]!) as Ready);

async function join({ url, firstRun, database: name }: Ready): Promise<TestService> {
  const database = await openTestDatabase(name);
  return { url, firstRun, database, stop: () => database.close() };
}

if (import.meta.main) {
  const { startService } = await import('./service.ts');
  const { settings, given, marketUrls } = JSON.parse(process.argv[2]!) as {
    settings: Record<string, string>;
    given?: string;
    marketUrls: MarketUrls;
  };
  const service = await startService(settings, given ? await openTestDatabase(given) : undefined, { marketUrls });
  process.once('disconnect', () => {
    void service.stop().then(() => process.exit(0));
  });
  process.send!({ url: service.url, firstRun: service.firstRun, database: service.database.name } satisfies Ready);
}
