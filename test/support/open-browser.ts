import { type Browser, chromium, type LaunchOptions } from '@playwright/test';
import { hasCapacity } from './memory-folder.ts';
import { findBrowser } from './find-browser.ts';

/**
 * Chromium's features that are off. A second list replaces Playwright's, so it begins with what that turns off for
 * every Chromium (chromiumSwitches.ts of playwright-core).
 */
const WITHOUT_FEATURES = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  // A process kept ready for the next page: one that no page of a test ever takes, 0.15 s of each page's 0.8 s.
  'SpareRendererForSitePerProcess',
];

/** Starts a browser; `args` are Chromium's own. */
export async function openBrowser(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch(await launchOptions(args));
}

/** What a browser of the tests is started with; `args` are Chromium's own. */
export async function launchOptions(args: readonly string[] = []): Promise<LaunchOptions> {
  const { executablePath, env } = await findBrowser();
  // Playwright keeps shared memory in files of the temporary folder, for small containers; on a disk that took a sixth
  // of the whole time.
  const ignoreDefaultArgs = (await hasCapacity('/dev/shm')) ? ['--disable-dev-shm-usage'] : [];
  const features = `--disable-features=${WITHOUT_FEATURES.join(',')}`;
  return {
    executablePath,
    args: [features, ...args],
    ignoreDefaultArgs,
    env: { ...omitUndefined(process.env), ...env },
  };
}

const omitUndefined = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
