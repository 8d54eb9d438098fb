import assert from 'node:assert/strict';
import { afterAll, beforeAll, beforeEach, test } from 'vitest';
import {
  connect,
  type ConnectionsApp,
  finish,
  startAttempt,
  startConnectionsApp,
  completeBankPage,
} from '../../../test/support/connections-app.ts';
import { SYNC_CONNECTION } from './sync-connection.ts';

let app: ConnectionsApp;
beforeAll(async () => {
  app = await startConnectionsApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.owner('delete from public.connections');
  await app.owner(`insert into public.all_users (idp_id) values ('user_a') on conflict do nothing`);
});

const SINGLE_ACCESS = 'ins_sandbox_3';
const CHECKING = '0000';
const CARD = '3333';
const BROKERAGE = '4444';
type Visit = NonNullable<Parameters<typeof completeBankPage>[2]>;
interface ListedConnection {
  id: string;
  status: string;
  accounts: { id: string; name: string; mask: string; balance: number; left_out: boolean }[];
}

async function signIn(visit: Visit, more: object = {}) {
  const { attempt_id, url } = await startAttempt(app, 'user_a', more);
  await completeBankPage(app, url, visit);
  return (await finish(app, 'user_a', attempt_id)).body as {
    status: string;
    code?: string;
    connection: ListedConnection;
  };
}
const listConnections = async (): Promise<ListedConnection[]> =>
  (await app.call('GET', '/api/connections', 'user_a')).body.connections;
const getMasks = ({ accounts }: ListedConnection): string[] => accounts.map(({ mask }) => mask).toSorted();
const sync = (id: string) => app.connections.tasks![SYNC_CONNECTION]!({ connection_id: id } as never, {} as never);
/** Returns cash less what is owed on cards. */
const readCash = async (): Promise<number> => {
  const [dollars] = (await app.call('GET', '/api/net-worth', 'user_a')).body.currencies;
  return dollars === undefined ? 0 : Number((dollars.cash + dollars.liabilities).toFixed(4));
};

test('adds omitted accounts when a repeated sign-in selects all of them', async () => {
  const first = await connect(app, 'user_a', { masks: [CHECKING] });
  const renamed = await app.call('PATCH', `/api/accounts/${first.accounts[0]!.id}`, 'user_a', { name: 'Household' });
  assert.equal(renamed.status, 200);
  const { status, code, connection } = await signIn({});
  assert.deepEqual([status, code, connection.id], ['connected', 'ACCOUNTS_ADDED', first.id]);
  assert.deepEqual(getMasks(connection), [CHECKING, CARD, BROKERAGE]);
  const checking = connection.accounts.find(({ mask }) => mask === CHECKING)!;
  assert.deepEqual([checking.id, checking.name], [first.accounts[0]!.id, 'Household'], 'id and name stay');
  assert.equal((await listConnections()).length, 1);
  assert.equal(await readCash(), 1250.5 - 410.2 + 1500, 'nothing counts twice');
  await sync(first.id);
  assert.deepEqual(getMasks((await listConnections())[0]!), [CHECKING, CARD, BROKERAGE]);
});

test('creates a second connection when the sign-in omits existing accounts', async () => {
  const first = await connect(app, 'user_a', { masks: [CHECKING, CARD] });
  const { status, connection } = await signIn({ masks: [CARD, BROKERAGE] });
  assert.equal(status, 'connected');
  assert.deepEqual(getMasks(connection), [BROKERAGE]);
  for (const { id } of await listConnections()) await sync(id);
  const after = await listConnections();
  assert.deepEqual(after.map(getMasks), [[CHECKING, CARD], [BROKERAGE]]);
  assert.equal(after[0]!.id, first.id);
  assert.equal(await readCash(), 1250.5 - 410.2 + 1500, 'the card that both bring counts once');
});

test('exchanges no token when all selected accounts are connected', async () => {
  const first = await connect(app, 'user_a', { masks: [CHECKING, CARD] });
  const { status, code, connection } = await signIn({ masks: [CARD] });
  assert.deepEqual([status, code, connection.id], ['duplicate', undefined, first.id]);
  assert.deepEqual(getMasks(connection), [CHECKING, CARD]);
});

test('adds accounts to the connection by a new sign-in and keeps the other ids', async () => {
  const first = await connect(app, 'user_a', { masks: [CHECKING] });
  const { status, connection } = await signIn({ masks: [CHECKING, BROKERAGE] }, { repair: first.id });
  assert.deepEqual([status, connection.id], ['connected', first.id]);
  assert.deepEqual(getMasks(connection), [CHECKING, BROKERAGE], 'the answer has the account that was added');
  assert.equal(connection.accounts.find(({ mask }) => mask === CHECKING)!.id, first.accounts[0]!.id);
  const [items] = await app.owner<{ n: number }>(
    `select count(*)::int as n from bank_sandbox.items i join public.connections c on c.external_id = i.id`,
  );
  assert.equal(items!.n, 1, 'the access is the same');
});

test('keeps an account that a single-access bank’s sign-in omitted', async () => {
  const bank = SINGLE_ACCESS;
  const first = await connect(app, 'user_a', { bank, masks: [CHECKING, CARD] });
  const { status, code, connection } = await signIn({ bank, masks: [CARD, BROKERAGE] });
  assert.deepEqual([status, code, connection.id], ['connected', 'ACCOUNTS_LEFT_OUT', first.id]);
  assert.deepEqual(getMasks(connection), [CHECKING, CARD, BROKERAGE]);
  const getLeftOutMasks = (listed: ListedConnection) =>
    listed.accounts.filter((account) => account.left_out).map(({ mask }) => mask);
  assert.deepEqual(getLeftOutMasks(connection), [CHECKING]);
  await sync(first.id);
  const [after] = await listConnections();
  assert.deepEqual(
    [after!.status, getLeftOutMasks(after!)],
    ['active', [CHECKING]],
    'a later reading takes nothing away',
  );
  const repaired = await signIn({ bank }, { repair: first.id });
  assert.deepEqual(getLeftOutMasks(repaired.connection), []);
  assert.equal(
    repaired.connection.accounts.find(({ mask }) => mask === CHECKING)!.id,
    first.accounts.find(({ name }) => name === 'Sandbox Checking')!.id,
  );
});

test('adds other accounts to the connection that a single-access bank ended', async () => {
  const bank = SINGLE_ACCESS;
  const first = await connect(app, 'user_a', { bank, masks: [CHECKING] });
  const { code, connection } = await signIn({ bank, masks: [BROKERAGE] });
  assert.deepEqual([connection.id, connection.status, code], [first.id, 'active', 'ACCOUNTS_LEFT_OUT']);
  assert.deepEqual(getMasks(connection), [CHECKING, BROKERAGE]);
  assert.equal((await listConnections()).length, 1);
});

test('deletes only an omitted account when the member requests it', async () => {
  const bank = SINGLE_ACCESS;
  await connect(app, 'user_a', { bank, masks: [CHECKING] });
  const { connection } = await signIn({ bank, masks: [BROKERAGE] });
  const getAccountId = (mask: string) => connection.accounts.find((account) => account.mask === mask)!.id;
  const remove = async (id: string, member = 'user_a') =>
    (await app.call('DELETE', `/api/accounts/${id}`, member)).status;
  assert.equal(await remove(getAccountId(CHECKING), 'user_b'), 404);
  assert.equal(await remove(getAccountId(BROKERAGE)), 409);
  assert.equal(await remove(getAccountId(CHECKING)), 204);
  assert.deepEqual(getMasks((await listConnections())[0]!), [BROKERAGE]);
});
