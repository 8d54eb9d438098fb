// @module-tag slow
// @module-tag alone
import { test } from 'vitest';
import { startCitusForTest } from '../support/citus.ts';
import { createTestDatabase } from '../support/database.ts';
import { moveShardsUnderLoad } from './citus/move-shards.ts';

test('loses no insert and rejects none while shards move between workers', async (t) => {
  const citus = await startCitusForTest(t);
  const db = await createTestDatabase(t);
  await moveShardsUnderLoad(db, citus.cluster.workers!);
});
