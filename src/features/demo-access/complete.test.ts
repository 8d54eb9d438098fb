import assert from 'node:assert/strict';
import { test } from 'vitest';
import { type DemoApp, startDemoApp, UNCONFIRMED, type Viewer } from '../../../test/support/demo-access.ts';
import { assertDocumented } from '../../../test/support/documented-responses.ts';
import { callBackend, sendRequest, TestBrowser } from '../../../test/support/identity.ts';

const PATH = '/api/demo-access/complete';
const me = ({ url }: DemoApp, { token }: Viewer) =>
  sendRequest(`${url}/api/me`, 'GET', undefined, { authorization: `Bearer ${token}` });

/** Creates an active session of the demo account without an invitation. */
async function unboundSession(demo: DemoApp): Promise<Viewer> {
  const { body } = await callBackend(demo.url, 'POST', '/sign_in_tokens', { user_id: demo.demoId });
  return demo.signInWithTicket(body.token);
}

const used = (demo: DemoApp) =>
  demo.owner<{ session_id: string }>(
    'select session_id from public.demo_access_invitations where used_at is not null order by created_at',
  );

test('signs one viewer in and binds their session to the link', async (t) => {
  const demo = await startDemoApp(t);
  const { id, ticket } = await demo.invite();
  const viewer = await demo.signInWithTicket(ticket);
  assert.equal((await me(demo, viewer)).status, 401, 'before it is bound');
  const answer = await demo.complete(viewer, { invitation_id: id, ticket });
  assert.deepEqual([answer.status, answer.body], [200, { redirect_to: '/dashboard' }]);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assertDocumented('POST', PATH, answer);
  assert.equal((await me(demo, viewer)).status, 200);
  assert.deepEqual(await used(demo), [{ session_id: viewer.sessionId }]);
  const [invitation] = (await demo.operate('GET', '')).body.invitations;
  assert.deepEqual([invitation.status, invitation.session_status], ['in_use', 'active']);
});

test('accepts the same session and link again, as after a lost response', async (t) => {
  const demo = await startDemoApp(t);
  const { id, ticket } = await demo.invite();
  const viewer = await demo.signInWithTicket(ticket);
  const before = await demo.complete(viewer, { invitation_id: id, ticket });
  await used(demo);
  assert.equal(before.status, 200);
  for (const invitation_id of [id, id.toUpperCase()])
    assert.equal((await demo.complete(viewer, { invitation_id, ticket })).status, 200);
  assert.equal(await demo.getSessionStatus(viewer.sessionId), 'active');
});

test('never reads a session from the body', async (t) => {
  const demo = await startDemoApp(t);
  const { id, ticket } = await demo.invite();
  const viewer = await demo.signInWithTicket(ticket);
  const other = await unboundSession(demo);
  const body = { invitation_id: id, ticket, session_id: other.sessionId };
  const answer = await demo.complete(viewer, body);
  assert.deepEqual([answer.status, answer.body.code], [400, 'INVALID_REQUEST']);
  assert.equal(await demo.getSessionStatus(other.sessionId), 'active');
  assert.deepEqual(await used(demo), []);
});

test('rejects a member’s own session and keeps it active', async (t) => {
  const demo = await startDemoApp(t);
  const { id, ticket } = await demo.invite();
  const browser = new TestBrowser(demo.url);
  const { sessionId } = await browser.signUp();
  const answer = await demo.complete({ token: await browser.token(sessionId) }, { invitation_id: id, ticket });
  assert.deepEqual([answer.status, answer.body.code], [403, 'NOT_DEMO_ACCOUNT']);
  assertDocumented('POST', PATH, answer);
  assert.equal(await demo.getSessionStatus(sessionId), 'active');
  assert.deepEqual(await used(demo), []);
});

test('returns one answer for an unknown link and a wrong ticket and ends the session', async (t) => {
  const demo = await startDemoApp(t);
  const one = await demo.invite();
  const other = await demo.invite();
  const { body: foreignTicket } = await callBackend(demo.url, 'POST', '/sign_in_tokens', { user_id: demo.demoId });
  const bodies: unknown[] = [];
  for (const body of [
    { invitation_id: '5b1f8c1e-6f0a-4c55-9d2f-0b7d5a3c9e11', ticket: one.ticket },
    { invitation_id: 'no-id', ticket: one.ticket },
    { invitation_id: one.id, ticket: other.ticket },
    { invitation_id: one.id, ticket: foreignTicket.token },
    { invitation_id: one.id, ticket: 'x' },
  ]) {
    const viewer = await unboundSession(demo);
    const answer = await demo.complete(viewer, body);
    assert.deepEqual([answer.status, answer.body.code], [400, 'INVALID_REQUEST']);
    bodies.push(answer.body);
    assert.equal(await demo.getSessionStatus(viewer.sessionId), 'revoked');
  }
  assert.equal(new Set(bodies.map((body) => JSON.stringify(body))).size, 1);
  assert.deepEqual(await used(demo), []);
});

