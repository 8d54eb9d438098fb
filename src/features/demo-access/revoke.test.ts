import assert from 'node:assert/strict';
import { test } from 'vitest';
import { type DemoApp, startDemoApp, UNCONFIRMED, type Viewer } from '../../../test/support/demo-access.ts';
import { assertDocumented } from '../../../test/support/documented-responses.ts';
import { callBackend, sendRequest, TestBrowser } from '../../../test/support/identity.ts';
import type { ProviderResult } from '../../platform/identity/provider-client.ts';

const PATH = '/api/internal/demo-access/5b1f8c1e-6f0a-4c55-9d2f-0b7d5a3c9e11';
const NOT_FOUND = { ok: false, reason: 'not_found', traceId: null } as const;
const conflict = (status: number, code: string) =>
  ({ ok: false, reason: 'conflict', status, code, traceId: null }) as const;

async function inviteAndBind(demo: DemoApp, label?: string): Promise<Viewer & { id: string }> {
  const { id, ticket } = await demo.invite(label);
  const viewer = await demo.signInWithTicket(ticket);
  assert.equal((await demo.complete(viewer, { invitation_id: id, ticket })).status, 200);
  return { ...viewer, id };
}

const me = ({ url }: DemoApp, { token }: Viewer) =>
  sendRequest(`${url}/api/me`, 'GET', undefined, { authorization: `Bearer ${token}` });
const readStatus = async (demo: DemoApp, id: string) =>
  (await demo.operate('GET', '')).body.invitations.find((item: { id: string }) => item.id === id).status as string;

/** Revokes an invitation and validates the response against the OpenAPI document. */
async function revoke(demo: DemoApp, id: string): Promise<string> {
  const answer = await demo.operate('DELETE', `/${id}`);
  assertDocumented('DELETE', PATH, answer);
  if (answer.status === 503) assert.ok(Number(answer.headers.get('retry-after')) >= 1);
  if (answer.status === 200) assert.deepEqual(answer.body, { id, status: 'revoked' });
  return answer.status === 200 ? '200' : `${answer.status} ${answer.body.code}`;
}

test('rejects a revoked link and accepts a repeated revocation', async (t) => {
  const demo = await startDemoApp(t);
  const { id, ticket } = await demo.invite();
  assert.equal(await revoke(demo, id), '200');
  await assert.rejects(demo.signInWithTicket(ticket), /sign_in_token_revoked_code/);
  demo.provider.revokeSignInToken = async () => assert.fail('the revoked ticket is not revoked again');
  assert.equal(await revoke(demo, id), '200');
  assert.equal(await readStatus(demo, id), 'revoked');
});

test('ends the session of a revoked link and no other viewer’s session', async (t) => {
  const demo = await startDemoApp(t);
  const viewer = await inviteAndBind(demo);
  const other = await inviteAndBind(demo);
  assert.equal((await me(demo, viewer)).status, 200);
  assert.equal(await revoke(demo, viewer.id), '200');
  assert.equal((await me(demo, viewer)).status, 401, 'at once, though its token has not run out');
  assert.equal(await demo.getSessionStatus(viewer.sessionId), 'revoked');
  assert.equal((await me(demo, other)).status, 200);
  assert.equal(await demo.getSessionStatus(other.sessionId), 'active');
});

test('returns 404 for an unknown or malformed id', async (t) => {
  const demo = await startDemoApp(t);
  for (const id of ['5b1f8c1e-6f0a-4c55-9d2f-0b7d5a3c9e11', 'sess_2abc', '%00'])
    assert.equal(await revoke(demo, id), '404 NOT_FOUND');
});

test('settles a consumed ticket without a recorded session and ends no session', async (t) => {
  const demo = await startDemoApp(t);
  const { id, ticket } = await demo.invite();
  const { sessionId } = await demo.signInWithTicket(ticket);
  assert.equal(await revoke(demo, id), '200');
  assert.equal(await demo.getSessionStatus(sessionId), 'active');
  const { body } = await demo.operate('GET', '/candidates');
  assert.deepEqual(
    body.sessions.map((item: { session_id: string; idp_user_id: string }) => [item.session_id, item.idp_user_id]),
    [[sessionId, demo.demoId]],
  );
});

