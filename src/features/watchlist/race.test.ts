import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createTestDatabase } from '../../../test/support/database.ts';
import {
  addSymbols,
  addTo,
  downgrade,
  memberWith,
  rowsOf,
  standingOf,
  startServers,
  storm,
} from '../../../test/support/watchlist-race.ts';

test('two server processes together add exactly what the plan allows', async (t) => {
  const db = await createTestDatabase();
  const servers = await startServers(db);
  t.onTestFinished(async () => {
    await servers.stop();
    await db.drop();
  });
  const symbols = await addSymbols(db, 160);

  const full = await memberWith(db, servers.urls[0], 'pro', symbols.slice(0, 99));
  const counts = await storm(
    servers.urls,
    12,
    symbols.slice(99).map((symbol) => addTo(full, symbol)),
  );
  assert.deepEqual(counts, { 201: 1, 403: 60 });
  assert.deepEqual(await standingOf(db, full.idpId), { rows: 100, dense: true });

  const downgraded = await memberWith(db, servers.urls[0], 'pro', symbols.slice(0, 20));
  const storming = storm(
    servers.urls,
    12,
    symbols.slice(20).map((symbol) => addTo(downgraded, symbol)),
  );
  while ((await rowsOf(db, downgraded.idpId)) < 30);
  const atDowngrade = await downgrade(db, downgraded.idpId);
  await storming;
  assert.deepEqual(await standingOf(db, downgraded.idpId), { rows: atDowngrade, dense: true });
});
