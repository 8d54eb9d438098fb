import assert from 'node:assert/strict';
import { constants, KeyObject, sign as signBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'vitest';
import {
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWTHeaderParameters,
  SignJWT,
} from 'jose';
import { SITE, sendRequest, startIdentityApp, TestBrowser } from '../../../test/support/identity.ts';
import { deleteMember } from './delete-member.ts';
import { createGuards } from './guards.ts';
import type { Identity } from './identity.ts';

const addWrite = (
  app: Parameters<NonNullable<Parameters<typeof startIdentityApp>[2]>>[0],
  identity: Identity,
): void => {
  const guards = createGuards(identity.requireMember);
  app.post('/api/write', { config: { guard: guards.member } }, async (request) => ({
    idp_id: guards.getMember(request).idpId,
  }));
  const guard = guards.editor({ rejects: ['demo-account'] });
  app.post('/api/person', { config: { guard } }, async () => ({ done: true }));
};

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Starts a provider that publishes a key of the test, so that the test can sign any token. */
async function startHostedApp(t: TestContext) {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const kid = 'ins_test';
  let keyRequests = 0;
  let isUnavailable = false;
  const server = createServer((_request, response) => {
    keyRequests += 1;
    if (isUnavailable) {
      response.writeHead(503).end();
      return;
    }
    void exportJWK(publicKey).then((jwk) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ keys: [{ ...jwk, kid, use: 'sig' }] })),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(() => {
    server.close();
  });
  const frontendApiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const app = await startIdentityApp(t, { hosted: { apiUrl: frontendApiUrl, frontendApiUrl } }, addWrite);
  const now = () => Math.floor(Date.now() / 1000);
  const sign = (claims: Record<string, unknown> = {}, header: Partial<JWTHeaderParameters> = {}): Promise<string> => {
    const all = {
      azp: SITE,
      exp: now() + 60,
      iat: now(),
      nbf: now() - 10,
      iss: frontendApiUrl,
      sid: 'sess_1',
      sub: 'user_1',
      sts: 'active',
      v: 2,
      ...claims,
    };
    return new SignJWT(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)))
      .setProtectedHeader({ alg: 'RS256', cat: 'cl_B7d4PD111AAA', kid, typ: 'JWT', ...header })
      .sign(privateKey);
  };
  return {
    ...app,
    sign,
    now,
    publicKey,
    privateKey,
    kid,
    keyRequests: () => keyRequests,
    goAway() {
      isUnavailable = true;
    },
    me: (token: string) => sendRequest(`${app.url}/api/me`, 'GET', undefined, bearer(token)),
  };
}

type HostedApp = Awaited<ReturnType<typeof startHostedApp>>;

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Returns tokens whose header, signature or encoding is invalid, by description. */
async function forgeSignatures({ sign, publicKey, privateKey, kid }: HostedApp): Promise<Record<string, string>> {
  const validToken = await sign();
  const [head, payload, signature] = validToken.split('.') as [string, string, string];
  const foreignKeys = await generateKeyPair('RS256', { extractable: true });
  const cat = 'cl_B7d4PD111AAA';
  const signClaims = (header: JWTHeaderParameters, key: CryptoKey | Uint8Array): Promise<string> =>
    new SignJWT(decodeJwt(validToken)).setProtectedHeader(header).sign(key);
  const signSymmetric = (key: string): Promise<string> => signClaims({ alg: 'HS256', kid, cat }, Buffer.from(key));
  const signWith = (alg: string, hash: string, options: object): string => {
    const text = `${encode({ ...decodeProtectedHeader(validToken), alg })}.${payload}`;
    const bytes = signBytes(hash, Buffer.from(text), { key: KeyObject.from(privateKey), ...options });
    return `${text}.${bytes.toString('base64url')}`;
  };
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
  return {
    'alg none': `${encode({ alg: 'none', kid, cat })}.${payload}.`,
    'alg none with a signature': `${encode({ alg: 'none', kid, cat })}.${payload}.${signature}`,
    'HS256 with the public key': await signSymmetric(await exportSPKI(publicKey)),
    'HS256 with the public JWK': await signSymmetric(JSON.stringify(await exportJWK(publicKey))),
    'the right key, another hash': signWith('RS512', 'sha512', {}),
    'the right key, another padding': signWith('PS256', 'sha256', pss),
    'another RS algorithm': `${encode({ ...decodeProtectedHeader(validToken), alg: 'RS512' })}.${payload}.${signature}`,
    'a foreign key': await signClaims({ alg: 'RS256', kid, cat }, foreignKeys.privateKey),
    'a key brought along': await signClaims(
      { alg: 'RS256', cat, jwk: await exportJWK(foreignKeys.publicKey) },
      foreignKeys.privateKey,
    ),
    'other claims': `${head}.${encode({ ...decodeJwt(validToken), sub: 'user_2' })}.${signature}`,
    'unknown critical header': await sign({}, { crit: ['x'], x: 1 }).catch(
      () => `${encode({ alg: 'RS256', crit: ['x'], x: 1, kid })}.${payload}.${signature}`,
    ),
    words: 'a.b.c',
    'two parts': `${head}.${payload}`,
  };
}

