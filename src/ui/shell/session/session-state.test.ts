import assert from 'node:assert/strict';
import { test, vi } from 'vitest';
import type { ApiError } from '../../kit/api-error.ts';
import { createApi, createSend } from '../api/call-api.ts';
import type { IdentityClient, IdentityResult, SignedIn } from './identity-client.ts';
import { createSession, SessionEndedError } from './session-state.ts';

const createSignIn = (sessionId: string): SignedIn => ({
  userId: 'user_ada',
  email: 'ada@example.com',
  sessionId,
  jwt: null,
});
const createFailure = (status: number): IdentityResult<never> => ({
  ok: false,
  status,
  problems: [{ code: 'refused', message: 'refused', field: null }],
});
const createToken = (lifetimeSeconds: number, marker: number): string =>
  `e30.${btoa(JSON.stringify({ iat: 1_000, exp: 1_000 + lifetimeSeconds, mark: marker }))}.x`;

/** A provider that keeps sessions: `over` ends them, `away` makes it unreachable. */
function provider() {
  const state = { signedIn: null as SignedIn | null, over: new Set<string>(), away: false, tokens: 0, sessions: 0 };
  const client: IdentityClient = {
    async getCurrentSignIn() {
      if (state.away) return createFailure(0);
      return { ok: true, value: state.signedIn && !state.over.has(state.signedIn.sessionId) ? state.signedIn : null };
    },
    async signIn() {
      state.signedIn = createSignIn(`sess_${++state.sessions}`);
      return { ok: true, value: state.signedIn };
    },
    signUp: () => client.signIn({ email: '', password: '' }),
    redeemTicket: () => client.signIn({ email: '', password: '' }),
    async createToken(sessionId) {
      await new Promise((resolve) => setImmediate(resolve));
      if (state.away) return createFailure(0);
      return state.over.has(sessionId) ? createFailure(401) : { ok: true, value: createToken(60, ++state.tokens) };
    },
    async endSession(sessionId) {
      state.over.add(sessionId);
      return { ok: true, value: null };
    },
  };
  return { state, client };
}

/** Tabs of one browser: a message of one reaches the others. */
function tabs() {
  const listeners: { owner: object; listener: (event: MessageEvent) => void }[] = [];
  return () => {
    const owner = {};
    return {
      postMessage: (data: unknown) => {
        for (const entry of listeners) if (entry.owner !== owner) entry.listener({ data } as MessageEvent);
      },
      addEventListener: (_type: 'message', listener: (event: MessageEvent) => void) =>
        void listeners.push({ owner, listener }),
    };
  };
}

const credentials = { email: 'ada@example.com', password: 'long enough' };

test('a token is asked for once by many callers at the same time, and again when it runs out', async () => {
  const { state, client } = provider();
  let time = 0;
  const session = createSession(client, { openChannel: tabs(), now: () => time });
  await session.signIn(credentials);
  const tokens = await Promise.all(Array.from({ length: 20 }, () => session.token()));
  assert.equal(new Set(tokens).size, 1);
  assert.equal(state.tokens, 1);
  time = 54_000;
  await session.token();
  assert.equal(state.tokens, 1, 'good for six seconds more');
  time = 56_000;
  await session.token();
  assert.equal(state.tokens, 2);
});

test('an ended session becomes `expired`, keeps who it was, and recovers when the same member signs in', async () => {
  const { state, client } = provider();
  const session = createSession(client, { openChannel: tabs() });
  await session.signIn(credentials);
  state.over.add('sess_1');
  await assert.rejects(session.token({ forceRefresh: true }), SessionEndedError);
  assert.deepEqual(session.state.get(), {
    status: 'expired',
    member: { userId: 'user_ada', email: 'ada@example.com', sessionId: 'sess_1' },
  });
  const reauthentication = session.waitForReauthentication();
  await session.signIn(credentials);
  await reauthentication;
  assert.ok(await session.token());
});

test('leaving instead of signing in again fails the calls that waited', async () => {
  const { state, client } = provider();
  const session = createSession(client, { openChannel: tabs() });
  await session.signIn(credentials);
  state.over.add('sess_1');
  await session.token({ forceRefresh: true }).catch(() => undefined);
  const reauthentication = session.waitForReauthentication();
  await session.signOut();
  await assert.rejects(reauthentication, SessionEndedError);
});

test('a provider that is away for a moment ends nothing', async () => {
  const { state, client } = provider();
  const session = createSession(client, { openChannel: tabs() });
  await session.signIn(credentials);
  state.away = true;
  await assert.rejects(session.token({ forceRefresh: true }));
  assert.equal(session.state.get().status, 'signed-in');
  state.away = false;
  assert.ok(await session.token());
});

test('a token that arrives after sign-out is not used', async () => {
  const { client } = provider();
  const session = createSession(client, { openChannel: tabs() });
  await session.signIn(credentials);
  const lateToken = session.token();
  await session.signOut();
  await assert.rejects(lateToken, SessionEndedError);
  await assert.rejects(session.token(), SessionEndedError);
});

test('tabs follow each other in and out', async () => {
  const { client } = provider();
  const tab = tabs();
  const thisTab = createSession(client, { openChannel: tab });
  const otherTab = createSession(client, { openChannel: tab });
  await otherTab.start();
  assert.deepEqual(otherTab.state.get(), { status: 'signed-out', signedOutIn: 'never' });
  await thisTab.signIn(credentials);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(otherTab.state.get().status, 'signed-in');
  await thisTab.signOut();
  assert.deepEqual(otherTab.state.get(), { status: 'signed-out', signedOutIn: 'elsewhere' });
});

test('a call that meets an ended session waits for the password and is sent once more', async () => {
  const { state, client } = provider();
  const session = createSession(client, { openChannel: tabs() });
  await session.signIn(credentials);
  const sent: string[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (path) => {
    sent.push(path as string);
    return state.over.has(`sess_${state.sessions}`)
      ? Response.json({ code: 'UNAUTHENTICATED' }, { status: 401 })
      : Response.json({ fine: true });
  });
  await session.token();
  state.over.add('sess_1');
  const call = createApi(createSend(session))('POST /api/api-keys', { body: { name: 'typed text' } });
  while (session.state.get().status !== 'expired') await new Promise((resolve) => setImmediate(resolve));
  await session.signIn(credentials);
  assert.deepEqual(await call, { fine: true });
  assert.equal(sent.length, 2);
});

test('a refusal carries its code, its sentence, its id and when to come back', async () => {
  const { client } = provider();
  const session = createSession(client, { openChannel: tabs() });
  await session.signIn(credentials);
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () =>
    Response.json(
      { code: 'LIMIT_REACHED', message: 'Remove something first.', limit: 20 },
      { status: 409, headers: { 'x-request-id': 'req_1', 'retry-after': '7' } },
    ),
  );
  await assert.rejects(createApi(createSend(session))('GET /api/me'), (error: ApiError) => {
    assert.deepEqual(
      [error.status, error.code, error.message, error.requestId, error.retryAfter, error.body['limit']],
      [409, 'LIMIT_REACHED', 'Remove something first.', 'req_1', 7, 20],
    );
    return true;
  });
});

test('silence is told as being offline', async () => {
  const { client } = provider();
  const session = createSession(client, { openChannel: tabs() });
  await session.signIn(credentials);
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Promise.reject(new TypeError('fetch failed')));
  await assert.rejects(createApi(createSend(session))('GET /api/me'), { code: 'OFFLINE', status: 0 });
});
