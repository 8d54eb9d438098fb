import assert from 'node:assert/strict';
import { test } from 'vitest';
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { callBackend, createEmail, startIdentityApp, TestBrowser } from '../../../test/support/identity.ts';

async function withPerson(t: Parameters<typeof startIdentityApp>[0]) {
  const app = await startIdentityApp(t);
  const person = await callBackend(app.url, 'POST', '/users', {
    email_address: [createEmail()],
    skip_password_requirement: true,
  });
  const makeTicket = async (more: object = {}) =>
    (await callBackend(app.url, 'POST', '/sign_in_tokens', { user_id: person.body.id, ...more })).body;
  const redeem = (ticket: string) =>
    new TestBrowser(app.url).call('POST', '/client/sign_ins', { strategy: 'ticket', ticket });
  return { ...app, userId: person.body.id as string, makeTicket, redeem };
}

test('signs in once per ticket', async (t) => {
  const { url, userId, makeTicket, redeem, owner } = await withPerson(t);
  const createdTicket = await makeTicket({ expires_in_seconds: 86_400 });
  assert.equal(createdTicket.object, 'sign_in_token');
  assert.match(createdTicket.id, /^sit_/);
  assert.equal(createdTicket.status, 'pending');
  assert.equal(createdTicket.user_id, userId);
  assert.equal(createdTicket.token.split('.').length, 3);

  const first = await redeem(createdTicket.token);
  assert.equal(first.status, 200);
  assert.equal(first.body.client.sessions[0].user.id, userId);
  const second = await redeem(createdTicket.token);
  assert.deepEqual([second.status, second.body.errors[0].code], [400, 'sign_in_token_already_used_code']);

  const revoked = await callBackend(url, 'POST', `/sign_in_tokens/${createdTicket.id}/revoke`);
  assert.deepEqual([revoked.status, revoked.body.errors[0].code], [400, 'sign_in_token_cannot_be_revoked_code']);
  assert.match(revoked.body.errors[0].long_message, /its status is accepted/);
  const [storedText] = await owner<{ everything: string }>(
    `select (select json_agg(t)::text from idp.sign_in_tokens t)
         || (select json_agg(m)::text from idp.webhook_messages m) as everything`,
  );
  assert.equal(storedText!.everything.includes(createdTicket.token.split('.')[2]), false, 'the ticket is kept nowhere');
});