const assertUnauthenticated = ({ status, body, headers }: Awaited<ReturnType<HostedApp['me']>>, what: string): void => {
  assert.deepEqual([status, body.code], [401, 'UNAUTHENTICATED'], what);
  assert.equal(headers.get('www-authenticate'), 'Bearer', what);
};

test('accepts a token of the hosted provider when clocks differ by a few seconds', async (t) => {
  const { sign, now, me } = await startHostedApp(t);

  assert.equal((await me(await sign())).status, 200);
  assert.equal((await me(await sign({ exp: now() }))).status, 200);
  assert.equal((await me(await sign({ sts: undefined }, { extra: 'ignored' }))).status, 200);
});

test('rejects a token with a forged header or signature', async (t) => {
  const app = await startHostedApp(t);

  for (const [what, token] of Object.entries(await forgeSignatures(app)))
    assertUnauthenticated(await app.me(token), what);
});

test('rejects a signed token with other claims than those of a session', async (t) => {
  const { sign, now, me } = await startHostedApp(t);
  const invalid: Record<string, Parameters<typeof sign>> = {
    'wrong iss': [{ iss: 'https://evil.test' }],
    'no iss': [{ iss: undefined }],
    'no sid': [{ sid: undefined }],
    'sid that is no string': [{ sid: 1 }],
    'sid with a NUL': [{ sid: 'sess\0' }],
    'no sub': [{ sub: undefined }],
    'sub with a quote': [{ sub: "user_1' or true" }],
    'no azp': [{ azp: undefined }],
    'wrong azp': [{ azp: 'https://evil.test' }],
    'no exp': [{ exp: undefined }],
    expired: [{ exp: now() - 10 }],
    'not yet': [{ nbf: now() + 60 }],
    'a template’s category': [{}, { cat: 'cl_B7d4PD222AAA' }],
    'a machine’s category': [{}, { cat: 'cl_B7d4PD333AAA' }],
    'no category': [{}, { cat: undefined }],
    'pending session': [{ sts: 'pending' }],
  };

  for (const [what, values] of Object.entries(invalid)) assertUnauthenticated(await me(await sign(...values)), what);
});

test('requests keys rarely when key ids are forged', async (t) => {
  const { sign, me, keyRequests } = await startHostedApp(t);
  assert.equal((await me(await sign())).status, 200);
  const before = keyRequests();
  for (let i = 0; i < 20; i += 1) assert.equal((await me(await sign({}, { kid: `ins_${i}` }))).status, 401);
  assert.ok(keyRequests() - before <= 1, `${keyRequests() - before} requests for keys`);
});

test('returns 503, never 401, when the provider’s keys are unavailable', async (t) => {
  const { sign, me, goAway } = await startHostedApp(t);
  goAway();
  const answer = await me(await sign());
  assert.deepEqual([answer.status, answer.body.code, answer.headers.get('retry-after')], [503, 'UNAVAILABLE', '5']);
});

test('accepts a cookie for every read, and for writes of our own pages', async (t) => {
  const { url } = await startIdentityApp(t, {}, addWrite);
  const browser = new TestBrowser(url);
  const { sessionId, userId } = await browser.signUp();
  const cookie = `other=1; __session=${await browser.token(sessionId)}`;
  const write = (headers: Record<string, string>) =>
    sendRequest(`${url}/api/write`, 'POST', {}, { cookie, ...headers });

  assert.equal((await sendRequest(`${url}/api/me`, 'GET', undefined, { cookie })).body.idp_user_id, userId);
  assert.deepEqual((await write({ origin: SITE })).body, { idp_id: userId });
  assert.equal((await write({ 'sec-fetch-site': 'same-origin' })).status, 200);
  for (const headers of [
    {},
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.test', 'sec-fetch-site': 'same-origin' },
  ]) {
    const answer = await write(headers);
    assert.deepEqual([answer.status, answer.body.code], [403, 'CROSS_ORIGIN'], JSON.stringify(headers));
  }
  const forged = await sendRequest(`${url}/api/write`, 'POST', {}, { cookie: '__session=a.b.c', origin: SITE });
  assert.equal(forged.status, 401);
});

