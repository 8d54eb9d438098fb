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
import { CONNECTION_LIMIT } from './start-attempt.ts';

let app: ConnectionsApp;
beforeAll(async () => {
  app = await startConnectionsApp();
});
afterAll(() => app.close());

const count = async (from: string): Promise<number> =>
  (await app.owner<{ n: number }>(`select count(*)::int as n from ${from}`))[0]!.n;
const start = (member: string, more: object = {}) => startAttempt(app, member, { kind: 'brokerage', ...more });
const requestStart = (member: string, more: object = {}, headers: Record<string, string> = {}) =>
  app.call('POST', '/api/connections/start', member, { kind: 'brokerage', ...more }, headers);
const listFirstConnections = () => app.connectedEvents.map(({ idpId }) => idpId);

test('offers no connections without configuration', async () => {
  const appWithoutAggregators = await startConnectionsApp({ sandbox: false });
  try {
    for (const kind of ['bank', 'brokerage'])
      assert.equal(
        (await appWithoutAggregators.call('POST', '/api/connections/start', 'user_a', { kind })).status,
        503,
        kind,
      );
    assert.deepEqual((await appWithoutAggregators.call('GET', '/api/connections/offers', 'user_a')).body, {
      offers: [],
    });
    assert.equal((await fetch(`${appWithoutAggregators.url}/_brokerage/portal/x`)).status, 404);
  } finally {
    await appWithoutAggregators.close();
  }
});

test('ends the attempt of an abandoned or failed page despite other parameters', async () => {
  const abandonedAttempt = await start('user_a');
  const page = `${app.url}${new URL(abandonedAttempt.url).pathname}`;
  const failedVisit = await completeBrokeragePortal(app, abandonedAttempt.url, { password: 'error_INSTITUTION_DOWN' });
  assert.equal(failedVisit.status, 422);
  assert.match(String(failedVisit.body), /role="alert" tabindex="-1" autofocus/);
  assert.match(String(failedVisit.body), /not a real brokerage/);
  const body = new URLSearchParams({ action: 'cancel' });
  const submitted = await fetch(page, { method: 'POST', redirect: 'manual', body });
  assert.match(submitted.headers.get('location')!, /\?status=ABANDONED$/);
  const abandoned = await finish(app, 'user_a', abandonedAttempt.attempt_id, { status: 'ABANDONED' });
  assert.deepEqual(abandoned.body, { status: 'abandoned', code: 'EXITED' });

  for (const [scenario, returned] of [
    ['invalid_credentials', { status: 'ERROR', status_code: '403', error_code: '1066' }],
    ['rate_limited', { status: 'ERROR', status_code: '429', error_code: '0000' }],
  ] as const) {
    const { attempt_id, url } = await start('user_a');
    assert.deepEqual(parseReturn(await completeBrokeragePortal(app, url, { scenario })), returned);
    const { body: failed } = await finish(app, 'user_a', attempt_id, returned);
    assert.deepEqual(failed, { status: 'failed', code: returned.error_code }, scenario);
  }

  const attemptWithoutAccounts = await start('user_a');
  const returned = parseReturn(
    await completeBrokeragePortal(app, attemptWithoutAccounts.url, { user: 'user_empty', brokerage: 'SANDBOX2' }),
  );
  assert.deepEqual((await finish(app, 'user_a', attemptWithoutAccounts.attempt_id, returned)).body, {
    status: 'failed',
    code: 'NO_ACCOUNTS',
  });
  assert.equal(await count('public.connection_revocations'), 1, 'the connection without accounts is ended there');
  assert.deepEqual(listFirstConnections(), [], 'none of them is a first connection');
  assert.equal((await requestStart('user_a')).status, 201, 'and the next attempt is open to them');
});

test('expires the portal’s link after five minutes', async () => {
  const { attempt_id, url } = await start('user_b');
  app.advanceClock(301);
  const page = await completeBrokeragePortal(app, url);
  assert.equal(page.status, 410);
  assert.match(String(page.body), /This page has expired\. Start again\./);
  assert.equal((await finish(app, 'user_b', attempt_id)).body.status, 'pending');
  await app.owner(`update public.connection_attempts set expires_at = now() - interval '2 hours' where id = $1`, [
    attempt_id,
  ]);
  assert.deepEqual((await finish(app, 'user_b', attempt_id)).body, { status: 'abandoned', code: 'EXPIRED' });
});

test('finds another member’s connection neither by id nor by its redirect', async () => {
  const { id } = await connectBrokerage(app, 'user_a');
  const [{ connection_id }] = (await app.owner(
    `select external_id as connection_id from public.connections where id = $1`,
    [id],
  )) as [{ connection_id: string }];
  const { attempt_id } = await start('user_b');
  const foreign = { status: 'SUCCESS', connection_id };
  assert.equal((await finish(app, 'user_b', attempt_id, foreign)).status, 404);
  assert.equal((await finish(app, 'user_b', attempt_id, { ...foreign, connection_id: 'x' })).status, 404);
  assert.equal((await finish(app, 'user_b', attempt_id)).body.status, 'pending', 'the attempt continues');
  assert.equal((await requestStart('user_b', { repair: id })).status, 404);
  assert.equal((await app.call('DELETE', `/api/connections/${id}`, 'user_b')).status, 404);
  assert.ok(!listFirstConnections().includes('user_b'));
});

test('limits the number of connections of a member', async () => {
  await app.owner(
    `insert into public.connections (idp_id, kind, provider, external_id, institution)
     select 'user_b', 'brokerage', 'snaptrade', 'external ' || n, 'Brokerage' from generate_series(1, $1::int) n`,
    [CONNECTION_LIMIT],
  );
  const portals = await count('brokerage_sandbox.portals');
  const rejected = await requestStart('user_b');
  assert.deepEqual(
    [rejected.status, rejected.body.code, rejected.body.limit],
    [403, 'LIMIT_REACHED', CONNECTION_LIMIT],
  );
  assert.equal(await count('brokerage_sandbox.portals'), portals, 'no call was made');
});