test('starts exactly one session when a ticket is redeemed several times at once', async (t) => {
  const { makeTicket, redeem, owner } = await withPerson(t);
  for (let round = 1; round <= 5; round += 1) {
    const { token } = await makeTicket();
    const answers = await Promise.all(Array.from({ length: 8 }, () => redeem(token)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    for (const { status, body } of answers)
      if (status !== 200) assert.equal(body.errors[0].code, 'sign_in_token_already_used_code');
    const [sessions] = await owner<{ count: number }>('select count(*)::int as count from idp.sessions');
    assert.equal(sessions!.count, round);
  }
});

test('either redeems or revokes when both run concurrently', async (t) => {
  const { url, makeTicket, redeem } = await withPerson(t);
  for (let round = 0; round < 8; round += 1) {
    const { id, token } = await makeTicket();
    const [redeemed, revoked] = await Promise.all([
      redeem(token),
      callBackend(url, 'POST', `/sign_in_tokens/${id}/revoke`),
    ]);
    assert.deepEqual([redeemed.status, revoked.status].sort(), [200, 400]);
    if (revoked.status === 200) assert.equal(redeemed.body.errors[0].code, 'sign_in_token_revoked_code');
  }
});

test('rejects a revoked and an expired ticket with different codes', async (t) => {
  const { url, makeTicket, redeem, owner } = await withPerson(t);
  const revoked = await makeTicket();
  const answer = await callBackend(url, 'POST', `/sign_in_tokens/${revoked.id}/revoke`);
  assert.deepEqual([answer.status, answer.body.status, 'token' in answer.body], [200, 'revoked', false]);
  assert.equal((await redeem(revoked.token)).body.errors[0].code, 'sign_in_token_revoked_code');
  assert.equal((await callBackend(url, 'POST', `/sign_in_tokens/${revoked.id}/revoke`)).status, 400);

  const expired = await makeTicket({ expires_in_seconds: 60 });
  await owner(`update idp.sign_in_tokens set expires_at = now() - interval '1 second' where id = $1`, [expired.id]);
  assert.equal((await redeem(expired.token)).body.errors[0].code, 'sign_in_token_cannot_be_used_code');
  const lateRevocation = await callBackend(url, 'POST', `/sign_in_tokens/${expired.id}/revoke`);
  assert.deepEqual(
    [lateRevocation.status, lateRevocation.body.errors[0].code],
    [400, 'sign_in_token_cannot_be_revoked_code'],
  );
});

test('keeps a ticket valid when it leads to no session', async (t) => {
  const { url, makeTicket, redeem } = await withPerson(t);
  const { token } = await makeTicket();
  const busy = new TestBrowser(url);
  await busy.signUp();
  const rejected = await busy.call('POST', '/client/sign_ins', { strategy: 'ticket', ticket: token });
  assert.equal(rejected.body.errors[0].code, 'session_exists');
  assert.equal((await redeem(token)).status, 200);
});

test('rejects tokens that are not tickets of this provider', async (t) => {
  const { url, makeTicket, redeem, getEmbedded: embedded, userId, owner } = await withPerson(t);
  const createdTicket = await makeTicket();
  const [head, payload, signature] = createdTicket.token.split('.') as [string, string, string];
  const browser = new TestBrowser(url);
  const sessionToken = await browser.token((await browser.signUp()).sessionId);
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const claims = { st: 'sign_in_token', jti: createdTicket.id, sub: userId, iss: embedded().frontendApiUrl };
  const kid = JSON.parse(Buffer.from(head, 'base64url').toString()).kid as string;
  const publicJwk = (await embedded().jwks()).keys[0]!;
  const [signer] = await owner<{ private_jwk: JWK }>('select private_jwk from idp.signing_keys');
  const signTicketFor = async (more: object): Promise<string> =>
    new SignJWT({ ...claims, ...more })
      .setProtectedHeader({ alg: 'RS256', kid })
      .sign(await importJWK(signer!.private_jwk, 'RS256'));
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

  const forgeries: Record<string, string> = {
    'a session token': sessionToken,
    'our signature under another kind of token': await signTicketFor({ st: 'invitation' }),
    'our signature for another deployment': await signTicketFor({ iss: 'https://other.test/_idp' }),
    'our signature without a ticket': await signTicketFor({ jti: 'sit_none' }),
    'another signature': `${head}.${payload}.${signature.split('').reverse().join('')}`,
    'no signature': `${encode({ alg: 'none', kid })}.${payload}.`,
    'the public key as a secret': await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid })
      .sign(Buffer.from(JSON.stringify(publicJwk))),
    'a key of its own': await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey),
    'a key brought along': await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', jwk: await exportJWK(publicKey) })
      .sign(privateKey),
    words: 'not a ticket',
    dots: '..',
  };
  for (const [what, ticket] of Object.entries(forgeries)) {
    const answer = await redeem(ticket);
    assert.deepEqual([answer.status, answer.body.errors[0].code], [400, 'ticket_invalid_code'], what);
  }
  assert.equal((await redeem(createdTicket.token)).status, 200, 'the true one was not harmed by them');
});

test('accepts a ticket after the rotation of its key', async (t) => {
  const { makeTicket, redeem, getEmbedded: embedded } = await withPerson(t);
  const { token } = await makeTicket();
  await embedded().rotateKey();
  assert.equal((await redeem(token)).status, 200);
});

test('rejects impossible requests to the Backend API', async (t) => {
  const { url, userId } = await withPerson(t);
  for (const key of ['', 'sk_live_wrong']) {
    for (const [method, path] of [
      ['GET', `/users/${userId}`],
      ['POST', '/sign_in_tokens'],
      ['GET', '/jwks'],
      ['POST', '/users'],
    ] as const) {
      const answer = await callBackend(url, method, path, method === 'POST' ? {} : undefined, key);
      assert.deepEqual([answer.status, answer.body.errors[0].code], [401, 'clerk_key_invalid'], `${method} ${path}`);
    }
  }
  const cases: [string, string, object | undefined, number, string][] = [
    ['GET', '/users/user_nobody', undefined, 404, 'resource_not_found'],
    ['GET', '/users/%00', undefined, 404, 'resource_not_found'],
    ['GET', '/sessions/sess_none', undefined, 404, 'resource_not_found'],
    ['POST', '/sessions/sess_none/revoke', undefined, 404, 'resource_not_found'],
    ['POST', '/sign_in_tokens/sit_none/revoke', undefined, 404, 'resource_not_found'],
    ['POST', '/sign_in_tokens', {}, 422, 'form_param_missing'],
    ['POST', '/sign_in_tokens', { user_id: 'user_nobody' }, 404, 'resource_not_found'],
    ['POST', '/sign_in_tokens', { user_id: userId, expires_in_seconds: 0 }, 422, 'form_param_format_invalid'],
    ['GET', '/sessions', undefined, 422, 'form_param_missing'],
    ['POST', '/users', { email_address: [createEmail()] }, 422, 'form_param_missing'],
  ];
  for (const [method, path, body, status, code] of cases) {
    const answer = await callBackend(url, method, path, body);
    assert.deepEqual(
      [answer.status, answer.body.errors[0].code, answer.headers.get('content-type')],
      [status, code, 'application/json'],
      `${method} ${path}`,
    );
  }
});
