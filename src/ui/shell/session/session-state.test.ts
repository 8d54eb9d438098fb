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
  problems: [{ code: 'rejected', message: 'rejected', field: null }],
});
const createToken = (lifetimeSeconds: number, marker: number): string =>
  `e30.${btoa(JSON.stringify({ iat: 1_000, exp: 1_000 + lifetimeSeconds, mark: marker }))}.x`;

/** Creates a provider with sessions. `over` ends them, and `away` makes the provider unreachable. */
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
    signInByPasskey: () => client.signIn({ email: '', password: '' }),
    enterSecondFactor: () => client.signIn({ email: '', password: '' }),
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

/** Creates connected tabs of one browser. A message of one tab reaches the others. */
function tabs() {
  const listeners: { owner: object; listener: (event: MessageEvent) => void }[] = [];
  return () => {
    const owner = {};
    return {
      postMessage: (data: unknown) => {
        for (const entry of listeners) if (entry.owner !== owner) entry.listener({ data } as MessageEvent);
      },
      addEventListener: (_type: 'message', listener: (event: MessageEvent) => void) => {
        listeners.push({ owner, listener });
      },
    };
  };
}

const credentials = { email: 'ada@example.com', password: 'long enough' };

test('shares one token request between callers and repeats it after expiry', async () => {
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

test('recovers an expired session when its member signs in again', async () => {
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

test('rejects pending calls when the member leaves instead of signing in', async () => {
  const { state, client } = provider();
  const session = createSession(client, { openChannel: tabs() });
  await session.signIn(credentials);
  state.over.add('sess_1');
  await session.token({ forceRefresh: true }).catch(() => undefined);
  const reauthentication = session.waitForReauthentication();
  await session.signOut();
  await assert.rejects(reauthentication, SessionEndedError);
});

test('keeps the session when the provider is briefly unavailable', async () => {
  const { state, client } = provider();
  const session = createSession(client, { openChannel: tabs() });
  await session.signIn(credentials);
  state.away = true;
  await assert.rejects(session.token({ forceRefresh: true }));
  assert.equal(session.state.get().status, 'signed-in');
  state.away = false;
  assert.ok(await session.token());
});

test('ignores a token that is received after sign-out', async () => {
  const { client } = provider();
  const session = createSession(client, { openChannel: tabs() });
  await session.signIn(credentials);
  const lateToken = session.token();
  await session.signOut();
  await assert.rejects(lateToken, SessionEndedError);
  await assert.rejects(session.token(), SessionEndedError);
});

test('synchronizes sign-in and sign-out between tabs', async () => {
  const { client } = provider();
  const tab = tabs();
  const thisTab = createSession(client, { openChannel: tab });
  const otherTab = createSession(client, { openChannel: tab });
  await otherTab.start();
  assert.deepEqual(otherTab.state.get(), { status: 'signed-out', signedOutIn: null });
  await thisTab.signIn(credentials);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(otherTab.state.get().status, 'signed-in');
  await thisTab.signOut();
  assert.deepEqual(otherTab.state.get(), { status: 'signed-out', signedOutIn: 'other-tab' });
});

test('repeats a call after reauthentication when the session has ended', async () => {
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

test('throws errors with code, message, request id and retry-after', async () => {
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

test('reports OFFLINE when the server does not respond', async () => {
  const { client } = provider();
  const session = createSession(client, { openChannel: tabs() });
  await session.signIn(credentials);
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Promise.reject(new TypeError('fetch failed')));
  await assert.rejects(createApi(createSend(session))('GET /api/me'), { code: 'OFFLINE', status: 0 });
});

test('shows the kept member without a network, and the unreachable page without one', async () => {
  const { state, client } = provider();
  state.away = true;
  const kept = { userId: 'user_ada', email: 'ada@example.com', sessionId: 'sess_1' };
  const offline = createSession(client, { openChannel: tabs(), findCachedMember: () => kept });
  await offline.start();
  assert.deepEqual(offline.state.get(), { status: 'signed-in', member: kept });
  const unknown = createSession(client, { openChannel: tabs(), findCachedMember: () => null });
  await unknown.start();
  assert.deepEqual(unknown.state.get(), { status: 'unreachable' });
});

test('sends only reads without a token while offline', async () => {
  const { state, client } = provider();
  const session = createSession(client, { openChannel: tabs() });
  await session.signIn({ email: '', password: '' });
  state.away = true;
  const requests: RequestInit[] = [];
  vi.stubGlobal('fetch', async (_path: string, init: RequestInit) => {
    requests.push(init);
    return Response.json({});
  });
  const send = createSend(session, undefined, undefined, () => true);
  assert.equal((await send('GET /api/dashboard')).status, 200);
  assert.deepEqual(requests[0]?.headers, {});
  await assert.rejects(send('DELETE /api/assistant/conversations'), { code: 'OFFLINE' });
  assert.equal(requests.length, 1);
  vi.unstubAllGlobals();
});
