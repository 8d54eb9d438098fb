import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { type DemoApp, startDemoApp, UNCONFIRMED, type Viewer } from '../../../test/support/demo-access.ts';
import { assertDocumented } from '../../../test/support/documented-responses.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { callBackend, sendRequest, WEBHOOK_SECRET } from '../../../test/support/identity.ts';
import { signDelivery } from '../../platform/http/webhook-schemes/standard-webhooks.ts';

const INTERNAL = '/api/internal/demo-access';

interface Listed {
  id: string;
  label: string;
  status: string;
  active: boolean;
  session_status: string | null;
  session_last_active_at: string | null;
  usedAt: string | null;
}

async function list(demo: DemoApp, query = ''): Promise<Listed[]> {
  const answer = await demo.operate('GET', query);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assertDocumented('GET', INTERNAL, answer);
  return answer.body.invitations as Listed[];
}

async function inviteAndBind(demo: DemoApp, label: string): Promise<Viewer & { id: string }> {
  const { id, ticket } = await demo.invite(label);
  const viewer = await demo.signInWithTicket(ticket);
  assert.equal((await demo.complete(viewer, { invitation_id: id, ticket })).status, 200);
  return { ...viewer, id };
}

const sendEvent = (demo: DemoApp, type: string, data: object) => {
  const body = JSON.stringify({ object: 'event', type, data, timestamp: Date.now() });
  const signed = signDelivery(WEBHOOK_SECRET, `msg_${randomUUID()}`, body, Date.now() / 1_000);
  return sendRequest(`${demo.url}/api/webhooks/identity`, 'POST', body, {
    ...signed,
    'content-type': 'application/json',
  });
};

test('lists the state of each link with the newest first', async (t) => {
  const demo = await startDemoApp(t);
  await demo.invite('expired');
  await demo.owner(`update public.demo_access_invitations set expires_at = now()`);
  const revoked = await demo.invite('revoked');
  await demo.operate('DELETE', `/${revoked.id}`);
  const endedViewer = await inviteAndBind(demo, 'over');
  await callBackend(demo.url, 'POST', `/sessions/${endedViewer.sessionId}/revoke`);
  await inviteAndBind(demo, 'in use');
  await demo.invite('unused');
  const pending = await demo.invite('pending');
  demo.provider.revokeSignInToken = async () => UNCONFIRMED;
  await demo.operate('DELETE', `/${pending.id}`);

  const found = await list(demo);
  assert.deepEqual(
    found.map(({ label, status, active, session_status }) => [label, status, active, session_status]),
    [
      ['pending', 'revocation_pending', false, null],
      ['unused', 'unused', true, null],
      ['in use', 'in_use', true, 'active'],
      ['over', 'session_ended', false, 'revoked'],
      ['revoked', 'revoked', false, null],
      ['expired', 'link_expired', false, null],
    ],
  );
});

test('reads the current state of the sessions from the provider', async (t) => {
  const demo = await startDemoApp(t);
  const { sessionId } = await inviteAndBind(demo, 'Ada');
  await demo.owner(`update idp.sessions set last_active_at = '2027-01-02T03:04:05Z' where id = $1`, [sessionId]);
  assert.equal((await list(demo))[0]!.session_last_active_at, '2027-01-02T03:04:05.000Z');
  await demo.owner(`update idp.sessions set expire_at = now() where id = $1`, [sessionId]);
  assert.deepEqual(
    (await list(demo)).map(({ status, session_status }) => [status, session_status]),
    [['session_ended', 'expired']],
  );
  demo.provider.listSessions = async () => assert.fail('the ended sessions are not requested again');
  await list(demo);
});

test('returns the last known values when the provider is unavailable', async (t) => {
  const demo = await startDemoApp(t);
  await inviteAndBind(demo, 'Ada');
  const [before] = await list(demo);
  for (const call of ['listSessions', 'getSession', 'getUser'] as const) demo.provider[call] = async () => UNCONFIRMED;
  const [unavailable] = await list(demo);
  assert.deepEqual(unavailable, { ...before, session_status: 'unknown' });
});

test('reports a deleted session as ended when the provider has the demo account', async (t) => {
  const demo = await startDemoApp(t);
  const { sessionId } = await inviteAndBind(demo, 'Ada');
  await demo.owner('delete from idp.sessions where id = $1', [sessionId]);
  const { getUser } = demo.provider;
  demo.provider.getUser = async () => ({ ok: false, reason: 'not_found', traceId: null });
  assert.deepEqual(
    (await list(demo)).map(({ status, session_status }) => [status, session_status]),
    [['in_use', 'unknown']],
  );
  demo.provider.getUser = getUser;
  assert.deepEqual(
    (await list(demo)).map(({ status, session_status }) => [status, session_status]),
    [['session_ended', 'not_found']],
  );
});

test('makes few provider calls however many sessions it lists', async (t) => {
  const demo = await startDemoApp(t);
  await demo.owner(
    `insert into public.demo_access_invitations (label, idp_user_id, used_at, session_id)
     select 'Viewer ' || n, $1, now(), 'sess_' || n from generate_series(1, 40) n`,
    [demo.demoId],
  );
  let calls = 0;
  for (const call of ['listSessions', 'getSession', 'getUser'] as const) {
    const callOriginal = demo.provider[call] as (parameter: never) => Promise<never>;
    demo.provider[call] = async (parameter: unknown) => {
      calls += 1;
      return callOriginal(parameter as never);
    };
  }
  assert.equal((await list(demo)).length, 40);
  assert.ok(calls >= 2 && calls <= 7, String(calls));
});

