// @module-tag alone
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'vitest';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import {
  callBackend,
  LOW_COST,
  createEmail,
  SITE,
  sendRequest,
  startIdentityApp,
  TestBrowser,
} from '../../../test/support/identity.ts';

// Runs in a process of its own, because the test measures the processor time of the process.

/** Starts the app with the password cost of production. */
const startWithCostlyPasswords = (t: TestContext) =>
  startIdentityApp(t, {
    embedded: { limits: { signInPerPerson: 1_000, signInPerAddress: 10_000, signUpPerAddress: 10_000 } },
  });

const PASSWORD = 'correct horse';

/** Signs a person up. `response` and `client` are of the sign-up's body. */
async function signUpPerson(t: TestContext) {
  const app = await startWithCostlyPasswords(t);
  const browser = new TestBrowser(app.url);
  const email = createEmail();
  const signUpResponse = await browser.call('POST', '/client/sign_ups', {
    email_address: ` ${email.toUpperCase()} `,
    password: PASSWORD,
    unsafe_metadata: '{"ref":"abc"}',
  });
  assert.equal(signUpResponse.status, 200);
  const { response, client } = signUpResponse.body;
  const { created_user_id: userId, created_session_id: sessionId } = response;
  return { ...app, browser, email, signUpResponse, response, client, userId, sessionId };
}

