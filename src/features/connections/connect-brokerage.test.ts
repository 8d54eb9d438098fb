import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import {
  connectBrokerage,
  type ConnectionsApp,
  finish,
  parseReturn,
  startAttempt,
  startConnectionsApp,
  completeBrokeragePortal,
} from '../../../test/support/connections-app.ts';
import { eventuallyEquals } from '../../../test/support/eventually.ts';

let app: ConnectionsApp;
beforeAll(async () => {
  app = await startConnectionsApp();
});
afterAll(() => app.close());

const addMember = (id: string) => app.owner('insert into public.all_users (idp_id) values ($1)', [id]);
const start = (member: string) => startAttempt(app, member, { kind: 'brokerage' });

/** Starts an attempt of a new member and completes the brokerage's page. `complete` is the request of the return. */
async function completePortal(member: string) {
  await addMember(member);
  const { attempt_id, url } = await start(member);
  assert.match(url, /^http:\/\/tally\.test\/_brokerage\/portal\/portal-sandbox-/);
  assert.deepEqual((await finish(app, member, attempt_id)).body, { status: 'pending' });
  const sent = await completeBrokeragePortal(app, url);
  const returned = parseReturn(sent);
  return { attempt_id, sent, returned, complete: () => finish(app, member, attempt_id, returned) };
}

test('returns from the brokerage’s page to the attempt', async () => {
  const { attempt_id, sent, returned } = await completePortal('user_returning');

  assert.equal(sent.status, 303);
  assert.equal(new URL(sent.headers.get('location')!).pathname, `/connections/return/${attempt_id}`);
  assert.equal(returned.status, 'SUCCESS');
});

test('connects a brokerage once, with an account for each currency', async () => {
  const { complete } = await completePortal('user_accounts');

  const { body } = await complete();

  assert.equal(body.status, 'connected');
  assert.deepEqual([body.connection.kind, body.connection.institution], ['brokerage', 'Sandbox Brokerage']);
  assert.ok(body.connection.synced_at);
  const account = { name: 'Sandbox Individual', mask: '5551', type: 'Margin' };
  assert.deepEqual(
    body.connection.accounts
      .map(({ id: _id, ...rest }: { id: string }) => rest)
      .sort((a: { balance: number }, b: { balance: number }) => a.balance - b.balance),
    [
      { name: 'Sandbox Retirement', mask: '5552', type: 'IRA', balance: 50, currency: 'USD' },
      { ...account, balance: 300, currency: 'CAD' },
      { ...account, balance: 1250.75, currency: 'USD' },
    ].map((expected) => ({ ...expected, left_out: false, duplicate: null })),
  );
  assert.deepEqual((await complete()).body, body, 'safe to repeat');
});

test('counts cash once when holdings have a cost per unit', async () => {
  const { complete } = await completePortal('user_holdings');
  await complete();

  const portfolio = (await app.call('GET', '/api/investments/holdings', 'user_holdings')).body;
  const netWorth = (await app.call('GET', '/api/net-worth', 'user_holdings')).body.currencies;

  assert.deepEqual(
    portfolio.holdings.map(({ symbol, quantity, cost_basis }: Record<string, unknown>) => [
      symbol,
      quantity,
      cost_basis,
    ]),
    [
      ['MSFT', 4.5, 1125.45],
      ['VOO', 3, 1200],
      ['AAPL', 10, 1750],
    ],
  );
  assert.deepEqual(
    portfolio.unlisted
      .map(({ name, quantity, value }: Record<string, unknown>) => [name, quantity, value])
      .sort(([a]: [string], [b]: [string]) => a.localeCompare(b)),
    [
      ['Bitcoin', 0.01, 600],
      ['MSFT put 300, January 2027', 2, 650],
      ['Tesla, Inc.', -1, -240],
    ],
    'the money market fund is cash already',
  );
  const cash = netWorth.map((total: { currency: string; cash: number }) => [total.currency, total.cash]);
  assert.deepEqual(Object.fromEntries(cash), { CAD: 300, USD: 1300.75 });
});

test('connects a sign-in that will expire when its page is finished ten seconds late', async () => {
  await addMember('user_breaking');
  const { attempt_id, url } = await start('user_breaking');
  const returned = parseReturn(await completeBrokeragePortal(app, url, { user: 'user_expiring' }));
  app.advanceClock(10);
  assert.equal((await finish(app, 'user_breaking', attempt_id, returned)).body.status, 'connected');
});

test('creates one connection for concurrent webhooks, return, poll, retry', async () => {
  await addMember('user_race');
  await app.startWork();
  const { attempt_id, url } = await start('user_race');
  const returned = parseReturn(await completeBrokeragePortal(app, url, { user: 'user_twice' }));
  const responses = await Promise.all(
    Array.from({ length: 8 }, (_, index) => finish(app, 'user_race', attempt_id, index % 2 ? returned : undefined)),
  );
  assert.ok(responses.every(({ body }) => ['connected', 'pending'].includes(body.status)));
  await eventuallyEquals(async () => (await finish(app, 'user_race', attempt_id)).body.status, 'connected');
  assert.equal((await app.call('GET', '/api/connections', 'user_race')).body.connections.length, 1);
  assert.deepEqual(
    app.connectedEvents.filter(({ idpId }) => idpId === 'user_race'),
    [{ idpId: 'user_race', kind: 'brokerage' }],
  );
});

test('deletes accounts with their holdings immediately and the connection by a job', { tags: ['slow'] }, async () => {
  await app.startWork();
  await addMember('user_leaving');
  const { id } = await connectBrokerage(app, 'user_leaving', { user: 'user_slow' });
  assert.equal((await app.call('DELETE', `/api/connections/${id}`, 'user_leaving')).status, 204);
  assert.deepEqual((await app.call('GET', '/api/accounts', 'user_leaving')).body.accounts, []);
  const listRemainingAuthorizations = () =>
    app.owner(`select a.data ->> 'user' as left from brokerage_sandbox.authorizations a
     where a.state <> 'removed' and a.data ->> 'user' = 'user_slow'`);
  await eventuallyEquals(listRemainingAuthorizations, []);
  await eventuallyEquals(() => app.owner('select 1 as waits from brokerage_sandbox.webhook_messages'), []);
});