test('accepts no ticket when the invitation has no stored hash', async (t) => {
  const demo = await startDemoApp(t);
  demo.provider.createSignInToken = async () => UNCONFIRMED;
  await demo.operate('POST', '', { label: 'Ada' });
  const [{ id }] = (await demo.operate('GET', '')).body.invitations;
  const answer = await demo.complete(await unboundSession(demo), { invitation_id: id, ticket: '\0'.repeat(32) });
  assert.equal(answer.status, 400);
});

for (const [code, change] of [
  ['LINK_REVOKED', 'revoke_requested_at = now()'],
  ['LINK_EXPIRED', 'expires_at = now()'],
  ['LINK_USED', `used_at = now(), session_id = 'sess_another'`],
] as const)
  test(`returns 410 and ends the session when the link is ${code.slice(5).toLowerCase()}`, async (t) => {
    const demo = await startDemoApp(t);
    const { id, ticket } = await demo.invite();
    const viewer = await demo.signInWithTicket(ticket);
    await demo.owner(`update public.demo_access_invitations set ${change}`);
    const answer = await demo.complete(viewer, { invitation_id: id, ticket });
    assert.deepEqual([answer.status, answer.body.code], [410, code]);
    assertDocumented('POST', PATH, answer);
    assert.equal(await demo.getSessionStatus(viewer.sessionId), 'revoked');
  });

test('rejects a session that is older than the link', async (t) => {
  const demo = await startDemoApp(t);
  const viewer = await unboundSession(demo);
  const { id, ticket } = await demo.invite();
  await demo.owner(`update idp.sessions set created_at = created_at - interval '1 minute' where id = $1`, [
    viewer.sessionId,
  ]);
  assert.equal((await demo.complete(viewer, { invitation_id: id, ticket })).status, 400);
  assert.equal(await demo.getSessionStatus(viewer.sessionId), 'revoked');
  assert.deepEqual(await used(demo), []);
});

test('rejects an ended or unknown session although its token is valid', async (t) => {
  const demo = await startDemoApp(t);
  for (const change of [
    `update idp.sessions set status = 'ended' where id = $1`,
    `update idp.sessions set user_id = (select id from idp.users where id <> user_id limit 1) where id = $1`,
    `delete from idp.sessions where id = $1`,
  ]) {
    const { id, ticket } = await demo.invite();
    const viewer = await demo.signInWithTicket(ticket);
    if (change.includes('user_id =')) await new TestBrowser(demo.url).signUp();
    await demo.owner(change, [viewer.sessionId]);
    const answer = await demo.complete(viewer, { invitation_id: id, ticket });
    assert.deepEqual([answer.status, answer.body.code], [401, 'UNAUTHENTICATED']);
  }
  assert.deepEqual(await used(demo), []);
});

test('returns a retryable error when the provider is unavailable', async (t) => {
  const demo = await startDemoApp(t);
  const { id, ticket } = await demo.invite();
  const viewer = await demo.signInWithTicket(ticket);
  const { getSession } = demo.provider;
  demo.provider.getSession = async () => ({ ...UNCONFIRMED, retryAfter: 9 });
  const answer = await demo.complete(viewer, { invitation_id: id, ticket });
  assert.deepEqual([answer.status, answer.body.code, answer.headers.get('retry-after')], [503, 'UNAVAILABLE', '9']);
  assertDocumented('POST', PATH, answer);
  assert.equal(await demo.getSessionStatus(viewer.sessionId), 'active');
  demo.provider.getSession = getSession;
  assert.equal((await demo.complete(viewer, { invitation_id: id, ticket })).status, 200);
});

const rejectBinding = `
  create function public.refuse() returns trigger language plpgsql as
    $$ begin if new.session_id is not null then raise 'disk full'; end if; return new; end $$;
  create trigger refuse before update on public.demo_access_invitations for each row execute function public.refuse()`;

test('ends the session when neither it nor anything else can be stored', async (t) => {
  const demo = await startDemoApp(t);
  const { id, ticket } = await demo.invite();
  const viewer = await demo.signInWithTicket(ticket);
  await demo.owner(rejectBinding);
  await demo.owner('alter table graphile_worker._private_jobs add check (false) not valid');
  await demo.owner(`alter table public.demo_access_audit add check (action <> 'session.revoke') not valid`);
  const answer = await demo.complete(viewer, { invitation_id: id, ticket });
  assert.deepEqual([answer.status, answer.body.code], [503, 'UNAVAILABLE']);
  assert.equal(await demo.getSessionStatus(viewer.sessionId), 'revoked');
  assert.deepEqual(await used(demo), []);
});