test('rejects a header and a cookie of different sessions', async (t) => {
  const { url } = await startIdentityApp(t, {}, addWrite);
  const alice = new TestBrowser(url);
  const bob = new TestBrowser(url);
  const a = await alice.signUp();
  const tokenA = await alice.token(a.sessionId);
  const tokenB = await bob.token((await bob.signUp()).sessionId);
  const sendBoth = (authorization: string, cookie: string) =>
    sendRequest(`${url}/api/write`, 'POST', {}, { authorization, cookie: `__session=${cookie}` });

  assert.equal((await sendBoth(`Bearer ${tokenA}`, tokenB)).status, 401);
  assert.equal(
    (await sendBoth(`Bearer ${tokenA}`, await alice.token(a.sessionId))).status,
    200,
    'two tokens of one session agree',
  );
  assert.equal((await sendBoth(`Bearer ${tokenA}`, 'left-over')).status, 200, 'ignores a cookie of another site');
  assert.equal((await sendBoth('Bearer wrong', tokenA)).status, 401, 'a bad header is not made good by a cookie');
  assert.equal((await sendBoth('Basic dXNlcjpwYXNz', tokenA)).status, 401);
  assert.equal(
    (
      await sendRequest(`${url}/api/me`, 'GET', undefined, {
        'x-clerk-auth-token': tokenA,
        'x-clerk-auth-status': 'signed-in',
      })
    ).status,
    401,
    'no other header signs in',
  );
  assert.equal(
    (await sendRequest(`${url}/api/me?__clerk_session=${tokenA}`, 'GET')).status,
    401,
    'nor does the address',
  );
});

test('applies the session gate and recognizes the demo account', async (t) => {
  const closed = new Set<string>();
  const { url, identity } = await startIdentityApp(
    t,
    { sessionGate: async (member) => !closed.has(member.sessionId) },
    addWrite,
  );
  const browser = new TestBrowser(url);
  const { sessionId, userId } = await browser.signUp();
  const headers = bearer(await browser.token(sessionId));
  assert.equal((await sendRequest(`${url}/api/person`, 'POST', {}, headers)).status, 200);
  identity.accounts.demoAccountId = userId;
  assert.equal((await sendRequest(`${url}/api/me`, 'GET', undefined, headers)).body.is_demo_account, true);
  const rejected = await sendRequest(`${url}/api/person`, 'POST', {}, headers);
  assert.deepEqual([rejected.status, rejected.body.code], [403, 'DEMO_ACCOUNT']);
  closed.add(sessionId);
  assert.equal(
    (await sendRequest(`${url}/api/me`, 'GET', undefined, headers)).status,
    401,
    'at once, though the token still lives',
  );
});

test('creates a member’s row at the first request unless the member was deleted', async (t) => {
  const { url, owner, identity } = await startIdentityApp(t);
  const ann = new TestBrowser(url);
  const bob = new TestBrowser(url);
  const a = await ann.signUp();
  const b = await bob.signUp();
  await identity.options.database.service.transaction((sql) => deleteMember(sql, b.userId));
  const answers = await Promise.all(
    [1, 2, 3].map(async () => sendRequest(`${url}/api/me`, 'GET', undefined, bearer(await ann.token(a.sessionId)))),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  );
  assert.equal(
    (await owner<{ n: number }>('select count(*)::int as n from public.all_users where idp_id = $1', [a.userId]))[0]!.n,
    1,
  );
  assert.equal(
    (await sendRequest(`${url}/api/me`, 'GET', undefined, bearer(await bob.token(b.sessionId)))).status,
    401,
  );
});

test('rejects a deleted member within seconds, though the token is still valid', async (t) => {
  let now = 0;
  const { url, identity } = await startIdentityApp(t, { clock: () => now });
  const ann = new TestBrowser(url);
  const { userId, sessionId } = await ann.signUp();
  const headers = bearer(await ann.token(sessionId));
  const status = async (): Promise<number> => (await sendRequest(`${url}/api/me`, 'GET', undefined, headers)).status;
  assert.equal(await status(), 200);
  await identity.options.database.service.transaction((sql) => deleteMember(sql, userId));
  now = 10_001;
  assert.equal(await status(), 401);
});
