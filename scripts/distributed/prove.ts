/**
 * `npm run lab -- distributed [path …]`: spreads members' rows over a Citus cluster, a coordinator and two workers that
 * it starts on loopback, shows what holds there and runs the tests that read and write members' rows on it; with paths
 * those tests alone. docs/runbooks/distributed-database.md says how to come by a PostgreSQL with Citus.
 */
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findCitus, startCitus } from '../../test/support/citus.ts';
import { runTests } from '../run/run-tests.ts';
import { findTestFiles } from '../run/test-files.ts';
import { proveMembersRows } from './members-rows.ts';
import { ONE_SERVER, ON_THE_CLUSTER } from './tests.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bin = await findCitus();
if (bin === undefined) {
  console.error('There is no PostgreSQL with Citus: "npm run lab -- build-citus" builds it; CITUS_BIN names another.');
  process.exit(1);
}
const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort());
const paths = process.argv.slice(2);
const started = performance.now();
const citus = await startCitus(bin);
console.log(`A coordinator and two workers, distributed, after ${((performance.now() - started) / 1000).toFixed(1)} s`);
try {
  Object.assign(process.env, citus.env);
  if (paths.length === 0) await proveMembersRows(citus.cluster.workers!);
  const files = findTestFiles(root, paths.length === 0 ? [...ON_THE_CLUSTER] : paths)
    .map((file) => resolve(root, file))
    .filter((file) => paths.length > 0 || !Object.keys(ONE_SERVER).some((of) => relative(root, file).startsWith(of)));
  if (paths.length === 0)
    for (const [file, reason] of Object.entries(ONE_SERVER)) console.log(`Left out: ${file}: they ${reason}`);
  const totals = await runTests(files, interrupt.signal, 3);
  console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped.length} skipped`);
  for (const { test, reason } of totals.skipped) console.log(`  skipped: ${test}: ${reason}`);
  process.exitCode = totals.failed > 0 || totals.passed === 0 ? 1 : 0;
} finally {
  await citus.stop();
}
