import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { openTestDatabase } from './database.ts';
import type { TestService } from './service.ts';
import type { SharedSite } from './shared-site-process.ts';

/**
 * Where a run's browser tests find the service and the browser that they share; in the environment variable of this
 * name.
 */
const SITE_VARIABLE = 'TALLY_TEST_SITE';

/**
 * Starts one service and one browser for the browser tests of a whole run, in a process of their own, so that neither
 * is started for each file. `env` leads tests to them. Call it where the run's cluster is known; rejects where one of
 * the two does not start.
 */
export async function startSharedSite(): Promise<{ env: Record<string, string>; stop(): Promise<void> }> {
  const child = fork(fileURLToPath(new URL('./shared-site-process.ts', import.meta.url)), {
    // An interrupt is the run's to handle, which then ends this one.
    detached: true,
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const [site] = (await Promise.race([
    once(child, 'message'),
    ended.then((code) => {
      throw new Error(
        `The service and the browser of the browser tests ended before they were ready, with code ${code}.`,
      );
    }),
  ])) as [SharedSite];
  void ended.then((code) => {
    if (code !== 0)
      console.error(`The service and the browser of the browser tests have ended in the run, with code ${code}.`);
  });
  return {
    env: { [SITE_VARIABLE]: JSON.stringify(site) },
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

/** What joins a run's site: its service, and a connection to its browser that ends with all that it has opened. */
interface JoinedSite {
  join(): Promise<TestService>;
  connect(): Promise<Browser>;
}

/** The site of the run that this process belongs to; `undefined` where a file runs by hand. */
export function sharedSite(): JoinedSite | undefined {
  const given = process.env[SITE_VARIABLE];
  if (given === undefined) return undefined;
  const { url, firstRun, database: name, browser } = JSON.parse(given) as SharedSite;
  return {
    connect: () => chromium.connect(browser),
    async join() {
      const database = await openTestDatabase(name);
      return { url, firstRun, database, stop: () => database.close() };
    },
  };
}