test('rejects a session whose end was requested although it is still active', async (t) => {
  const demo = await startDemoApp(t);
  const { id, ticket } = await demo.invite();
  const viewer = await demo.signInWithTicket(ticket);
  demo.provider.revokeSession = async () => UNCONFIRMED;
  assert.equal((await demo.complete(viewer, { invitation_id: id, ticket: `${ticket}x` })).status, 400);
  assert.equal(await demo.getSessionStatus(viewer.sessionId), 'active');
  assert.equal((await demo.complete(viewer, { invitation_id: id, ticket })).status, 401);
  assert.deepEqual(await used(demo), []);
});

test('neither binds nor ends a session that the provider assigns to another account', async (t) => {
  const demo = await startDemoApp(t);
  const { id, ticket } = await demo.invite();
  const viewer = await demo.signInWithTicket(ticket);
  const { getSession } = demo.provider;
  demo.provider.getSession = async (requestedId) => {
    const found = await getSession(requestedId);
    return found.ok ? { ...found, value: { ...found.value, user_id: 'user_other' } } : found;
  };
  assert.equal((await demo.complete(viewer, { invitation_id: id, ticket })).status, 401);
  assert.equal(await demo.getSessionStatus(viewer.sessionId), 'active');
  assert.deepEqual(await used(demo), []);
});

test('ends the session by a job when the provider does not confirm its end', async (t) => {
  const demo = await startDemoApp(t);
  const { id, ticket } = await demo.invite();
  const viewer = await demo.signInWithTicket(ticket);
  await demo.owner('update public.demo_access_invitations set revoke_requested_at = now()');
  const { revokeSession } = demo.provider;
  demo.provider.revokeSession = async () => UNCONFIRMED;
  assert.equal((await demo.complete(viewer, { invitation_id: id, ticket })).status, 410);
  assert.equal(await demo.getSessionStatus(viewer.sessionId), 'active');
  const jobs = await demo.listJobs('demo-access-revoke-session');
  assert.deepEqual(jobs, [{ session_id: viewer.sessionId, invitation_id: id }]);
  await assert.rejects(demo.runJob('demo-access-revoke-session', jobs[0]!), /did not confirm/);
  demo.provider.revokeSession = revokeSession;
  await demo.runJob('demo-access-revoke-session', jobs[0]!);
  assert.equal(await demo.getSessionStatus(viewer.sessionId), 'revoked');
  await demo.runJob('demo-access-revoke-session', jobs[0]!); // safe to repeat
});

test('repeats the job after a 404 for the session unless the provider has the demo account', async (t) => {
  const demo = await startDemoApp(t);
  const NOT_FOUND = { ok: false, reason: 'not_found', traceId: null } as const;
  const { getUser } = demo.provider;
  Object.assign(demo.provider, { getSession: async () => NOT_FOUND, getUser: async () => NOT_FOUND });
  const job = { session_id: 'sess_1', invitation_id: null };
  await assert.rejects(demo.runJob('demo-access-revoke-session', job), /Failed to read session/);
  demo.provider.getUser = getUser;
  await demo.runJob('demo-access-revoke-session', job);
});

test('ends no session of another member or of an invitation when the job runs', async (t) => {
  const demo = await startDemoApp(t);
  const { id, ticket } = await demo.invite();
  const viewer = await demo.signInWithTicket(ticket);
  assert.equal((await demo.complete(viewer, { invitation_id: id, ticket })).status, 200);
  const { sessionId } = await new TestBrowser(demo.url).signUp();
  for (const session_id of [viewer.sessionId, sessionId]) {
    await demo.runJob('demo-access-revoke-session', { session_id, invitation_id: null });
    assert.equal(await demo.getSessionStatus(session_id), 'active');
  }
});

test('binds one session and ends the others when many request one link at once', { tags: ['slow'] }, async (t) => {
  const demo = await startDemoApp(t);
  for (let round = 0; round < 5; round += 1) {
    const { id, ticket } = await demo.invite();
    const viewers = [
      await demo.signInWithTicket(ticket),
      ...(await Promise.all([1, 2, 3].map(() => unboundSession(demo)))),
    ];
    const answers = await Promise.all(viewers.map((viewer) => demo.complete(viewer, { invitation_id: id, ticket })));
    const won = viewers.filter((_viewer, at) => answers[at]!.status === 200);
    assert.equal(won.length, 1);
    for (const [at, { sessionId }] of viewers.entries()) {
      assert.equal(await demo.getSessionStatus(sessionId), answers[at]!.status === 200 ? 'active' : 'revoked');
      if (answers[at]!.status !== 200) assert.equal(answers[at]!.body.code, 'LINK_USED');
    }
    assert.equal((await used(demo)).at(-1)!.session_id, won[0]!.sessionId);
  }
});

