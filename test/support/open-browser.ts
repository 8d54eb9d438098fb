import { type Browser, chromium, type LaunchOptions } from '@playwright/test';
import { hasCapacity } from './memory-folder.ts';
import { findBrowser } from './find-browser.ts';

/**
 * Disabled features of Chromium. The list starts with the list in playwright-core,
 * which it replaces.
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
  // A spare process for the next page, which no test page uses. It takes 0.15 s of each page's 0.8 s.
  'SpareRendererForSitePerProcess',
];

/** Starts a browser. `args` are Chromium's own arguments. */
export async function openBrowser(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch(await launchOptions(args));
}

/** Returns the options of the tests' browser. `args` are Chromium's own arguments. */
export async function launchOptions(args: readonly string[] = []): Promise<LaunchOptions> {
  const { executablePath, env } = await findBrowser();
  // For small containers Playwright stores shared memory in temporary files. On a disk that took a sixth of the total
  // time.
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
