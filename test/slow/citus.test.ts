// @module-tag slow
// @module-tag alone
import { test } from 'vitest';
import { startCitusForTest } from '../support/citus.ts';
import { checkMembersRows } from './citus/members-rows.ts';

test('distributes, isolates and counts rows of members when the database is a cluster', async (t) => {
  const citus = await startCitusForTest(t);
  await checkMembersRows(citus.cluster.workers!);
});
