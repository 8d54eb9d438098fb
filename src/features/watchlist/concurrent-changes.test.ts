import assert from 'node:assert/strict';
import { test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import {
  getCompanySymbols,
  type TestMember,
  setUpWatchlistApp,
  type WatchlistApp,
} from '../../../test/support/watchlist.ts';

let app: WatchlistApp;
setUpWatchlistApp((started) => {
  app = started;
});

/** Returns the stored positions. The API numbers rows on read, so its positions cannot prove them. */
async function storedPositions({ idpId }: TestMember, sql: Pick<ServiceSql, 'query'> = { query: app.owner }) {
  const text = 'select position from public.watchlist_items where idp_id = $1 order by position';
  return (await sql.query<{ position: number }>(text, [idpId])).map(({ position }) => position);
}

const oneTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

test('never exceeds the limit when adds race and keeps positions dense', async () => {
  const member = await app.signUp();
  await member.addSymbols(...getCompanySymbols(19));
  const racingSymbols = [
    ...Array.from({ length: 30 }, (_, i) => `AAA${i + 20}`),
    ...Array.from({ length: 10 }, () => 'KO'),
  ];
  const statuses = await Promise.all(
    racingSymbols.map(async (symbol) => (await member.call('POST', '/api/watchlist', { symbol })).status),
  );
  assert.equal(statuses.filter((status) => status === 201).length, 1);
  assert.ok(
    statuses.every((status) => [201, 403, 409].includes(status)),
    statuses.join(),
  );
  assert.deepEqual(await storedPositions(member), oneTo(20));
});

test('keeps each position unique when adds, removals and reorders race', async () => {
  const member = await app.signUp('pro');
  await member.addSymbols(...getCompanySymbols(12));
  const { items } = await member.getWatchlist();
  const ids = items.map(({ id }) => id);
  const responses = await Promise.all([
    ...Array.from({ length: 12 }, (_, i) =>
      member.call('POST', '/api/watchlist', { symbol: `AAA${i + 20}`, position: (i % 5) + 1 }),
    ),
    ...ids.slice(0, 6).map((id) => member.call('DELETE', `/api/watchlist/${id}`)),
    ...Array.from({ length: 6 }, () => member.call('PUT', '/api/watchlist/order', { ids: ids.toReversed() })),
  ]);
  assert.ok(
    responses.every(({ status }) => [200, 201, 204, 409].includes(status)),
    responses.map(({ status }) => status).join(),
  );
  assert.deepEqual(await storedPositions(member), oneTo(18));
});

test('stops racing adds when a downgrade takes effect', async () => {
  const member = await app.signUp('pro');
  await member.addSymbols(...getCompanySymbols(18));
  const addRequests = Array.from({ length: 30 }, (_, i) =>
    member.call('POST', '/api/watchlist', { symbol: `AAA${i + 19}` }),
  );
  await eventually(async () => (await storedPositions(member)).length > 20);
  const atDowngrade = await app.database.service.transaction(async (sql) => {
    await sql.query(`delete from public.tier_grants where idp_id = $1`, [member.idpId]);
    return (await storedPositions(member, sql)).length;
  });
  await Promise.all(addRequests);
  const { item_count, locked_count, limit } = await member.getWatchlist();
  assert.equal(item_count, atDowngrade, 'nothing was added after the downgrade');
  assert.deepEqual([limit, locked_count], [20, item_count - 20]);
});

test('converges when two tabs remove and undo one row', async () => {
  const member = await app.signUp();
  await member.addSymbols('AAPL', 'KO', 'JPM');
  const row = (await member.getWatchlist()).items[1]!;
  const removals = await Promise.all([1, 2].map(() => member.call('DELETE', `/api/watchlist/${row.id}`)));
  assert.deepEqual(removals.map(({ status }) => status).toSorted(), [204, 404]);
  const memberContext = { idpId: member.idpId, sessionId: 's', isSampleUser: false };
  assert.deepEqual(
    await app.feature.listWatchedSymbols(memberContext, { includeLocked: true }),
    ['AAPL', 'JPM'],
    'the check mark of the search follows at once',
  );
  const undoResponses = await Promise.all(
    [1, 2].map(() => member.call('POST', '/api/watchlist', { symbol: 'KO', position: 2 })),
  );
  assert.deepEqual(undoResponses.map(({ status }) => status).toSorted(), [201, 409]);
  assert.deepEqual(
    undoResponses.map(({ body }) => body.item.symbol),
    ['KO', 'KO'],
  );
  assert.deepEqual(await member.getSymbols(), ['AAPL', 'KO', 'JPM']);
});
