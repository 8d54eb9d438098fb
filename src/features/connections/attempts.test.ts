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
import { eventuallyEquals } from '../../../test/support/eventually.ts';
import { claimAttempt, closeAttempt, releaseAttempt, storeCredential } from './attempt-queries.ts';
import { REVOKE_ACCESS } from './enqueue-revocation.ts';
import { SYNC_CONNECTION } from './sync-connection.ts';

let app: ConnectionsApp;
beforeAll(async () => {
  app = await startConnectionsApp({ finishTimeoutMs: 2_000 });
});
afterAll(() => app.close());
beforeEach(() => app.owner('delete from public.connections'));

const count = async (from: string): Promise<number> =>
  (await app.owner<{ n: number }>(`select count(*)::int as n from ${from}`))[0]!.n;
const sync = (id: string) => app.connections.tasks![SYNC_CONNECTION]!({ connection_id: id } as never, {} as never);
const getConnectionStatus = async (member: string) =>
  (await app.call('GET', '/api/connections', member)).body.connections[0].status;

test('returns 404 for another member’s attempt and connection', async () => {
  const { attempt_id } = await startAttempt(app, 'user_a');
  assert.equal((await finish(app, 'user_b', attempt_id)).status, 404);
  const { id: repair } = await connect(app, 'user_a');
  assert.equal((await app.call('POST', '/api/connections/start', 'user_b', { kind: 'bank', repair })).status, 404);
  assert.equal((await app.call('DELETE', `/api/connections/${repair}`, 'user_b')).status, 404);
});

test('exchanges no token for accounts that are already connected', async () => {
  const { id } = await connect(app, 'user_a');
  const items = await count('bank_sandbox.items');
  const connectAgain = async () => {
    const { attempt_id, url } = await startAttempt(app, 'user_a');
    await completeBankPage(app, url);
    return (await finish(app, 'user_a', attempt_id)).body;
  };
  const duplicate = await connectAgain();
  assert.deepEqual([duplicate.status, duplicate.connection.id, duplicate.code], ['duplicate', id, undefined]);
  await app.owner(`update public.connections set status = 'login_required'`);
  const broken = await connectAgain();
  assert.deepEqual([broken.status, broken.connection.id, broken.code], ['duplicate', id, 'REPAIR_NEEDED']);
  assert.equal(await count('bank_sandbox.items'), items);
  assert.notEqual((await connect(app, 'user_a', { bank: 'ins_sandbox_2' })).id, id, 'another bank is none');
});

test('replaces the access under equal ids when a sign-in ends the earlier one', async () => {
  await app.owner(`insert into public.all_users (idp_id) values ('user_single')`);
  const bank = 'ins_sandbox_3';
  const first = await connect(app, 'user_single', { bank });
  const [renamedAccount] = first.accounts;
  assert.equal(
    (await app.call('PATCH', `/api/accounts/${renamedAccount!.id}`, 'user_single', { name: 'Mine' })).status,
    200,
  );
  const holdings = (await app.call('GET', '/api/investments/holdings', 'user_single')).body.holdings;
  const [before] = await app.owner<{ external_id: string }>('select external_id from public.connections');
  const { attempt_id, url } = await startAttempt(app, 'user_single');
  await completeBankPage(app, url, { bank });
  await sync(first.id);
  assert.equal(await getConnectionStatus('user_single'), 'login_required', 'the page has ended the older access');
  const { body } = await finish(app, 'user_single', attempt_id);
  assert.deepEqual([body.status, body.connection.id, body.connection.status], ['connected', first.id, 'active']);
  const toIdAndMask = ({ id, mask }: { id: string; mask?: string }) => [id, mask];
  assert.deepEqual(body.connection.accounts.map(toIdAndMask).sort(), first.accounts.map(toIdAndMask).sort());
  assert.equal(body.connection.accounts.find(({ id }: { id: string }) => id === renamedAccount!.id).name, 'Mine');
  assert.deepEqual((await app.call('GET', '/api/investments/holdings', 'user_single')).body.holdings, holdings);
  const [after] = await app.owner<{ external_id: string }>('select external_id from public.connections');
  assert.notEqual(after!.external_id, before!.external_id);
  const [revocation] = await app.owner<{ id: string }>(
    'select id from public.connection_revocations order by created_at desc',
  );
  await app.connections.tasks![REVOKE_ACCESS]!({ removal_id: revocation!.id } as never, {} as never);
  const states = await app.owner(
    `select i.state, i.id = c.external_id as current from bank_sandbox.items i, public.connections c
      where i.id in ($1, $2) order by 1`,
    [before!.external_id, after!.external_id],
  );
  assert.deepEqual(states, [
    { state: 'good', current: true },
    { state: 'removed', current: false },
  ]);
  await sync(first.id);
  assert.equal(await getConnectionStatus('user_single'), 'active');
  assert.equal(app.connectedEvents.filter(({ idpId }) => idpId === 'user_single').length, 1, 'reported once');
});

test('keeps accounts with their ids while a sign-in is required and after the repair', async () => {
  const { id, accounts } = await connect(app, 'user_a');
  await app.owner(`update bank_sandbox.items set state = 'login_required'`);
  await sync(id);
  assert.equal(await getConnectionStatus('user_a'), 'login_required');
  assert.equal((await app.call('GET', '/api/investments/holdings', 'user_a')).body.holdings.length, 2);
  const { attempt_id, url } = await startAttempt(app, 'user_a', { repair: id });
  assert.equal((await finish(app, 'user_a', attempt_id)).body.status, 'pending');
  assert.equal((await completeBankPage(app, url)).status, 303);
  const { body } = await finish(app, 'user_a', attempt_id);
  assert.deepEqual([body.status, body.connection.id, body.connection.status], ['connected', id, 'active']);
  assert.deepEqual(body.connection.accounts, accounts);
});