test('treats a ticket as consumed only when the provider returns 400 with its code', async (t) => {
  const demo = await startDemoApp(t);
  const { id } = await demo.invite();
  const code = 'sign_in_token_cannot_be_revoked_code';
  for (const answer of [conflict(409, code), conflict(422, code), conflict(400, 'another_code'), UNCONFIRMED]) {
    demo.provider.revokeSignInToken = async () => answer;
    assert.equal(await revoke(demo, id), '503 REVOCATION_UNCONFIRMED');
    assert.equal(await readStatus(demo, id), 'revocation_pending');
  }
  demo.provider.revokeSignInToken = async () => conflict(400, code);
  assert.equal(await revoke(demo, id), '200');
});

test('accepts a 404 for the ticket only when the demo account exists', async (t) => {
  const demo = await startDemoApp(t);
  const { id } = await demo.invite();
  const { getUser } = demo.provider;
  demo.provider.revokeSignInToken = async () => NOT_FOUND;
  for (const [user, answer] of [
    [NOT_FOUND, '409 ACCOUNT_MISMATCH'],
    [UNCONFIRMED, '503 REVOCATION_UNCONFIRMED'],
    [conflict(400, 'some_code'), '503 REVOCATION_UNCONFIRMED'],
  ] as const) {
    demo.provider.getUser = async () => user;
    assert.equal(await revoke(demo, id), answer);
    assert.equal(await readStatus(demo, id), 'revocation_pending');
  }
  demo.provider.getUser = getUser;
  assert.equal(await revoke(demo, id), '200');
});

test('accepts a 404 for the session only when the demo account exists', async (t) => {
  const demo = await startDemoApp(t);
  const { id, ...viewer } = await inviteAndBind(demo);
  const { getUser } = demo.provider;
  demo.provider.getSession = async () => NOT_FOUND;
  demo.provider.revokeSession = async () => assert.fail('it is not there');
  for (const [user, answer] of [
    [NOT_FOUND, '409 ACCOUNT_MISMATCH'],
    [UNCONFIRMED, '503 REVOCATION_UNCONFIRMED'],
  ] as const) {
    demo.provider.getUser = async () => user;
    assert.equal(await revoke(demo, id), answer);
    assert.equal((await me(demo, viewer)).status, 401, 'rejected here nevertheless');
  }
  demo.provider.getUser = getUser;
  assert.equal(await revoke(demo, id), '200');
});

test('ends no session of another account and reports the different accounts', async (t) => {
  const demo = await startDemoApp(t);
  const { id } = await inviteAndBind(demo);
  const { sessionId } = await new TestBrowser(demo.url).signUp();
  await demo.owner('update public.demo_access_invitations set session_id = $1', [sessionId]);
  for (let attempt = 0; attempt < 2; attempt += 1) assert.equal(await revoke(demo, id), '409 ACCOUNT_MISMATCH');
  assert.equal(await demo.getSessionStatus(sessionId), 'active');
});

test('makes no provider call for an invitation of another demo account', async (t) => {
  const demo = await startDemoApp(t);
  const { id, sessionId } = await inviteAndBind(demo);
  await demo.owner(`update public.demo_access_invitations set idp_user_id = 'user_former'`);
  demo.provider.revokeSignInToken = async () => assert.fail('it is another account’s');
  assert.equal(await revoke(demo, id), '409 ACCOUNT_MISMATCH');
  assert.equal(await demo.getSessionStatus(sessionId), 'active');
});

test('treats a session that has already ended as revoked', async (t) => {
  const demo = await startDemoApp(t);
  const first = await inviteAndBind(demo);
  const second = await inviteAndBind(demo);
  await callBackend(demo.url, 'POST', `/sessions/${first.sessionId}/revoke`);
  assert.equal(await revoke(demo, first.id), '200');
  const { revokeSession } = demo.provider;
  demo.provider.revokeSession = async (id) => {
    await revokeSession(id); // done, and the response is lost
    return UNCONFIRMED;
  };
  assert.equal(await revoke(demo, second.id), '200');
});

test('keeps unconfirmed steps pending and repeats only those in a retry', async (t) => {
  const demo = await startDemoApp(t);
  const { id, ...viewer } = await inviteAndBind(demo);
  const { getSession, revokeSession, revokeSignInToken } = demo.provider;
  demo.provider.getSession = async () => ({ ...UNCONFIRMED, retryAfter: 40 });
  const answer = await demo.operate('DELETE', `/${id}`);
  assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '40']);
  assert.equal((await me(demo, viewer)).status, 401);

  demo.provider.revokeSignInToken = async () => assert.fail('the ticket is settled');
  demo.provider.getSession = getSession;
  for (const lostResponse of [UNCONFIRMED, conflict(400, 'any')]) {
    demo.provider.revokeSession = async () => lostResponse;
    assert.equal(await revoke(demo, id), '503 REVOCATION_UNCONFIRMED', 'it is read again, and lives');
  }
  assert.equal(await readStatus(demo, id), 'revocation_pending');
  Object.assign(demo.provider, { revokeSession, revokeSignInToken });
  assert.equal(await revoke(demo, id), '200');
  assert.equal(await demo.getSessionStatus(viewer.sessionId), 'revoked');
});

