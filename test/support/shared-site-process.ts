import { chromium } from 'playwright-core';
import { launchOptions } from './open-browser.ts';
import { type SeededRun, startService } from './service.ts';

/** What the process of the site tells of itself once both run. */
export interface SharedSite {
  url: string;
  firstRun: SeededRun;
  /** The name of the service's database. */
  database: string;
  /** Where Playwright's clients reach the browser. */
  browser: string;
}

/** A test's page lasts for seconds: compiling its scripts on the side costs a twentieth of the browser's time. */
const SCRIPTS_ON_ONE_THREAD = '--js-flags=--single-threaded';

// The service and the browser that the browser tests of a run share; both end with the process that started this one.

// Before the service: a browser that is unpacked has the temporary folder to itself meanwhile.
const options = await launchOptions([SCRIPTS_ON_ONE_THREAD]);
const [browser, service] = await Promise.all([
  chromium.launchServer({ ...options, host: '127.0.0.1' }),
  // Each member signs up from an address of their own: the provider limits what comes from one.
  startService({ TRUSTED_PROXIES: '127.0.0.1' }),
]);
process.once('disconnect', () => {
  void Promise.allSettled([browser.close(), service.stop()]).then(() => process.exit(0));
});
const site: SharedSite = {
  url: service.url,
  firstRun: service.firstRun,
  database: service.database.name,
  browser: browser.wsEndpoint(),
};
process.send!(site);
