import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openTestDatabase } from './database.ts';
import type { TestService } from './service.ts';
import type { SharedService } from './shared-service-process.ts';

/** The environment variable in which browser tests find the service that they share. */
const SERVICE_VARIABLE = 'TALLY_TEST_SERVICE';

/**
 * Starts the service that the browser tests of a run share, in a process of its own. `env` leads tests to it. The run's
 * PostgreSQL server must be in the environment; rejects if the service does not start.
 */
export async function startSharedService(): Promise<{ env: Record<string, string>; stop(): Promise<void> }> {
  const child = fork(fileURLToPath(new URL('./shared-service-process.ts', import.meta.url)), {
    // The run handles an interrupt and then ends this process.
    detached: true,
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const [service] = (await Promise.race([
    once(child, 'message'),
    ended.then((code) => {
      throw new Error(`The service of the browser tests ended with code ${code} before it was ready.`);
    }),
  ])) as [SharedService];
  void ended.then((code) => {
    if (code !== 0) console.error(`The service of the browser tests ended during the run, with code ${code}.`);
  });
  return {
    env: { [SERVICE_VARIABLE]: JSON.stringify(service) },
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

/** The service that the browser tests of this run share. */
export async function joinSharedService(): Promise<TestService> {
  const { url, firstRun, database: name } = JSON.parse(process.env[SERVICE_VARIABLE]!) as SharedService;
  const database = await openTestDatabase(name);
  return { url, firstRun, database, stop: () => database.close() };
}
