// @module-tag slow
import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { sendRequest } from '../support/identity.ts';
import {
  addSymbols,
  addTo,
  downgradeMember,
  createMember,
  countRows,
  type Runner,
  type ServerPair,
  readListState,
  startServers,
  raceAdds,
} from '../support/watchlist-race.ts';

const ADDS = 800;
const CONCURRENCY = 25;
const MAX_LIMIT = 250;

let db: TestDatabase;
let servers: ServerPair;
let symbols: string[];
beforeAll(async () => {
  db = await createTestDatabase();
  servers = await startServers(db);
  symbols = await addSymbols(db, MAX_LIMIT + ADDS);
});
afterAll(async () => {
  await servers?.stop();
  await db?.drop();
});

for (const [tier, limit] of [
  ['free', 20],
  ['pro', 100],
  ['max', 250],
] as const)
  test(`adds one row when ${ADDS} adds race for the last of ${limit} (${tier})`, async () => {
    const member = await createMember(db, servers.urls[0], tier, symbols.slice(0, limit - 1));
    const counts = await raceAdds(
      servers.urls,
      CONCURRENCY,
      symbols.slice(MAX_LIMIT).map((symbol) => addTo(member, symbol)),
    );
    assert.deepEqual(counts, { 201: 1, 403: ADDS - 1 });
    assert.deepEqual(await readListState(db, member.idpId), { rows: limit, dense: true });
  });

for (const moment of [25, 40, 55, 70, 85])
  test(`adds no row after a downgrade at ${moment} rows of a race`, async () => {
    const member = await createMember(db, servers.urls[0], 'max', symbols.slice(0, 20));
    const adds = symbols.slice(MAX_LIMIT, MAX_LIMIT + 200).map((symbol) => addTo(member, symbol));
    let isFinished = false;
    const racing = raceAdds(servers.urls, CONCURRENCY, adds).finally(() => {
      isFinished = true;
    });
    while (!isFinished && (await countRows(db, member.idpId)) < moment);
    const atDowngrade = await downgradeMember(db, member.idpId);
    const counts = await racing;
    assert.equal((counts[201] ?? 0) + (counts[403] ?? 0), adds.length, JSON.stringify(counts));
    assert.deepEqual(await readListState(db, member.idpId), { rows: atDowngrade, dense: true });
  });

test('numbers positions without gaps when adds, removals and reorders race', async () => {
  const { unexpected, rows, expectedRows, dense } = await raceChanges();
  assert.deepEqual({ unexpected, rows, dense }, { unexpected: {}, rows: expectedRows, dense: true });
});

test('breaks the positions when the lock of the list is removed', async () => {
  await db.owner(
    'create or replace function public.lock_watchlist(p_idp_id text) returns void language sql volatile ' +
      `set search_path = '' return null::void`,
  );
  let isWrong = false;
  for (let round = 0; round < 5 && !isWrong; round += 1) {
    const { unexpected, rows, expectedRows, dense } = await raceChanges();
    isWrong = Object.keys(unexpected).length > 0 || rows !== expectedRows || !dense;
  }
  assert.ok(isWrong, 'the checks found nothing wrong');
});

/** Races 150 adds, 40 removals and 40 reorders on a list of 60 rows. Returns the result. */
async function raceChanges(): Promise<{
  /** Number of responses of each unexpected status. */
  unexpected: Record<number, number>;
  rows: number;
  /** Number of rows according to the responses. */
  expectedRows: number;
  dense: boolean;
}> {
  const member = await createMember(db, servers.urls[0], 'max', symbols.slice(0, 60));
  const removed = await db.owner<{ id: string }>(
    `select id from public.watchlist_items where idp_id = $1 order by position limit 40`,
    [member.idpId],
  );
  const adds = symbols
    .slice(MAX_LIMIT, MAX_LIMIT + 150)
    .map(
      (symbol, i) => (url: string) =>
        sendRequest(`${url}/api/watchlist`, 'POST', { symbol, position: (i % 50) + 1 }, member.headers),
    );
  const removals = removed.map(
    ({ id }) =>
      (url: string) =>
        sendRequest(`${url}/api/watchlist/${id}`, 'DELETE', undefined, member.headers),
  );
  const reorders = Array.from({ length: 40 }, () => (url: string) => reverseOrder(url, member));
  const calls = [...adds, ...removals, ...reorders];
  // Interleave the calls, so that adds, removals and reorders run concurrently.
  const interleaved = Array.from({ length: 7 }, (_, part) => calls.filter((_call, i) => i % 7 === part)).flat();
  const counts = await raceAdds(servers.urls, CONCURRENCY, interleaved);
  const unexpected = Object.entries(counts).filter(([status]) => !['200', '201', '204', '409'].includes(status));
  const expectedRows = 60 + (counts[201] ?? 0) - (counts[204] ?? 0);
  return {
    unexpected: Object.fromEntries(unexpected),
    expectedRows,
    ...(await readListState(db, member.idpId)),
  };
}

/** Reverses the order. After a conflict, tries again with the returned ids, at most ten times. */
async function reverseOrder(url: string, { headers }: Runner): Promise<{ status: number }> {
  let response = await sendRequest(`${url}/api/watchlist/order`, 'PUT', { ids: [] }, headers);
  for (let attempts = 0; attempts < 10 && response.status === 409; attempts += 1)
    response = await sendRequest(`${url}/api/watchlist/order`, 'PUT', { ids: response.body.ids.toReversed() }, headers);
  return response;
}