test('keeps the session and returns 503 when the commit result cannot be read', async (t) => {
  const demo = await startDemoApp(t);
  const { id, ticket } = await demo.invite();
  const viewer = await demo.signInWithTicket(ticket);
  const { getSession } = demo.provider;
  demo.provider.getSession = async (requestedId) => {
    await demo.owner('alter table public.demo_access_invitations rename to elsewhere');
    return getSession(requestedId);
  };
  const answer = await demo.complete(viewer, { invitation_id: id, ticket });
  assert.deepEqual([answer.status, answer.body.code], [503, 'UNAVAILABLE']);
  assert.equal(await demo.getSessionStatus(viewer.sessionId), 'active');
  demo.provider.getSession = getSession;
  await demo.owner('alter table public.elsewhere rename to demo_access_invitations');
  assert.equal((await demo.complete(viewer, { invitation_id: id, ticket })).status, 200);
});

test('rejects a session when its link expires during the check', async (t) => {
  const demo = await startDemoApp(t);
  const { id, ticket } = await demo.invite();
  const viewer = await demo.signInWithTicket(ticket);
  const { getSession } = demo.provider;
  demo.provider.getSession = async (requestedId) => {
    await demo.owner('update public.demo_access_invitations set expires_at = now()');
    return getSession(requestedId);
  };
  const answer = await demo.complete(viewer, { invitation_id: id, ticket });
  assert.deepEqual([answer.status, answer.body.code], [410, 'LINK_EXPIRED']);
  assert.equal(await demo.getSessionStatus(viewer.sessionId), 'revoked');
});

test('binds a session once when it sends several requests at once', async (t) => {
  const demo = await startDemoApp(t);
  const { id, ticket } = await demo.invite();
  const viewer = await demo.signInWithTicket(ticket);
  const completeAgain = () => demo.complete(viewer, { invitation_id: id, ticket });
  assert.deepEqual(
    new Set(
      (await Promise.all([completeAgain(), completeAgain(), completeAgain(), completeAgain()])).map(
        ({ status }) => status,
      ),
    ),
    new Set([200]),
  );
  assert.equal(await demo.getSessionStatus(viewer.sessionId), 'active');
});

test('binds a session to one link when it requests two links at once', { tags: ['slow'] }, async (t) => {
  const demo = await startDemoApp(t);
  for (let round = 0; round < 5; round += 1) {
    const links = [await demo.invite(), await demo.invite()];
    const viewer = await unboundSession(demo);
    const answers = await Promise.all(
      links.map(({ id, ticket }) => demo.complete(viewer, { invitation_id: id, ticket })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
    assert.equal(await demo.getSessionStatus(viewer.sessionId), 'active');
  }
  assert.equal((await used(demo)).length, 5);
});

test('leaves no active session when completion and revocation run concurrently', { tags: ['slow'] }, async (t) => {
  const demo = await startDemoApp(t);
  for (let round = 0; round < 12; round += 1) {
    const { id, ticket } = await demo.invite();
    const viewer = await demo.signInWithTicket(ticket);
    const [completed, revoked] = await Promise.all([
      demo.complete(viewer, { invitation_id: id, ticket }),
      demo.operate('DELETE', `/${id}`),
    ]);
    assert.equal(revoked.status, 200);
    assert.ok([200, 401, 410].includes(completed.status), String(completed.status));
    assert.equal(await demo.getSessionStatus(viewer.sessionId), 'revoked');
    assert.equal((await me(demo, viewer)).status, 401);
  }
});

test('audits every provider call before and after it without a ticket', async (t) => {
  const demo = await startDemoApp(t);
  const { id, ticket } = await demo.invite();
  const viewer = await demo.signInWithTicket(ticket);
  await demo.complete(viewer, { invitation_id: id, ticket });
  await demo.operate('DELETE', `/${id}`, undefined, { 'x-request-id': 'request-of-the-operator' });
  const entries = await demo.owner<Record<string, string>>(
    'select actor, action, outcome, request_id from public.demo_access_audit where invitation_id = $1 order by id',
    [id],
  );
  assert.deepEqual(
    entries.map(({ actor, action, outcome }) => `${actor} ${action} ${outcome}`),
    [
      'operator ticket.create intent',
      'operator ticket.create ok',
      'viewer session.get intent',
      'viewer session.get ok',
      'viewer invitation.bind ok',
      'operator ticket.revoke intent',
      'operator ticket.revoke conflict: 400 sign_in_token_cannot_be_revoked_code',
      'operator session.get intent',
      'operator session.get ok',
      'operator session.revoke intent',
      'operator session.revoke ok',
      'operator invitation.revoke ok',
    ],
  );
  assert.equal(entries.at(-1)!.request_id, 'request-of-the-operator');
  assert.ok(!JSON.stringify(entries).includes(ticket) && !demo.log.join('').includes(ticket));
});