describe('a person', { tags: ['slow'] }, () => {
  test('signs up with a normalized address and no private data in the response', async (t) => {
    const { email, signUpResponse, response, client } = await signUpPerson(t);

    assert.equal(signUpResponse.headers.get('content-type'), 'application/json');
    assert.equal(signUpResponse.headers.get('cache-control'), 'no-store');
    assert.match(
      signUpResponse.headers.get('set-cookie') ?? '',
      /^__client=[\w-]{43}; Path=\/_idp; Max-Age=\d+; HttpOnly; SameSite=Lax$/,
    );
    assert.equal(response.status, 'complete');
    assert.match(response.created_user_id, /^user_[0-9A-Za-z]{27}$/);
    assert.match(response.created_session_id, /^sess_[0-9A-Za-z]{27}$/);
    assert.equal(client.last_active_session_id, response.created_session_id);
    assert.equal(client.sessions[0].user.email_addresses[0].email_address, email);
    assert.deepEqual(client.sessions[0].user.unsafe_metadata, { ref: 'abc' });
    assert.equal(JSON.stringify(signUpResponse.body).includes('private_metadata'), false);
  });

  test('receives a token for a minute that identifies the member', async (t) => {
    const { url, browser, userId, sessionId } = await signUpPerson(t);

    const token = await browser.token(sessionId);
    const me = await sendRequest(`${url}/api/me`, 'GET', undefined, { authorization: `Bearer ${token}` });

    const { alg, cat } = decodeProtectedHeader(token);
    assert.deepEqual([alg, cat], ['RS256', 'cl_B7d4PD111AAA']);
    const { iss, azp, sub, sid, sts, v, exp, iat } = decodeJwt(token);
    assert.deepEqual(
      { iss, azp, sub, sid, sts, v, seconds: exp! - iat! },
      { iss: `${SITE}/_idp`, azp: SITE, sub: userId, sid: sessionId, sts: 'active', v: 2, seconds: 60 },
    );
    assert.equal(me.status, 200);
    assert.deepEqual(me.body, { idp_user_id: userId, email: null, is_demo_account: false, is_sample_user: false });
  });

  test('ends a session once and receives no more tokens for it', async (t) => {
    const { browser, sessionId } = await signUpPerson(t);
    const sessionPath = `/client/sessions/${sessionId}`;

    const ended = await browser.call('POST', `${sessionPath}/end`, {});
    const secondEnd = await browser.call('POST', `${sessionPath}/end`, {});
    const rejected = await browser.call('POST', `${sessionPath}/tokens`, {});

    assert.deepEqual([ended.status, ended.body.response.status], [200, 'ended']);
    assert.deepEqual(ended.body.client.sessions, []);
    assert.deepEqual([secondEnd.status, secondEnd.body.errors[0].code], [400, 'invalid_action_for_session']);
    assert.deepEqual([rejected.status, rejected.body.errors[0].code], [401, 'authentication_invalid']);
  });

  test('signs in again with a new session and a new client cookie', async (t) => {
    const { url, browser, email, sessionId } = await signUpPerson(t);
    await browser.call('POST', `/client/sessions/${sessionId}/end`, {});
    const oldCookie = browser.cookie;

    const signIn = await browser.call('POST', '/client/sign_ins', { identifier: email, password: PASSWORD });

    assert.equal(signIn.status, 200);
    const newSessionId = signIn.body.response.created_session_id;
    assert.notEqual(newSessionId, sessionId);
    assert.notEqual(browser.cookie, oldCookie);
    const staleClient = await sendRequest(`${url}/_idp/v1/client`, 'GET', undefined, { cookie: oldCookie });
    assert.equal(staleClient.body.response, null, 'the old cookie is invalid');
    assert.equal((await browser.call('GET', '/client')).body.response.sessions[0].id, newSessionId);
  });

  test('is stored with hashes of password and cookie only', async (t) => {
    const { owner, browser, email } = await signUpPerson(t);

    const [row] = await owner<{ password_hash: string; rows: string }>(
      'select password_hash, (select json_agg(c)::text from idp.clients c) as rows from idp.users where email = $1',
      [email],
    );

    assert.match(row!.password_hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    assert.equal(row!.rows.includes(browser.cookie.split('=')[1]!), false);
  });
});

test('responds equally to an unknown address, a wrong password and no password', { tags: ['slow'] }, async (t) => {
  const { url, identity } = await startWithCostlyPasswords(t);
  const { email } = await new TestBrowser(url).signUp();
  const demo = await callBackend(url, 'POST', '/users', {
    email_address: [createEmail()],
    skip_password_requirement: true,
  });
  const guarded = await callBackend(url, 'POST', '/users', {
    email_address: [createEmail()],
    password: 'correct horse',
  });
  identity.accounts.demoAccountId = guarded.body.id;

  const attempts: [string, string][] = [
    [createEmail(), 'correct horse'],
    [email, 'wrong horse'],
    [email, 'x'.repeat(5_000)],
    [demo.body.email_addresses[0].email_address, 'correct horse'],
    [guarded.body.email_addresses[0].email_address, 'correct horse'],
  ];
  const bodies = new Set<string>();
  for (const [identifier, password] of attempts) {
    const answer = await new TestBrowser(url).call('POST', '/client/sign_ins', { identifier, password });
    assert.equal(answer.status, 422);
    assert.equal(answer.body.errors[0].code, 'form_password_or_identifier_incorrect');
    assert.equal(answer.headers.get('set-cookie'), null);
    bodies.add(JSON.stringify(answer.body.errors));
  }
  assert.equal(bodies.size, 1);
});

test('takes as long for an unknown address as for a known one', { tags: ['slow'] }, async (t) => {
  const { url } = await startWithCostlyPasswords(t);
  const { email } = await new TestBrowser(url).signUp();
  const unknown = createEmail();

  const times: [number[], number[]] = [[], []];
  for (let i = 0; i < 18; i += 1) {
    const before = process.cpuUsage();
    await new TestBrowser(url).call('POST', '/client/sign_ins', {
      identifier: i % 2 ? email : unknown,
      password: 'wrong horse',
    });
    const { user, system } = process.cpuUsage(before);
    times[i % 2 ? 1 : 0].push(user + system);
  }

  // Compares the least processor time of each, which other work on the machine does not affect.
  const [unknownTime, knownTime] = times.map((list) => Math.min(...list)) as [number, number];
  const ratio = unknownTime / knownTime;
  assert.ok(ratio > 0.3 && ratio < 3, `an unknown address takes ${ratio.toFixed(2)} of the time of a known one`);
});

type ErrorCase = [what: string, form: Record<string, string>, code: string, param: string];

const NEW = { email_address: 'a@example.com', password: 'correct horse' };
const METADATA = ['param_format_invalid', 'unsafe_metadata'] as const;
const errorCases: Record<string, ErrorCase[]> = {
  '/client/sign_ups': [
    ['no address', { password: 'correct horse' }, 'param_missing', 'email_address'],
    ['no password', { email_address: 'a@example.com' }, 'param_missing', 'password'],
    ['no address in the address', { ...NEW, email_address: 'nobody' }, 'param_format_invalid', 'email_address'],
    ['7 characters', { ...NEW, password: '1234567' }, 'password_length_too_short', 'password'],
    ['7 characters of 14 units', { ...NEW, password: '😀'.repeat(7) }, 'password_length_too_short', 'password'],
    ['256 characters', { ...NEW, password: 'x'.repeat(256) }, 'password_length_too_long', 'password'],
    ['a field that does not exist', { ...NEW, admin: '1' }, 'param_unknown', 'admin'],
    ['metadata that is no object', { ...NEW, unsafe_metadata: '[1]' }, ...METADATA],
    ['metadata with a NUL', { ...NEW, unsafe_metadata: '{"a":"\\u0000"}' }, ...METADATA],
    ['metadata with half a character', { ...NEW, unsafe_metadata: '{"\\ud800":1}' }, ...METADATA],
    ['metadata of 9 KB', { ...NEW, unsafe_metadata: JSON.stringify({ a: 'x'.repeat(9_000) }) }, ...METADATA],
  ],
  '/client/sign_ins': [
    ['nothing', {}, 'param_missing', 'identifier'],
    ['a strategy that does not exist', { strategy: 'oauth_google' }, 'param_format_invalid', 'strategy'],
    ['a ticket sign-in without ticket', { strategy: 'ticket' }, 'param_missing', 'ticket'],
  ],
};

test('rejects a missing or malformed field with the documented code', async (t) => {
  const { url } = await startIdentityApp(t);
  for (const [path, cases] of Object.entries(errorCases))
    for (const [what, form, code, param] of cases) {
      const answer = await new TestBrowser(url).call('POST', path, form);
      const [error] = answer.body.errors;
      assert.deepEqual([answer.status, error.code, error.meta?.param_name], [422, `form_${code}`, param], what);
      assert.equal(answer.headers.get('content-type'), 'application/json', what);
    }
});

test('creates one account when an address signs up several times at once', async (t) => {
  const { url, owner } = await startIdentityApp(t);
  const email = createEmail();
  const answers = await Promise.all(
    Array.from({ length: 6 }, () =>
      new TestBrowser(url).call('POST', '/client/sign_ups', { email_address: email, password: 'correct horse' }),
    ),
  );
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 422, 422, 422, 422, 422]);
  for (const { status, body } of answers)
    if (status !== 200) assert.equal(body.errors[0].code, 'form_identifier_exists');
  const [remaining] = await owner<{ clients: number; events: number }>(
    `select (select count(*)::int from idp.clients) as clients,
            (select count(*)::int from idp.webhook_messages) as events`,
  );
  assert.deepEqual(remaining, { clients: 1, events: 2 }, 'those that lost leave nothing behind');
});