test('accepts a 404 for the session’s revocation only when the demo account exists', async (t) => {
  const demo = await startDemoApp(t);
  const { id } = await inviteAndBind(demo);
  const { getUser } = demo.provider;
  demo.provider.revokeSession = async () => NOT_FOUND;
  demo.provider.getUser = async () => UNCONFIRMED;
  assert.equal(await revoke(demo, id), '503 REVOCATION_UNCONFIRMED');
  demo.provider.getUser = async () => NOT_FOUND;
  assert.equal(await revoke(demo, id), '409 ACCOUNT_MISMATCH');
  demo.provider.getUser = getUser;
  assert.equal(await revoke(demo, id), '200');
});

test('warns that a session may be active when the gate accepts unbound sessions', { tags: ['slow'] }, async (t) => {
  for (const strict of [false, true]) {
    const demo = await startDemoApp(t, { strict });
    const bound = await inviteAndBind(demo);
    const { id, ticket } = await demo.invite();
    const unused = await demo.invite();
    const viewer = await demo.signInWithTicket(ticket); // and the completion is never sent
    for (let time = 0; time < 2; time += 1) {
      const answer = await demo.operate('DELETE', `/${id}`);
      assertDocumented('DELETE', PATH, answer);
      const { warning, ...rest } = answer.body;
      assert.deepEqual(rest, { id, status: 'revoked' });
      assert.match(warning ?? '', strict ? /^$/ : /DEMO_ACCESS_STRICT is off/);
    }
    assert.equal((await me(demo, viewer)).status, strict ? 401 : 200);
    for (const other of [bound, unused]) assert.equal(await revoke(demo, other.id), '200', 'nothing is left of these');
  }
});

test('leaves the revocation unconfirmed when the database fails and completes it later', async (t) => {
  const demo = await startDemoApp(t);
  const { id, ...viewer } = await inviteAndBind(demo);
  for (const column of ['revoke_requested_at', 'ticket_outcome', 'session_outcome', 'revoked_at']) {
    await demo.owner(`
      create function public.refuse() returns trigger language plpgsql as
        $$ begin
          if new.${column} is not null and old.${column} is null then raise 'disk full'; end if;
          return new;
        end $$;
      create trigger refuse before update on public.demo_access_invitations
        for each row execute function public.refuse()`);
    assert.equal(await revoke(demo, id), '503 REVOCATION_UNCONFIRMED', column);
    await demo.owner('drop function public.refuse() cascade');
  }
  assert.equal(await revoke(demo, id), '200');
  assert.equal(await demo.getSessionStatus(viewer.sessionId), 'revoked');
});

test('makes no provider call when the audit entry cannot be written', async (t) => {
  const demo = await startDemoApp(t);
  const { id, sessionId } = await inviteAndBind(demo);
  await demo.owner('alter table public.demo_access_audit add check (false) not valid');
  demo.provider.revokeSignInToken = async () => assert.fail('no intent is written down');
  assert.equal(await revoke(demo, id), '503 REVOCATION_UNCONFIRMED');
  assert.equal(await demo.getSessionStatus(sessionId), 'active');
  assert.equal((await demo.operate('POST', '', { label: 'Ada' })).status, 500);
  assert.deepEqual(await demo.owner('select count(*)::int as n from public.demo_access_invitations'), [{ n: 1 }]);
});

test('accepts two concurrent revocations', { tags: ['slow'] }, async (t) => {
  const demo = await startDemoApp(t);
  for (let round = 0; round < 5; round += 1) {
    const { id, sessionId } = await inviteAndBind(demo);
    assert.deepEqual(await Promise.all([revoke(demo, id), revoke(demo, id), revoke(demo, id)]), ['200', '200', '200']);
    assert.equal(await demo.getSessionStatus(sessionId), 'revoked');
  }
});

