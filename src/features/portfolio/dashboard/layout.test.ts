import assert from 'node:assert/strict';
import { test } from 'vitest';
import { type InvestmentsApp, setUpInvestmentsApp } from '../../../../test/support/investments-app.ts';
import type { CardId, DashboardResponse } from './contract.ts';
import { mergeLayout } from './merge-layout.ts';

let app: InvestmentsApp;
setUpInvestmentsApp((started) => {
  app = started;
});

const ids = (cards: { id: CardId }[]): CardId[] => cards.map(({ id }) => id);
const layout = async (member: string) => {
  const { cards, removed } = (await app.call('GET', '/api/dashboard', member)).body as DashboardResponse;
  return [ids(cards), ids(removed)];
};
const save = (member: string, cardIds: string[]) =>
  app.call('PUT', '/api/dashboard', member, { cards: cardIds.map((id) => ({ id })) });
const ALL: CardId[] = ['net_worth', 'accounts', 'movers', 'earnings', 'dividends', 'news', 'holdings', 'watchlist'];

test('returns every card by default with the watchlist at the end', async () => {
  assert.deepEqual(await layout('user_a'), [ALL, []]);
});

test('restores removed cards at their place in the order', async () => {
  const saved = await save('user_a', ['watchlist', 'news', 'net_worth']);
  assert.equal(saved.status, 200);
  assert.deepEqual(saved.body, {
    cards: [{ id: 'watchlist' }, { id: 'news' }, { id: 'net_worth' }],
    removed: [{ id: 'accounts' }, { id: 'movers' }, { id: 'earnings' }, { id: 'dividends' }, { id: 'holdings' }],
  });
  assert.deepEqual(await layout('user_a'), [
    ['watchlist', 'news', 'net_worth'],
    ['accounts', 'movers', 'earnings', 'dividends', 'holdings'],
  ]);
  assert.deepEqual(await layout('user_b'), [ALL, []], 'one member’s order is not another’s');
  await save('user_a', []);
  assert.deepEqual(await layout('user_a'), [[], ALL]);
  await save('user_a', ALL);
  assert.deepEqual(await layout('user_a'), [ALL, []]);
});

test('appends the watchlist when the rollout starts and hides it before', async () => {
  app.membersOutsideRollout.add('user_b');
  assert.deepEqual(await layout('user_b'), [ALL.slice(0, -1), []]);
  const rejection = await save('user_b', ['news', 'watchlist']);
  assert.deepEqual(
    [rejection.status, rejection.body.code, rejection.body.issues[0].path],
    [400, 'INVALID_REQUEST', 'cards.1.id'],
  );
  await save('user_b', ['news', 'holdings']);
  assert.deepEqual(await layout('user_b'), [
    ['news', 'holdings'],
    ['net_worth', 'accounts', 'movers', 'earnings', 'dividends'],
  ]);
  app.membersOutsideRollout.delete('user_b');
  assert.deepEqual(await layout('user_b'), [
    ['news', 'holdings', 'watchlist'],
    ['net_worth', 'accounts', 'movers', 'earnings', 'dividends'],
  ]);
});

test('places new cards before a watchlist at the end of a stored layout', () => {
  const stored = [
    { id: 'news', shown: true },
    { id: 'watchlist', shown: true },
    { id: 'earnings', shown: false },
  ] as const;
  assert.deepEqual(ids(mergeLayout(stored, ALL).cards), [
    'news',
    'net_worth',
    'accounts',
    'movers',
    'dividends',
    'holdings',
    'watchlist',
  ]);
  const watchlistFirst = mergeLayout([stored[1], stored[0]], ['news', 'holdings', 'watchlist']);
  assert.deepEqual(ids(watchlistFirst.cards), ['watchlist', 'news', 'holdings']);
});

test('keeps a card removed when it is offered again after a pause', async () => {
  await save('user_a', ['news', 'holdings']);
  app.membersOutsideRollout.add('user_a');
  const saved = await save('user_a', ['holdings']);
  assert.deepEqual(
    [ids(saved.body.cards), ids(saved.body.removed)],
    [['holdings'], ['net_worth', 'accounts', 'movers', 'earnings', 'dividends', 'news']],
    'outside the rollout it is in neither',
  );
  await save('user_a', ['holdings', 'news']);
  app.membersOutsideRollout.delete('user_a');
  assert.deepEqual(await layout('user_a'), [
    ['holdings', 'news'],
    ['net_worth', 'accounts', 'movers', 'earnings', 'dividends', 'watchlist'],
  ]);
});

test('rejects an invalid layout', async () => {
  for (const body of [
    {},
    { cards: 'news' },
    { cards: [{ id: 'weather' }] },
    { cards: [{ id: 'news' }, { id: 'news' }] },
    { cards: [{ id: 'news', span: 2 }] },
    { cards: [], more: 1 },
    { cards: ['news'] },
  ]) {
    const { status, body: errorBody } = await app.call('PUT', '/api/dashboard', 'user_a', body);
    assert.deepEqual([status, errorBody.code], [400, 'INVALID_REQUEST'], JSON.stringify(body));
  }
});

test('stores one of two orders when two tabs save concurrently', async () => {
  const orders: CardId[][] = [
    ['news', 'earnings'],
    ['holdings', 'net_worth'],
  ];
  const responses = await Promise.all(Array.from({ length: 20 }, (_, index) => save('user_demo', orders[index % 2]!)));
  assert.ok(responses.every(({ status }) => status === 200));
  assert.ok(
    orders.some(
      (order) => order.join() === (responses.at(-1)!.body.cards as { id: CardId }[]).map(({ id }) => id).join(),
    ),
  );
  const [shown] = await layout('user_demo');
  assert.ok(orders.some((order) => order.join() === shown!.join()));
});
