import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createTestDatabase } from '../../../test/support/database.ts';
import {
  addSymbols,
  addTo,
  downgradeMember,
  createMember,
  countRows,
  readListState,
  startServers,
  raceAdds,
} from '../../../test/support/watchlist-race.ts';

test('adds exactly the plan’s limit when two server processes race', async (t) => {
  const db = await createTestDatabase();
  const servers = await startServers(db);
  t.onTestFinished(async () => {
    await servers.stop();
    await db.drop();
  });
  const symbols = await addSymbols(db, 160);

  const full = await createMember(db, servers.urls[0], 'pro', symbols.slice(0, 99));
  const counts = await raceAdds(
    servers.urls,
    12,
    symbols.slice(99).map((symbol) => addTo(full, symbol)),
  );
  assert.deepEqual(counts, { 201: 1, 403: 60 });
  assert.deepEqual(await readListState(db, full.idpId), { rows: 100, dense: true });

  const downgraded = await createMember(db, servers.urls[0], 'pro', symbols.slice(0, 20));
  const pendingStorm = raceAdds(
    servers.urls,
    12,
    symbols.slice(20).map((symbol) => addTo(downgraded, symbol)),
  );
  while ((await countRows(db, downgraded.idpId)) < 30);
  const atDowngrade = await downgradeMember(db, downgraded.idpId);
  await pendingStorm;
  assert.deepEqual(await readListState(db, downgraded.idpId), { rows: atDowngrade, dense: true });
});
