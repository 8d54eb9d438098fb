/**
 * Builds the web app and the library. `--if-stale` builds only what has changed, and leaves the library out when its
 * build tools are not installed, since `npm start` needs the web app alone.
 */
import { buildLibrary, toolsAreInstalled } from './build-library.ts';
import { buildWeb } from './build-web.ts';

const ifStale = process.argv.includes('--if-stale');
const startedAt = performance.now();
const built = await Promise.all([
  buildWeb({ ifStale }),
  (!ifStale || toolsAreInstalled()) && buildLibrary({ ifStale }),
]);
const names = ['web app', 'library'].filter((_, index) => built[index]);
if (names.length > 0)
  process.stderr.write(`${names.join(' and ')} built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`);
