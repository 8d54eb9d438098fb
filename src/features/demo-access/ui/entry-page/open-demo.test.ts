import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { IdentityResult, SignedIn } from '../../../../ui/shell/session/identity-client.ts';
import type { DemoApiResponse } from './demo-api.ts';
import { createSignInFlow } from './open-demo.ts';
import type { DemoLink } from './read-link.ts';

const NOW = 1_000_000;
const link: DemoLink = { invitationId: 'inv-1', ticket: 'ticket-1', expiresAt: new Date(NOW + 1000) };
const demo: SignedIn = { userId: 'user_demo', email: 'demo@tally.test', sessionId: 'sess_1', jwt: 'first' };
const ada: SignedIn = { userId: 'user_ada', email: 'ada@example.com', sessionId: 'sess_ada', jwt: null };

const rejected = (status: number, code = 'refused', retryAfter?: number): IdentityResult<never> => ({
  ok: false,
  status,
  problems: [{ code, message: code, field: null }],
  ...(retryAfter !== undefined && { retryAfter }),
});
const answer = (status: number, code = '', retryAfter: number | null = null): DemoApiResponse => ({
  status,
  code,
  retryAfter,
});

/** Creates a provider and an API that succeed. `fail` queues failures, each for one call. */
function createFixture() {
  const calls: string[] = [];
  const failuresByCall = new Map<string, unknown[]>();
  const state = { signedIn: null as SignedIn | null, online: true, me: answer(200), isDemo: false };
  const next = (name: string): unknown => failuresByCall.get(name)?.shift();
  const nextResult = <T>(name: string, value: () => T, detail = ''): Promise<T> => {
    calls.push(detail === '' ? name : `${name} ${detail}`);
    return Promise.resolve((next(name) as T | undefined) ?? value());
  };
  const ok = <T>(value: T): IdentityResult<T> => ({ ok: true, value });
  const signInFlow = createSignInFlow({
    identity: {
      getCurrentSignIn: () => nextResult('current', () => ok(state.signedIn)),
      redeemTicket: (ticket) =>
        nextResult(
          'redeem',
          () => {
            state.signedIn = demo;
            return ok(demo);
          },
          ticket,
        ),
      createToken: (id) => nextResult('token', () => ok(`fresh-${id}`)),
      endSession: (id) =>
        nextResult(
          'end',
          () => {
            state.signedIn = null;
            return ok(null);
          },
          id,
        ),
    },
    api: {
      fetchIdentity: () =>
        nextResult('me', () => ({ ...state.me, isDemoAccount: state.me.status === 200 ? state.isDemo : null })),
      complete: (jwt, { invitationId }) => nextResult('complete', () => answer(200), `${invitationId} ${jwt}`),
    },
    isOnline: () => state.online,
    now: () => NOW,
  });
  const failWith = (name: string, ...answers: unknown[]): void => {
    failuresByCall.set(name, answers);
  };
  return { ...signInFlow, calls, state, fail: failWith };
}

test('looks up a session, redeems the ticket and binds the session on one press', async () => {
  const { open, calls } = createFixture();
  assert.deepEqual(await open(link), { kind: 'opened' });
  assert.deepEqual(calls, ['current', 'redeem ticket-1', 'complete inv-1 first']);
});

test('keeps an existing session and the link', async () => {
  const { open, calls, state } = createFixture();
  state.signedIn = ada;
  assert.deepEqual(await open(link), { kind: 'signed-in', email: 'ada@example.com' });
  state.isDemo = true;
  assert.deepEqual(await open(link), { kind: 'in-demo' });
  assert.deepEqual(calls, ['current', 'token', 'me', 'current', 'token', 'me']);
  state.signedIn = null;
  assert.deepEqual(await open(link), { kind: 'opened' }, 'the same page continues after the sign-out');
});

