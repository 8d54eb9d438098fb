import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fetchBrowserLibrary } from './fetch-browser-library.ts';

/**
 * `node --import ./bin/pinned.mjs test/conformance/run.ts`: tests the embedded identity provider with the hosted provider's own libraries.
 * The backend library has a separate manifest here, so that installing the service does not install it.
 */
const folder = fileURLToPath(new URL('.', import.meta.url));
if (!existsSync(`${folder}node_modules/@clerk/backend`)) {
  const installed = spawnSync('npm', ['ci', '--no-fund', '--no-audit'], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (installed.status !== 0) {
    console.error('The backend library could not be installed, so nothing was compared.');
    process.exit(1);
  }
}
const { compareWithLibrary } = await import('./compare-with-library.ts');
const outcomes = [await compareWithLibrary()];
const library = fetchBrowserLibrary();
if ('reason' in library) console.log(`The browser library was not compared: ${library.reason}.`);
else {
  const { compareInBrowser } = await import('./compare-in-browser.ts');
  const { comparePasskeys } = await import('./compare-passkeys.ts');
  outcomes.push(await compareInBrowser(library.source), await comparePasskeys(library.source));
}
process.exitCode = outcomes.every(Boolean) ? 0 : 1;
