// @module-tag slow
// @module-tag alone
import { test } from 'vitest';
import { findCitus, startCitus } from '../support/citus.ts';
import { createTestDatabase } from '../support/database.ts';
import { moveShardsUnderLoad } from './citus/move-shards.ts';

// Runs in a process of its own, because its databases are on a separate cluster.

const bin = await findCitus();

test('loses no insert and rejects none while shards move between workers', async (t) => {
  if (bin === undefined) return t.skip('no PostgreSQL with Citus; test/slow/build-citus.sh builds it');
  const citus = await startCitus(bin);
  const before = { ...process.env };
  t.onTestFinished(async () => {
    process.env = before;
    await citus.stop();
  });
  Object.assign(process.env, citus.env);
  const db = await createTestDatabase(t);
  await moveShardsUnderLoad(db, citus.cluster.workers!);
});