test('keeps a session that another tab has started', async () => {
  const { open, calls, fail: failWith } = createFixture();
  failWith('redeem', rejected(400, 'session_exists'));
  failWith('current', undefined, { ok: true, value: ada });
  assert.deepEqual(await open(link), { kind: 'signed-in', email: 'ada@example.com' });
  assert.equal(calls.includes('end sess_ada'), false);
});

test('binds an unbound session only when it belongs to the demo account', async () => {
  const { open, calls, state } = createFixture();
  state.signedIn = { ...demo, sessionId: 'sess_of_before' };
  state.me = answer(401, 'UNAUTHENTICATED');
  assert.deepEqual(await open(link), { kind: 'opened' });
  assert.equal(calls.at(-1), 'complete inv-1 fresh-sess_of_before');

  for (const [refusal, expected] of [
    [answer(403, 'NOT_DEMO_ACCOUNT'), { kind: 'signed-in', email: 'ada@example.com' }],
    [answer(401, 'UNAUTHENTICATED'), { kind: 'signed-in', email: 'ada@example.com' }],
    [answer(410, 'LINK_USED'), { kind: 'used', interrupted: false }],
  ] as const) {
    const other = createFixture();
    other.state.signedIn = ada;
    other.state.me = answer(401, 'UNAUTHENTICATED');
    other.fail('complete', refusal);
    assert.deepEqual(await other.open(link), expected);
    assert.equal(
      other.calls.some((call) => call.startsWith('end') || call.startsWith('redeem')),
      false,
    );
  }
});

const refusals: readonly [string, string, object][] = [
  ['redeem', 'sign_in_token_revoked_code', { kind: 'revoked' }],
  ['redeem', 'sign_in_token_already_used_code', { kind: 'used', interrupted: false }],
  ['redeem', 'sign_in_token_cannot_be_used_code', { kind: 'unusable' }],
  ['redeem', 'ticket_invalid_code', { kind: 'unusable' }],
  ['complete', 'LINK_USED', { kind: 'used', interrupted: false }],
  ['complete', 'LINK_EXPIRED', { kind: 'expired' }],
  ['complete', 'LINK_REVOKED', { kind: 'revoked' }],
];

for (const [step, code, expected] of refusals)
  test(`ends the session when the API returns the final code ${code}`, async () => {
    const { open, calls, state, fail: failWith } = createFixture();
    failWith(step, step === 'redeem' ? rejected(400, code) : answer(410, code));
    assert.deepEqual(await open(link), expected);
    assert.equal(state.signedIn, null);
    assert.equal(calls.includes('end sess_1'), step === 'complete');
  });

test('ends the new session when the API rejects it for another reason', async () => {
  for (const [refusal, expected] of [
    [answer(400, 'INVALID_REQUEST'), { kind: 'unusable' }],
    [answer(401, 'UNAUTHENTICATED'), { kind: 'used', interrupted: true }],
    [answer(403, 'NOT_DEMO_ACCOUNT'), { kind: 'wrong-account' }],
    [answer(404, 'NOT_FOUND'), { kind: 'unavailable' }],
    [answer(503, 'NOT_CONFIGURED'), { kind: 'unavailable' }],
  ] as const) {
    const { open, calls, fail: failWith } = createFixture();
    failWith('complete', refusal);
    assert.deepEqual(await open(link), expected);
    assert.equal(calls.at(-1), 'end sess_1');
  }
});

test('shows an expired link when its ticket is unusable after the deadline', async () => {
  const { open, fail: failWith } = createFixture();
  failWith('redeem', rejected(400, 'sign_in_token_cannot_be_used_code'));
  assert.deepEqual(await open({ ...link, expiresAt: new Date(NOW) }), { kind: 'expired' });
});