test('pages without gaps or repetitions when links have one creation time', async (t) => {
  const demo = await startDemoApp(t);
  await demo.owner(
    `insert into public.demo_access_invitations (label, idp_user_id, created_at)
     select 'Viewer ' || n, $1, '2026-11-20T10:00:00.123456Z'::timestamptz + (n / 30) * interval '1 microsecond'
       from generate_series(1, 120) n`,
    [demo.demoId],
  );
  const listedIds: string[] = [];
  const sizes: number[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body } = await demo.operate('GET', cursor === '' ? '' : `?cursor=${cursor}`);
    listedIds.push(...body.invitations.map(({ id }: Listed) => id));
    sizes.push(body.invitations.length);
    cursor = body.next_cursor as string | null;
  }
  assert.deepEqual([sizes, new Set(listedIds).size], [[50, 50, 20], 120]);
});

test('spells the first use of a link usedAt, as in the specification', async (t) => {
  const demo = await startDemoApp(t);
  await demo.invite('unused');
  await inviteAndBind(demo, 'in use');
  const [used, unused] = await list(demo);
  assert.ok(Math.abs(Date.parse(used!.usedAt!) - Date.now()) < 3_600_000);
  assert.equal(unused!.usedAt, null);
  assert.ok(!('used_at' in used!));
});

test('rejects an invalid cursor and an unknown parameter', async (t) => {
  const demo = await startDemoApp(t);
  const forged = (text: string) => Buffer.from(text).toString('base64url');
  for (const query of [
    '?cursor=',
    '?cursor=abc',
    `?cursor=${forged('99999999999999999999.5b1f8c1e-6f0a-4c55-9d2f-0b7d5a3c9e11')}`,
    `?cursor=${forged("1.'; drop table x")}`,
    '?page=2',
  ]) {
    const answer = await demo.operate('GET', query);
    assert.deepEqual([answer.status, answer.body.code], [400, 'INVALID_REQUEST'], query);
  }
  const largest = forged('99999999999999999.5b1f8c1e-6f0a-4c55-9d2f-0b7d5a3c9e11');
  assert.equal((await demo.operate('GET', `?cursor=${largest}`)).status, 200);
});

test('returns active demo sessions without a link as candidates', async (t) => {
  const demo = await startDemoApp(t);
  const bound = await inviteAndBind(demo, 'Ada');
  const unboundSession = await demo.signInWithTicket((await demo.invite()).ticket);
  const endedSession = await demo.signInWithTicket((await demo.invite()).ticket);
  await callBackend(demo.url, 'POST', `/sessions/${endedSession.sessionId}/revoke`);
  const answer = await demo.operate('GET', '/candidates');
  assertDocumented('GET', `${INTERNAL}/candidates`, answer);
  assert.deepEqual(Object.keys(answer.body.sessions[0]).sort(), [
    'created_at',
    'idp_user_id',
    'last_active_at',
    'session_id',
  ]);
  assert.deepEqual(
    answer.body.sessions.map((item: { session_id: string }) => item.session_id),
    [unboundSession.sessionId],
  );
  assert.equal(await demo.getSessionStatus(unboundSession.sessionId), 'active', 'and nothing ends one');
  assert.equal(await demo.getSessionStatus(bound.sessionId), 'active');
  demo.provider.listSessions = async () => ({ ...UNCONFIRMED, retryAfter: 12 });
  const unavailableResponse = await demo.operate('GET', '/candidates');
  assert.deepEqual(
    [unavailableResponse.status, unavailableResponse.body.code, unavailableResponse.headers.get('retry-after')],
    [503, 'UNAVAILABLE', '12'],
  );
  assertDocumented('GET', `${INTERNAL}/candidates`, unavailableResponse);
});

test('ends a session by an event and ignores a later event that reports it active', async (t) => {
  const demo = await startDemoApp(t);
  const { sessionId } = await inviteAndBind(demo, 'Ada');
  const data = { id: sessionId, user_id: demo.demoId, status: 'ended', created_at: Date.now() };
  for (const call of ['listSessions', 'getSession', 'getUser'] as const) demo.provider[call] = async () => UNCONFIRMED;
  assert.equal((await sendEvent(demo, 'session.ended', data)).status, 200);
  const expected = [['session_ended', 'ended']];
  assert.deepEqual(
    (await list(demo)).map(({ status, session_status }) => [status, session_status]),
    expected,
  );
  for (const type of ['session.created', 'session.revoked'])
    assert.equal((await sendEvent(demo, type, { ...data, status: 'active' })).status, 200);
  assert.deepEqual(
    (await list(demo)).map(({ status, session_status }) => [status, session_status]),
    expected,
  );
});

test('deletes the links of a deleted demo account and no others', async (t) => {
  const demo = await startDemoApp(t);
  await demo.invite();
  await demo.owner(`insert into public.demo_access_invitations (label, idp_user_id) values ('Bob', 'user_former')`);
  assert.equal((await sendEvent(demo, 'user.deleted', { id: demo.demoId, deleted: true })).status, 200);
  await eventually(async () => (await list(demo)).length === 1);
  assert.equal((await list(demo))[0]!.label, 'Bob');
});
