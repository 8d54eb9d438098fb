import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import { hasRoom } from './cluster.ts';
import { findBrowser } from './find-browser.ts';

/** Starts a browser; `args` are Chromium's own. */
export async function openBrowser(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch(await launchOptions(args));
}

/** What a browser of the tests is started with; `args` are Chromium's own. */
export async function launchOptions(args: readonly string[] = []): Promise<LaunchOptions> {
  const { executablePath, env } = await findBrowser();
  // Playwright keeps shared memory in files of the temporary folder, for small containers; on a disk that took a sixth
  // of the whole time.
  const ignoreDefaultArgs = (await hasRoom('/dev/shm')) ? ['--disable-dev-shm-usage'] : [];
  return { executablePath, args: [...args], ignoreDefaultArgs, env: { ...definedOf(process.env), ...env } };
}

const definedOf = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