test('repeats only the failed step when a step fails temporarily', async () => {
  for (const [step, fault] of [
    ['current', rejected(0)],
    ['current', rejected(503)],
    ['redeem', rejected(429, 'too_many_requests', 7)],
    ['complete', answer(0)],
    ['complete', answer(503, 'UNAVAILABLE', 2)],
    ['complete', answer(500, 'INTERNAL')],
    ['complete', answer(429, 'RATE_LIMITED', 9)],
  ] as const) {
    const { open, calls, fail: failWith } = createFixture();
    failWith(step, fault);
    const first = await open(link);
    assert.ok(['unreachable', 'server-error', 'busy'].includes(first.kind), first.kind);
    assert.deepEqual(await open(link), { kind: 'opened' });
    const redeemed = calls.filter((call) => call === 'redeem ticket-1').length;
    assert.equal(redeemed, step === 'redeem' ? 2 : 1, step);
    assert.equal(calls.includes('end sess_1'), false);
    // The first token may have expired since then.
    if (step === 'complete') assert.deepEqual(calls.slice(-2), ['token', 'complete inv-1 fresh-sess_1']);
  }
});

test('waits as long as the response requests or else half a minute', async () => {
  const { open, fail: failWith } = createFixture();
  failWith('current', rejected(429, 'too_many_requests', 7.2), rejected(429));
  failWith('complete', answer(429, 'RATE_LIMITED', 9));
  assert.deepEqual(await open(link), { kind: 'busy', seconds: 8 });
  assert.deepEqual(await open(link), { kind: 'busy', seconds: 30 });
  assert.deepEqual(await open(link), { kind: 'busy', seconds: 9 });
});

test('distinguishes a missing connection from a missing response', async () => {
  const { open, state, fail: failWith } = createFixture();
  failWith('current', rejected(0), rejected(0));
  state.online = false;
  assert.deepEqual(await open(link), { kind: 'offline' });
  state.online = true;
  assert.deepEqual(await open(link), { kind: 'unreachable' });
});

test('continues with the session when the response of a redemption was lost', async () => {
  const { open, calls, state, fail: failWith } = createFixture();
  failWith('redeem', rejected(0));
  assert.deepEqual(await open(link), { kind: 'unreachable' });
  state.signedIn = demo;
  assert.deepEqual(await open(link), { kind: 'opened' });
  assert.deepEqual(calls, ['current', 'redeem ticket-1', 'current', 'token', 'complete inv-1 fresh-sess_1']);
});

test('keeps a session of another account that is found after a lost redemption', async () => {
  const { open, calls, state, fail: failWith } = createFixture();
  failWith('redeem', rejected(502));
  failWith('complete', answer(403, 'NOT_DEMO_ACCOUNT'));
  await open(link);
  state.signedIn = ada;
  assert.deepEqual(await open(link), { kind: 'signed-in', email: 'ada@example.com' });
  assert.equal(calls.includes('end sess_ada'), false);
});

test('shows a used link when the session was lost with the response', async () => {
  const { open, fail: failWith } = createFixture();
  failWith('redeem', rejected(0), rejected(400, 'sign_in_token_already_used_code'));
  await open(link);
  assert.deepEqual(await open(link), { kind: 'used', interrupted: true });
});

test('shows a used link when the session ended before it was bound', async () => {
  for (const status of [401, 404]) {
    const { open, fail: failWith } = createFixture();
    failWith('complete', answer(503));
    failWith('token', rejected(status));
    assert.deepEqual(await open(link), { kind: 'server-error' });
    assert.deepEqual(await open(link), { kind: 'used', interrupted: true });
  }
});

test('ends an unbound session of the first link when a second link is opened', async () => {
  const { open, calls, fail: failWith } = createFixture();
  failWith('complete', answer(503));
  assert.deepEqual(await open(link), { kind: 'server-error' });
  assert.deepEqual(await open({ ...link, invitationId: 'inv-2', ticket: 'ticket-2' }), { kind: 'opened' });
  assert.deepEqual(calls.slice(-4), ['end sess_1', 'current', 'redeem ticket-2', 'complete inv-2 first']);
});
