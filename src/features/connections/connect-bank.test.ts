import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import {
  connect,
  type ConnectionsApp,
  finish,
  startAttempt,
  startConnectionsApp,
  completeBankPage,
} from '../../../test/support/connections-app.ts';
import { eventuallyEquals } from '../../../test/support/eventually.ts';

let app: ConnectionsApp;
beforeAll(async () => {
  app = await startConnectionsApp();
});
afterAll(() => app.close());

/** Starts an attempt of a new member and completes the bank's page. `complete` is the request of the return. */
async function completeLinkPage(member: string) {
  await app.owner(`insert into public.all_users (idp_id) values ($1)`, [member]);
  const { attempt_id, url } = await startAttempt(app, member);
  assert.match(url, /^http:\/\/tally\.test\/_bank\/link\/link-sandbox-/);
  assert.deepEqual((await finish(app, member, attempt_id)).body, { status: 'pending' });
  const sent = await completeBankPage(app, url);
  return { attempt_id, sent, complete: () => finish(app, member, attempt_id) };
}

test('returns from the bank’s page to the attempt', async () => {
  const { attempt_id, sent } = await completeLinkPage('user_returning');

  assert.equal(sent.status, 303);
  assert.equal(sent.headers.get('location'), `http://tally.test/connections/return/${attempt_id}`);
});

test('connects a bank with its accounts once', async () => {
  const { complete } = await completeLinkPage('user_accounts');

  const { body } = await complete();

  assert.equal(body.status, 'connected');
  assert.equal(body.connection.institution, 'Sandbox Bank');
  assert.ok(body.connection.synced_at);
  assert.deepEqual(
    body.connection.accounts.map(({ id: _id, ...account }: { id: string }) => account),
    [
      { name: 'Sandbox Brokerage', mask: '4444', type: 'brokerage', balance: 1500, currency: 'USD' },
      { name: 'Sandbox Card', mask: '3333', type: 'credit card', balance: -410.2, currency: 'USD' },
      { name: 'Sandbox Checking', mask: '0000', type: 'checking', balance: 1250.5, currency: 'USD' },
    ].map((account) => ({ ...account, left_out: false, duplicate: null })),
  );
  assert.deepEqual((await complete()).body, body, 'safe to repeat');
  const listed = await app.call('GET', '/api/connections', 'user_accounts');
  assert.deepEqual(listed.body, { connections: [body.connection] });
});

test('counts cash once when a bank has holdings', async () => {
  const { complete } = await completeLinkPage('user_holdings');
  await complete();

  const portfolio = (await app.call('GET', '/api/investments/holdings', 'user_holdings')).body;
  const [netWorth] = (await app.call('GET', '/api/net-worth', 'user_holdings')).body.currencies;

  assert.deepEqual(
    portfolio.holdings.map(({ symbol, quantity, cost_basis }: Record<string, unknown>) => [
      symbol,
      quantity,
      cost_basis,
    ]),
    [
      ['AAPL', 12, 2100],
      ['VOO', 9.5, 4180],
    ],
  );
  assert.deepEqual(
    portfolio.unlisted.map(({ name, quantity, value }: Record<string, unknown>) => [name, quantity, value]),
    [['AAPL call 300, January 2027', 2, 1160]],
  );
  const listed = portfolio.holdings.reduce((sum: number, { value }: { value: number }) => sum + value, 0);
  assert.deepEqual([netWorth.cash, netWorth.liabilities], [1500 + 1250.5, -410.2], 'the card is a liability');
  const difference = Math.abs(netWorth.investments - (listed + 1160));
  assert.ok(difference < 0.01, `${netWorth.investments} is not ${listed} and 1160`);
});

test('creates one connection for a concurrent webhook, return, poll, retry', async () => {
  await app.owner(`insert into public.all_users (idp_id) values ('user_race')`);
  await app.startWork();
  const { attempt_id, url } = await startAttempt(app, 'user_race');
  await completeBankPage(app, url, { user: 'user_twice' });
  const responses = await Promise.all(Array.from({ length: 8 }, () => finish(app, 'user_race', attempt_id)));
  assert.ok(responses.every(({ body }) => ['connected', 'pending'].includes(body.status)));
  await eventuallyEquals(async () => (await finish(app, 'user_race', attempt_id)).body.status, 'connected');
  assert.equal((await app.call('GET', '/api/connections', 'user_race')).body.connections.length, 1);
  assert.deepEqual(
    app.connectedEvents.filter(({ idpId }) => idpId === 'user_race'),
    [{ idpId: 'user_race', kind: 'bank' }],
  );
});

test('deletes accounts with their holdings immediately and revokes access by a job', async () => {
  await app.owner(`insert into public.all_users (idp_id) values ('user_leaving')`);
  const { id } = await connect(app, 'user_leaving');
  assert.equal((await app.call('DELETE', `/api/connections/${id}`, 'user_b')).status, 404);
  assert.equal((await app.call('DELETE', `/api/connections/${id}`, 'user_leaving')).status, 204);
  assert.deepEqual((await app.call('GET', '/api/accounts', 'user_leaving')).body.accounts, []);
  await eventuallyEquals(() => app.owner('select 1 as left from public.connection_revocations'), []);
});

test('counts a connected bank as added and a removed one as withdrawn, never as a gain or loss', async () => {
  const { complete } = await completeLinkPage('user_flows');
  await app.owner(
    `insert into public.net_worth_snapshots (idp_id, d, currency, cash, investments)
     values ('user_flows', current_date - 2, 'USD', 0, 0)`,
  );
  const readChange = async () => {
    const { base } = (await app.call('GET', '/api/net-worth', 'user_flows')).body;
    const [{ amount, flows, gain, percent }] = base.changes;
    return { amount, flows, gain, percent, total: base.total };
  };

  const { body } = await complete();

  const { total, ...change } = await readChange();
  assert.ok(total > 5000);
  assert.deepEqual(change, { amount: total, flows: total, gain: 0, percent: 0 });
  await app.call('DELETE', `/api/connections/${body.connection.id}`, 'user_flows');
  assert.deepEqual(await readChange(), { amount: 0, flows: 0, gain: 0, percent: 0, total: 0 });
});