test('allows one signed-in user per browser', async (t) => {
  const { url } = await startIdentityApp(t);
  const browser = new TestBrowser(url);
  const { email, password, sessionId } = await browser.signUp();
  for (const [path, form] of [
    ['/client/sign_ins', { identifier: email, password }],
    ['/client/sign_ups', { email_address: createEmail(), password }],
  ] as const) {
    const answer = await browser.call('POST', path, form);
    assert.deepEqual([answer.status, answer.body.errors[0].code], [400, 'session_exists']);
  }
  await browser.call('POST', `/client/sessions/${sessionId}/end`, {});
  const copies = Array.from({ length: 4 }, () => Object.assign(new TestBrowser(url), { cookie: browser.cookie }));
  const answers = await Promise.all(
    copies.map((copy) => copy.call('POST', '/client/sign_ins', { identifier: email, password })),
  );
  // A request that arrives after the first has ended has an invalid cookie and counts as a new browser.
  const sessionStarted = answers.filter(({ status }) => status === 200);
  assert.ok(sessionStarted.length >= 1 && answers.every(({ status }) => status === 200 || status === 400));
  const clients = sessionStarted.map((answer) => answer.body.client.id as string);
  assert.equal(new Set(clients).size, sessionStarted.length, 'no client ever holds two sessions');
  assert.ok(sessionStarted.every((answer) => answer.body.client.sessions.length === 1));
});

test('rejects a sixth attempt within ten seconds, for known and unknown accounts', async (t) => {
  const { url } = await startIdentityApp(t, { embedded: { passwordCost: LOW_COST } });
  for (const identifier of [createEmail(), (await new TestBrowser(url).signUp()).email]) {
    const six = Array.from({ length: 6 }, (_, i) =>
      new TestBrowser(url).call('POST', '/client/sign_ins', {
        identifier: i % 2 ? identifier : identifier.toUpperCase(),
        password: 'wrong horse',
      }),
    );
    const answers = await Promise.all(six);
    const holdsLock = answers.find(({ status }) => status === 429);
    assert.equal(holdsLock?.body.errors[0].code, 'too_many_requests');
    assert.ok(Number(holdsLock?.headers.get('retry-after')) >= 1);
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [422, 422, 422, 422, 422, 429]);
  }
});

test('prevents a foreign page from signing a browser in, up or out', async (t) => {
  const { url } = await startIdentityApp(t);
  const browser = new TestBrowser(url);
  const { email, password, sessionId } = await browser.signUp();
  for (const headers of [
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { origin: `${SITE}.evil.test` },
    { origin: 'http://tally.test:8080' },
  ]) {
    for (const path of [
      '/client/sign_ins',
      '/client/sign_ups',
      `/client/sessions/${sessionId}/end`,
      `/client/sessions/${sessionId}/tokens`,
    ]) {
      const answer = await browser.call('POST', path, { identifier: email, password }, headers);
      const rejection = [answer.status, answer.body.errors[0].code];
      assert.deepEqual(rejection, [403, 'origin_invalid'], `${path} from ${headers.origin}`);
    }
  }
  const withoutOrigin = await sendRequest(`${url}/_idp/v1/client/sessions/${sessionId}/end`, 'POST', undefined, {
    cookie: browser.cookie,
    'sec-fetch-site': 'cross-site',
  });
  assert.equal(withoutOrigin.status, 403, 'a cross-site browser without an origin');
  assert.equal((await browser.call('GET', '/client')).body.response.sessions.length, 1);

  const commandLine = await sendRequest(`${url}/_idp/v1/client/sign_ins`, 'POST', { identifier: email, password });
  assert.equal(commandLine.status, 200, 'no browser, JSON instead of a form');
  const cookie = commandLine.headers.getSetCookie()[0]!.split(';')[0]!;
  const token = await sendRequest(
    `${url}/_idp/v1/client/sessions/${commandLine.body.response.created_session_id}/tokens`,
    'POST',
    undefined,
    { cookie },
  );
  assert.equal(decodeJwt(token.body.jwt).azp, SITE);
});
