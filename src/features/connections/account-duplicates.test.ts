import assert from 'node:assert/strict';
import { afterAll, beforeAll, beforeEach, test } from 'vitest';
import { connect, type ConnectionsApp, startConnectionsApp } from '../../../test/support/connections-app.ts';
import { SYNC_CONNECTION } from './sync-connection.ts';

let app: ConnectionsApp;
beforeAll(async () => {
  app = await startConnectionsApp();
  await app.owner(`insert into public.all_users (idp_id) values ('user_a') on conflict do nothing`);
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.owner('delete from public.connections');
  await app.owner('delete from public.accounts');
});

const call = (method: string, path: string, body?: object, member = 'user_a') => app.call(method, path, member, body);

async function createAccount(account: { name: string; balance?: number; currency?: string }): Promise<string> {
  const { status, body } = await call('POST', '/api/accounts', account);
  assert.equal(status, 201);
  return body.account.id;
}

interface ConnectedAccount {
  id: string;
  name: string;
  duplicate: { id: string; name: string } | null;
}
const listConnectedAccounts = async (): Promise<ConnectedAccount[]> =>
  (await call('GET', '/api/connections')).body.connections.flatMap(
    ({ accounts }: { accounts: ConnectedAccount[] }) => accounts,
  );
const listDuplicates = async (): Promise<[string, string][]> =>
  (await listConnectedAccounts()).flatMap(({ name, duplicate }) =>
    duplicate ? [[name, duplicate.name] as [string, string]] : [],
  );
const getAccountId = async (name: string): Promise<string> =>
  (await listConnectedAccounts()).find((account) => account.name === name)!.id;

const addHolding = (accountId: string, symbol: string, quantity: number, cost: number | null = null) =>
  app.owner(
    `insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity, cost_basis)
     values ('user_a', $1, $2, $3, $4)`,
    [accountId, symbol, quantity, cost],
  );
const listManualHoldings = () =>
  app.owner(
    `select h.symbol, trim_scale(h.quantity)::text as quantity from public.manual_public_holdings h order by h.symbol`,
  );

test('names a manual account with the name or cash of a connected one as its duplicate', async () => {
  await createAccount({ name: ' sandbox checking ', balance: 7 });
  await createAccount({ name: 'My card', balance: -410.2 });
  await createAccount({ name: 'Sandbox Brokerage', balance: 1500, currency: 'EUR' });
  await createAccount({ name: 'Other', balance: 3 });
  await connect(app, 'user_a');
  assert.deepEqual((await listDuplicates()).toSorted(), [
    ['Sandbox Card', 'My card'],
    ['Sandbox Checking', 'sandbox checking'],
  ]);
});

test('counts the account once after a merge and applies the given name', async () => {
  const manual = await createAccount({ name: 'Household', balance: 1250.5 });
  await connect(app, 'user_a', { masks: ['0000'] });
  const id = await getAccountId('Sandbox Checking');
  const readCash = async () => (await call('GET', '/api/net-worth')).body.currencies[0].cash;
  assert.equal(await readCash(), 2501);
  const merge = { balance: 1250.5, currency: 'USD', removed: [], kept: [], account_removed: true };
  const dryRun = await call('POST', `/api/accounts/${id}/merge`, { duplicate_id: manual, dry_run: true });
  assert.deepEqual([dryRun.status, dryRun.body], [200, merge]);
  assert.equal(await readCash(), 2501, 'trying changes nothing');
  const merged = await call('POST', `/api/accounts/${id}/merge`, { duplicate_id: manual });
  assert.deepEqual([merged.status, merged.body], [200, merge]);
  assert.equal(await readCash(), 1250.5);
  assert.deepEqual(
    (await listConnectedAccounts()).map(({ id: accountId, name, duplicate }) => [accountId, name, duplicate]),
    [[id, 'Household', null]],
  );
  const repeated = await call('POST', `/api/accounts/${id}/merge`, { duplicate_id: manual });
  assert.equal(repeated.status, 404, 'there is nothing left to merge');
});

