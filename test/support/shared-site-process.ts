import { chromium } from 'playwright-core';
import { launchOptions } from './browser.ts';
import { startService } from './service.ts';
import type { SharedSite } from './shared-site.ts';

// The service and the browser that the browser tests of a run share; both end when whoever started this process does.

const [browser, service] = await Promise.all([
  launchOptions().then((options) => chromium.launchServer({ ...options, host: '127.0.0.1' })),
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