test('settles only pending revocations at growing intervals', async (t) => {
  const demo = await startDemoApp(t);
  const pending = await inviteAndBind(demo);
  const other = await inviteAndBind(demo);
  const { getSession } = demo.provider;
  let callCount = 0;
  demo.provider.getSession = async () => {
    callCount += 1;
    return UNCONFIRMED;
  };
  assert.equal(await revoke(demo, pending.id), '503 REVOCATION_UNCONFIRMED');
  await demo.runJob('demo-access-reconcile', {});
  assert.equal(callCount, 1, 'it is not due yet');
  const waits: number[] = [];
  for (let run = 0; run < 8; run += 1) {
    await demo.reconcile();
    const [row] = await demo.owner<{ minutes: number }>(
      `select round(extract(epoch from next_attempt_at - now()) / 60)::int as minutes
         from public.demo_access_invitations where id = $1`,
      [pending.id],
    );
    waits.push(row!.minutes);
  }
  assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 60, 60]);
  demo.provider.getSession = getSession;
  await demo.reconcile();
  assert.equal(await readStatus(demo, pending.id), 'revoked');
  assert.equal(await demo.getSessionStatus(pending.sessionId), 'revoked');
  assert.equal(await readStatus(demo, other.id), 'in_use');
  callCount = 0;
  await demo.reconcile();
  assert.equal(callCount, 0);
});

test('repeats a revocation 30 seconds after its request when nothing else could be stored', async (t) => {
  const demo = await startDemoApp(t);
  const { id, sessionId } = await inviteAndBind(demo);
  const { revokeSignInToken } = demo.provider;
  // As after the end of the process, nothing that follows the committed request happens.
  demo.provider.revokeSignInToken = () => Promise.reject(new Error('the process has ended'));
  assert.equal(await revoke(demo, id), '503 REVOCATION_UNCONFIRMED');
  demo.provider.revokeSignInToken = revokeSignInToken;
  assert.deepEqual(
    await demo.owner(
      `select extract(epoch from next_attempt_at - revoke_requested_at)::int as seconds
         from public.demo_access_invitations where id = $1`,
      [id],
    ),
    [{ seconds: 30 }],
  );
  await demo.reconcile();
  assert.equal(await readStatus(demo, id), 'revoked');
  assert.equal(await demo.getSessionStatus(sessionId), 'revoked');
});

test('claims a pending revocation once when two reconcilers run', async (t) => {
  const demo = await startDemoApp(t);
  const { id } = await demo.invite();
  demo.provider.revokeSignInToken = async () => UNCONFIRMED;
  await revoke(demo, id);
  let callCount = 0;
  demo.provider.revokeSignInToken = async (): Promise<ProviderResult<never>> => {
    callCount += 1;
    return UNCONFIRMED;
  };
  await demo.owner('update public.demo_access_invitations set next_attempt_at = now()');
  await Promise.all([1, 2, 3].map(() => demo.runJob('demo-access-reconcile', {})));
  assert.equal(callCount, 1);
  await demo.owner('update public.demo_access_invitations set next_attempt_at = now()');
  await demo.database.service.transaction(async (tx) => {
    await tx.query('select from public.demo_access_invitations where id = $1 for update', [id]);
    await demo.runJob('demo-access-reconcile', {});
  });
  assert.equal(callCount, 1, 'one that another is working on is left to it');
});

test('reports the number and age of pending revocations unless they cannot be read', async (t) => {
  const demo = await startDemoApp(t);
  const { id } = await demo.invite();
  await demo.invite();
  const readGauges = async () =>
    Object.fromEntries(
      (await demo.readMetrics()).flatMap((line) => {
        const [, name, value] = /^tally_demo_access_(\w+) (\S+)$/.exec(line) ?? [];
        return name === undefined ? [] : [[name, Number(value)]];
      }),
    ) as Record<string, number>;
  assert.deepEqual(await readGauges(), { pending_revocations: 0, oldest_pending_revocation_seconds: 0 });
  demo.provider.revokeSignInToken = async () => UNCONFIRMED;
  await revoke(demo, id);
  await demo.owner(`
    update public.demo_access_invitations set revoke_requested_at = now() - interval '2 hours'
     where revoke_requested_at is not null`);
  const { pending_revocations, oldest_pending_revocation_seconds } = await readGauges();
  assert.equal(pending_revocations, 1);
  assert.ok(oldest_pending_revocation_seconds! >= 7_200 && oldest_pending_revocation_seconds! < 7_300);
  await demo.owner('alter table public.demo_access_invitations rename to elsewhere');
  assert.deepEqual(await readGauges(), {});
});
