/**
 * `npx node test/slow/citus/on-cluster.ts [path …]`: runs the tests that read and write members' rows on a Citus
 * cluster, a coordinator and two workers that it starts on loopback. docs/runbooks/distributed-database.md says how to
 * get Citus.
 */
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findCitus, startCitus } from '../../support/citus.ts';
import { runTests } from '../../../scripts/run/run-tests.ts';
import { findTestFiles } from '../../../scripts/run/test-files.ts';
import { ONE_SERVER, ON_THE_CLUSTER } from './tests.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const bin = await findCitus();
if (bin === undefined) {
  console.error('There is no PostgreSQL with Citus: test/slow/build-citus.sh builds it; CITUS_BIN names another.');
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
