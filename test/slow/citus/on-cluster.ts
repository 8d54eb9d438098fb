/**
 * `npx node test/slow/citus/on-cluster.ts [path …]`: runs the tests that read and write members' rows on a Citus
 * cluster. It starts a coordinator and two workers on loopback. docs/how-to/distribute-by-member.md describes how to
 * install Citus.
 */
import { globSync } from 'node:fs';
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
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    await citus.stop();
    process.exit(1);
  });
try {
  Object.assign(process.env, citus.env);
  if (paths.length === 0)
    for (const [file, reason] of Object.entries(ONE_SERVER)) console.log(`Left out: ${file}: they ${reason}`);
  const files = paths.length === 0 ? listTests() : paths;
  const vitest = await startVitest('test', files, { watch: false, maxWorkers: 3 });
  await vitest.close();
} finally {
  await citus.stop();
}

/** Returns the listed test files. Tests of screens use no database. The projects ignore the option `exclude`. */
function listTests(): string[] {
  const leftOut = Object.keys(ONE_SERVER);
  return globSync(ON_THE_CLUSTER.map((path) => `${path}{/**/*,*}.test.ts`)).filter(
    (file) => !file.includes('/ui/') && !leftOut.some((path) => file.startsWith(path)),
  );
}
