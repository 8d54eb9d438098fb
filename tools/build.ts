/**
 * Builds the web app, the program and the library. `--if-stale` builds only what has changed, and leaves the library out
 * when its build tools are not installed, since `npm start` does not need it.
 */
import { buildLibrary, toolsAreInstalled } from './build-library.ts';
import { buildServer } from './build-server.ts';
import { buildWeb } from './build-web.ts';
import { parseOptions } from './run/parse-options.ts';

const {
  values: { 'if-stale': ifStale },
} = parseOptions({
  usage: 'npm run build [-- --if-stale] builds web app, program and library, with --if-stale only what has changed.',
  options: { 'if-stale': { type: 'boolean', default: false } },
});
const startedAt = performance.now();
const built = await Promise.all([
  buildWeb({ ifStale }),
  buildServer({ ifStale }),
  (!ifStale || toolsAreInstalled()) && buildLibrary({ ifStale }),
]);
const names = ['web app', 'program', 'library'].filter((_, index) => built[index]);
if (names.length > 0)
  process.stderr.write(`${names.join(' and ')} built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`);