test('keeps each manual holding that the connected account lacks in that quantity', async () => {
  const manual = await createAccount({ name: 'Sandbox Brokerage', balance: 20 });
  await addHolding(manual, 'AAPL', 12, 2_000);
  await addHolding(manual, 'AAPL', 12);
  await addHolding(manual, 'VOO', 3, 1_000);
  await addHolding(manual, 'KO', 40);
  await connect(app, 'user_a', { masks: ['4444'] });
  const id = await getAccountId('Sandbox Brokerage');
  const { body } = await call('POST', `/api/accounts/${id}/merge`, { duplicate_id: manual });
  assert.deepEqual(body, {
    balance: 20,
    currency: 'USD',
    removed: [{ symbol: 'AAPL', quantity: 12 }],
    kept: [
      { symbol: 'AAPL', quantity: 12 },
      { symbol: 'KO', quantity: 40 },
      { symbol: 'VOO', quantity: 3 },
    ],
    account_removed: false,
  });
  assert.deepEqual(await listManualHoldings(), [
    { symbol: 'AAPL', quantity: '12' },
    { symbol: 'KO', quantity: '40' },
    { symbol: 'VOO', quantity: '3' },
  ]);
  assert.deepEqual(await listDuplicates(), [], 'what is left is not asked about again');
  const { accounts } = (await call('GET', '/api/accounts')).body;
  assert.equal(accounts.find((account: { id: string }) => account.id === manual).balance, 0);
});

test('keeps a holding with a cost that only the member entered', async () => {
  const manual = await createAccount({ name: 'Sandbox Brokerage' });
  await addHolding(manual, 'AAPL', 12, 2_000);
  await connect(app, 'user_a', { masks: ['4444'] });
  await app.owner('update public.connected_holdings set cost_basis = null');
  const id = await getAccountId('Sandbox Brokerage');
  const { body } = await call('POST', `/api/accounts/${id}/merge`, { duplicate_id: manual });
  assert.deepEqual([body.removed, body.kept], [[], [{ symbol: 'AAPL', quantity: 12 }]]);
});

test('reports no duplicate after both are kept, also after the next sync', async () => {
  await createAccount({ name: 'Sandbox Checking', balance: 1 });
  const { id: connection } = await connect(app, 'user_a', { masks: ['0000'] });
  const id = await getAccountId('Sandbox Checking');
  assert.equal((await call('POST', `/api/accounts/${id}/keep-duplicate`)).status, 204);
  await app.connections.tasks![SYNC_CONNECTION]!({ connection_id: connection } as never, {} as never);
  assert.deepEqual(await listDuplicates(), []);
  assert.equal((await call('GET', '/api/accounts')).body.accounts.length, 2);
});

test('rejects a merge of accounts of other members, kinds or currencies', async () => {
  const manual = await createAccount({ name: 'Mine', balance: 1 });
  const foreign = await createAccount({ name: 'Euros', balance: 1, currency: 'EUR' });
  await connect(app, 'user_a', { masks: ['0000'] });
  const id = await getAccountId('Sandbox Checking');
  const merge = async (account: string, duplicate: string, member?: string) =>
    (await call('POST', `/api/accounts/${account}/merge`, { duplicate_id: duplicate }, member)).status;
  assert.equal(await merge(id, manual, 'user_b'), 404);
  assert.equal(await merge(manual, id), 404);
  assert.equal(await merge(id, id), 404);
  assert.equal(await merge('nothing', manual), 404);
  assert.equal(await merge(id, foreign), 409);
  assert.equal((await call('POST', `/api/accounts/${id}/keep-duplicate`, undefined, 'user_b')).status, 404);
  assert.equal((await call('POST', `/api/accounts/${manual}/keep-duplicate`)).status, 404);
  assert.equal((await call('GET', '/api/accounts')).body.accounts.length, 3, 'nothing was changed');
});