test('maps each hosted-page result to the attempt status', async () => {
  for (const [code, status] of [
    ['INVALID_CREDENTIALS', 422],
    ['ITEM_LOCKED', 422],
    ['INSTITUTION_DOWN', 422],
  ] as const) {
    const { attempt_id, url } = await startAttempt(app, 'user_b');
    const page = await completeBankPage(app, url, { password: `error_${code}` });
    assert.equal(page.status, status);
    assert.match(String(page.body), /role="alert" tabindex="-1" autofocus/);
    assert.equal((await finish(app, 'user_b', attempt_id)).body.status, 'pending');
    const cancelled = await fetch(`${app.url}${new URL(url).pathname}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ action: 'cancel' }),
    });
    assert.equal(cancelled.status, 303);
    assert.deepEqual((await finish(app, 'user_b', attempt_id)).body, { status: 'abandoned', code });
  }
  const empty = await startAttempt(app, 'user_b');
  await completeBankPage(app, empty.url, { user: 'user_empty' });
  assert.deepEqual((await finish(app, 'user_b', empty.attempt_id)).body, { status: 'failed', code: 'NO_ACCOUNTS' });
  assert.equal(await count(`public.connection_revocations`), 1, 'its access is ended at the aggregator');
  assert.ok(
    app.connectedEvents.every(({ idpId }) => idpId !== 'user_b'),
    'no first connection',
  );
});

test('continues after a crash between exchange and commit without losing the token', async () => {
  const { attempt_id, url } = await startAttempt(app, 'user_b');
  await completeBankPage(app, url);
  await app.owner(`alter table public.connections add constraint broken check (idp_id <> 'user_b')`);
  assert.equal((await finish(app, 'user_b', attempt_id)).status, 500);
  await app.owner(`alter table public.connections drop constraint broken`);
  const items = await count('bank_sandbox.items');
  assert.equal((await finish(app, 'user_b', attempt_id)).body.status, 'connected');
  assert.equal(await count('bank_sandbox.items'), items, 'nothing was exchanged twice');
});

test('responds pending during a slow exchange and creates one item', { tags: ['slow'] }, async () => {
  const items = await count('bank_sandbox.items');
  const { attempt_id, url } = await startAttempt(app, 'user_b');
  await completeBankPage(app, url, { user: 'user_slow' });
  const first = finish(app, 'user_b', attempt_id);
  assert.equal((await first).body.status, 'pending');
  assert.equal((await finish(app, 'user_b', attempt_id)).body.status, 'pending');
  app.advanceClock(20);
  await eventuallyEquals(async () => (await finish(app, 'user_b', attempt_id)).body.status, 'connected');
  assert.equal(await count('bank_sandbox.items'), items + 1);
});

test('ignores the writes of a caller whose lease another caller has claimed', async () => {
  const { service } = app.database;
  const { attempt_id: id } = await startAttempt(app, 'user_a');
  const first = (await claimAttempt(service, 'user_a', id))!;
  await app.owner(`update public.connection_attempts set claimed_at = now() - interval '91 seconds' where id = $1`, [
    id,
  ]);
  const second = (await claimAttempt(service, 'user_a', id))!;
  const exchanged = { externalId: 'item', encryptedCredential: Buffer.from('credential') };
  await releaseAttempt(service, first);
  assert.equal(await claimAttempt(service, 'user_a', id), undefined);
  assert.equal(await storeCredential(service, first, exchanged), false);
  assert.equal(await closeAttempt(service, first, { state: 'failed', code: 'LATE' }), false);
  await releaseAttempt(service, second);
  const third = (await claimAttempt(service, 'user_a', id))!;
  assert.equal(await storeCredential(service, third, exchanged), true);
  assert.equal(await closeAttempt(service, third, { state: 'abandoned' }), true);
});

test('keeps stored data when the provider response is incomplete', async () => {
  const { id } = await connect(app, 'user_a');
  const readHoldings = async () => (await app.call('GET', '/api/investments/holdings', 'user_a')).body;
  const before = await readHoldings();
  await app.owner(`update bank_sandbox.items set data = jsonb_set(data, '{accounts}', '[]')`);
  await sync(id);
  assert.deepEqual(await readHoldings(), before);
  await app.owner(`update bank_sandbox.items set state = 'removed'`);
  await sync(id);
  assert.deepEqual(await readHoldings(), before);
  assert.equal(await getConnectionStatus('user_a'), 'revoked');
});

test('writes no token to the log, jobs or database', async () => {
  await connect(app, 'user_a');
  const jobs = await app.owner<{ text: string }>('select j.payload::text as text from graphile_worker._private_jobs j');
  const tables = await app.owner<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname in ('public', 'bank_sandbox')`,
  );
  const texts = [app.readLog(), ...jobs.map(({ text }) => text)];
  for (const { name } of tables.filter((table) => table.name !== 'bank_sandbox.webhook_messages'))
    texts.push(...(await app.owner<{ t: string }>(`select t::text as t from ${name} t`)).map(({ t }) => t));
  assert.ok(texts.length > 20);
  for (const text of texts) assert.doesNotMatch(text, /(access|public|link)-sandbox-/);
});
