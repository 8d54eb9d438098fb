import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import {
  connectBrokerage,
  type ConnectionsApp,
  finish,
  returnedBy,
  startAttempt,
  startConnectionsApp,
  visitPortal,
} from '../../../test/support/connections-app.ts';
import { CONNECTION_LIMIT } from './start-attempt.ts';

let app: ConnectionsApp;
beforeAll(async () => {
  app = await startConnectionsApp();
});
afterAll(() => app.close());

const count = async (from: string): Promise<number> =>
  (await app.owner<{ n: number }>(`select count(*)::int as n from ${from}`))[0]!.n;
const start = (member: string, more: object = {}) => startAttempt(app, member, { kind: 'brokerage', ...more });
const ask = (member: string, more: object = {}, headers: Record<string, string> = {}) =>
  app.call('POST', '/api/connections/start', member, { kind: 'brokerage', ...more }, headers);
const firsts = () => app.connected.map(({ idpId }) => idpId);

test('the demo’s people register no user at the aggregator, and a deployment without one offers none', async () => {
  for (const [member, code, headers] of [
    ['user_demo', 'DEMO_ACCOUNT', {}],
    ['user_sample', 'DEMO_MODE', {}],
    ['user_a', 'DEMO_MODE', { 'x-demo-tour': '1' }],
  ] as const) {
    const refused = await ask(member, {}, headers);
    assert.deepEqual([refused.status, refused.body.code], [403, code]);
  }
  assert.equal(await count('brokerage_sandbox.people'), 0, 'no call was made');
  assert.equal(await count('public.brokerage_users'), 0);
  const none = await startConnectionsApp({ sandbox: false });
  try {
    for (const kind of ['bank', 'brokerage'])
      assert.equal((await none.call('POST', '/api/connections/start', 'user_a', { kind })).status, 503, kind);
    assert.deepEqual((await none.call('GET', '/api/connections/offers', 'user_a')).body, { offers: [] });
    assert.equal((await fetch(`${none.url}/_brokerage/portal/x`)).status, 404);
  } finally {
    await none.close();
  }
});

test('a page that was left, or failed, ends the attempt so, whatever else it claims', async () => {
  const left = await start('user_a');
  const page = `${app.url}${new URL(left.url).pathname}`;
  const wrong = await visitPortal(app, left.url, { password: 'error_INSTITUTION_DOWN' });
  assert.equal(wrong.status, 422);
  assert.match(String(wrong.body), /role="alert" tabindex="-1" autofocus/);
  assert.match(String(wrong.body), /no real brokerage/);
  const body = new URLSearchParams({ action: 'cancel' });
  const sent = await fetch(page, { method: 'POST', redirect: 'manual', body });
  assert.match(sent.headers.get('location')!, /\?status=ABANDONED$/);
  const abandoned = await finish(app, 'user_a', left.attempt_id, { status: 'ABANDONED' });
  assert.deepEqual(abandoned.body, { status: 'abandoned', code: 'EXITED' });

  for (const [scenario, returned] of [
    ['invalid_credentials', { status: 'ERROR', status_code: '403', error_code: '1066' }],
    ['account_locked', { status: 'ERROR', status_code: '403', error_code: '1066' }],
    ['rate_limited', { status: 'ERROR', status_code: '429', error_code: '0000' }],
  ] as const) {
    const { attempt_id, url } = await start('user_a');
    assert.deepEqual(returnedBy(await visitPortal(app, url, { scenario })), returned);
    const { body: failed } = await finish(app, 'user_a', attempt_id, returned);
    assert.deepEqual(failed, { status: 'failed', code: returned.error_code }, scenario);
  }

  const empty = await start('user_a');
  const returned = returnedBy(await visitPortal(app, empty.url, { scenario: 'no_accounts', brokerage: 'SANDBOX2' }));
  assert.deepEqual((await finish(app, 'user_a', empty.attempt_id, returned)).body, {
    ...{ status: 'failed', code: 'NO_ACCOUNTS' },
  });
  assert.equal(await count('public.aggregator_removals'), 1, 'the connection without accounts is ended there');
  assert.deepEqual(firsts(), [], 'none of them is a first connection');
  assert.equal((await ask('user_a')).status, 201, 'and the next attempt is open to them');
});

test('the portal’s link ends after five minutes, and says so', async () => {
  const { attempt_id, url } = await start('user_b');
  app.advance(301);
  const page = await visitPortal(app, url);
  assert.equal(page.status, 410);
  assert.match(String(page.body), /It has expired; begin again\./);
  assert.equal((await finish(app, 'user_b', attempt_id)).body.status, 'pending');
  await app.owner(`update public.connection_attempts set expires_at = now() - interval '2 hours' where id = $1`, [
    attempt_id,
  ]);
  assert.deepEqual((await finish(app, 'user_b', attempt_id)).body, { status: 'abandoned', code: 'EXPIRED' });
});

test('another member’s connection is not found by its id, nor by a return with it', async () => {
  const { id } = await connectBrokerage(app, 'user_a');
  const [{ connection_id }] = (await app.owner(
    `select external_id as connection_id from public.connections where id = $1`,
    [id],
  )) as [{ connection_id: string }];
  const { attempt_id } = await start('user_b');
  const foreign = { status: 'SUCCESS', connection_id };
  assert.equal((await finish(app, 'user_b', attempt_id, foreign)).status, 404);
  assert.equal((await finish(app, 'user_b', attempt_id, { ...foreign, connection_id: 'x' })).status, 404);
  assert.equal((await finish(app, 'user_b', attempt_id)).body.status, 'pending', 'the attempt goes on');
  assert.equal((await ask('user_b', { repair: id })).status, 404);
  assert.equal((await app.call('DELETE', `/api/connections/${id}`, 'user_b')).status, 404);
  assert.ok(!firsts().includes('user_b'));
});

test('nobody connects more than the limit', async () => {
  await app.owner(
    `insert into public.connections (idp_id, kind, provider, external_id, institution)
     select 'user_b', 'brokerage', 'snaptrade', 'external ' || n, 'Brokerage' from generate_series(1, $1::int) n`,
    [CONNECTION_LIMIT],
  );
  const people = await count('brokerage_sandbox.portals');
  const refused = await ask('user_b');
  assert.deepEqual([refused.status, refused.body.code, refused.body.limit], [403, 'LIMIT_REACHED', CONNECTION_LIMIT]);
  assert.equal(await count('brokerage_sandbox.portals'), people, 'no call was made');
});
