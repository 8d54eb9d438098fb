// @module-tag slow
// @module-tag alone
import { test } from 'vitest';
import { findCitus, startCitus } from '../support/citus.ts';
import { checkMembersRows } from './citus/members-rows.ts';

// Runs in a process of its own, because its databases are on a separate cluster.

const bin = await findCitus();

test('distributes, isolates and counts rows of members when the database is a cluster', async (t) => {
  if (bin === undefined) return t.skip('no PostgreSQL with Citus; test/slow/build-citus.sh builds it');
  const citus = await startCitus(bin);
  const before = { ...process.env };
  t.onTestFinished(async () => {
    process.env = before;
    await citus.stop();
  });
  Object.assign(process.env, citus.env);
  await checkMembersRows(citus.cluster.workers!);
});
