/**
 * `npx node test/slow/citus/on-cluster.ts [path …]`: runs the tests that read and write members' rows on a Citus
 * cluster. It starts a coordinator and two workers on loopback. docs/how-to/distribute-by-member.md describes how to
 * install Citus.
 */
import { findCitus, startCitus } from '../../support/citus.ts';
import { startVitest } from 'vitest/node';
import { ONE_SERVER, ON_THE_CLUSTER } from './tests.ts';

const bin = await findCitus();
if (bin === undefined) {
  console.error('There is no PostgreSQL with Citus: test/slow/build-citus.sh builds it; CITUS_BIN names another.');
  process.exit(1);
}
const paths = process.argv.slice(2);
const started = performance.now();
const citus = await startCitus(bin);
console.log(`A coordinator and two workers, distributed, after ${((performance.now() - started) / 1000).toFixed(1)} s`);
try {
  Object.assign(process.env, citus.env);
  if (paths.length === 0)
    for (const [file, reason] of Object.entries(ONE_SERVER)) console.log(`Left out: ${file}: they ${reason}`);
  const exclude = paths.length === 0 ? Object.keys(ONE_SERVER).map((file) => `${file}*`) : [];
  const files = paths.length === 0 ? [...ON_THE_CLUSTER] : paths;
  const vitest = await startVitest('test', files, { watch: false, maxWorkers: 3, exclude });
  await vitest.close();
} finally {
  await citus.stop();
}
