import assert from 'node:assert/strict';
import { test } from 'vitest';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import {
  callBackend,
  createEmail,
  sendRequest,
  startIdentityApp,
  TestBrowser,
} from '../../../test/support/identity.ts';
import { sendDuringChange } from '../../../test/support/locked-account.ts';
import { closeOtherSessions } from './session-queries.ts';
import { createKeyRing } from './signing-keys.ts';

const WEEK_MS = 7 * 86_400_000;

test('ends a session seven days after its start when it is still in use', async (t) => {
  const { url, owner } = await startIdentityApp(t);
  const browser = new TestBrowser(url);
  const { sessionId, userId } = await browser.signUp();
  const { body: session } = await callBackend(url, 'GET', `/sessions/${sessionId}`);
  assert.equal(session.expire_at - session.created_at, WEEK_MS);
  await browser.call('POST', `/client/sessions/${sessionId}/touch`, {});
  assert.equal((await callBackend(url, 'GET', `/sessions/${sessionId}`)).body.expire_at, session.expire_at);

  const age = (span: string) =>
    owner(`update idp.sessions set created_at = created_at - ${span}, expire_at = expire_at - ${span}`);
  await age(`(interval '7 days' - interval '30 seconds')`);
  const lastClaims = decodeJwt(await browser.token(sessionId));
  assert.ok(lastClaims.exp! - lastClaims.iat! <= 30, 'the last token does not outlive its session');

  await age(`interval '31 seconds'`);
  const rejected = await browser.call('POST', `/client/sessions/${sessionId}/tokens`, {});
  assert.deepEqual([rejected.status, rejected.body.errors[0].code], [401, 'authentication_invalid']);
  assert.equal((await callBackend(url, 'GET', `/sessions/${sessionId}`)).body.status, 'expired');
  assert.equal(
    (await callBackend(url, 'GET', `/sessions?user_id=${userId}&status=active&paginated=true`)).body.total_count,
    0,
  );
  assert.equal((await callBackend(url, 'GET', `/sessions?user_id=${userId}&status=expired`)).body[0].id, sessionId);
  assert.deepEqual((await browser.call('GET', '/client')).body.response.sessions, []);
  assert.equal((await callBackend(url, 'POST', `/sessions/${sessionId}/revoke`)).status, 400);
});

test('issues no token for a revoked session, which only one caller can revoke', async (t) => {
  const { url } = await startIdentityApp(t);
  const browser = new TestBrowser(url);
  const { sessionId } = await browser.signUp();
  const answers = await Promise.all([
    callBackend(url, 'POST', `/sessions/${sessionId}/revoke`),
    callBackend(url, 'POST', `/sessions/${sessionId}/revoke`),
  ]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
  assert.equal(answers.find(({ status }) => status === 200)!.body.status, 'revoked');
  for (const path of ['tokens', 'touch'])
    assert.equal((await browser.call('POST', `/client/sessions/${sessionId}/${path}`, {})).status, 401);
});

test('records activity without a deadlock when an event that holds the lock of the user ends the session', async (t) => {
  const { url, database, owner } = await startIdentityApp(t);
  const browser = new TestBrowser(url);
  const { sessionId, userId } = await browser.signUp();
  const touch = () => browser.call('POST', `/client/sessions/${sessionId}/touch`, {});
  const touched = await sendDuringChange({ database, owner }, userId, touch, async (sql) =>
    assert.equal((await closeOtherSessions(sql, userId, null)).length, 1),
  );
  assert.equal(touched.status, 200);
});

test("returns not_found for another user's session", async (t) => {
  const { url } = await startIdentityApp(t);
  const alice = new TestBrowser(url);
  const { sessionId } = await alice.signUp();
  const bob = new TestBrowser(url);
  await bob.signUp();
  for (const path of ['tokens', 'touch', 'end', 'remove']) {
    const foreignAttempt = await bob.call('POST', `/client/sessions/${sessionId}/${path}`, {});
    assert.deepEqual([foreignAttempt.status, foreignAttempt.body.errors[0].code], [404, 'resource_not_found'], path);
    const signedOut = await new TestBrowser(url).call('POST', `/client/sessions/${sessionId}/${path}`, {});
    assert.deepEqual([signedOut.status, signedOut.body.errors[0].code], [401, 'signed_out'], path);
  }
  const guess = await sendRequest(`${url}/_idp/v1/client`, 'GET', undefined, { cookie: '__client=guess' });
  assert.deepEqual(guess.body, { response: null, client: null });
  assert.ok(await alice.token(sessionId));
});

test('removes the cookie when the browser signs out everywhere', async (t) => {
  const { url } = await startIdentityApp(t);
  for (const [method, path] of [
    ['DELETE', '/client/sessions'],
    ['POST', '/client/sessions?_method=DELETE'],
  ] as const) {
    const browser = new TestBrowser(url);
    const { sessionId } = await browser.signUp();
    const answer = await browser.call(method, path, {});
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('set-cookie')!, /^__client=; .*Max-Age=0/);
    assert.equal((await callBackend(url, 'GET', `/sessions/${sessionId}`)).body.status, 'removed');
  }
});

test('publishes both keys and accepts tokens of both after a rotation', async (t) => {
  const { url, getEmbedded: embedded } = await startIdentityApp(t);
  const browser = new TestBrowser(url);
  const { sessionId } = await browser.signUp();
  const before = await browser.token(sessionId);
  const kid = await embedded().rotateKey();
  const after = await browser.token(sessionId);
  assert.equal(decodeProtectedHeader(after).kid, kid);
  assert.notEqual(decodeProtectedHeader(before).kid, kid);
  const publishedKeys = (await sendRequest(`${url}/_idp/.well-known/jwks.json`, 'GET')).body.keys as Record<
    string,
    string
  >[];
  assert.deepEqual(publishedKeys.map((key) => key.kid).sort(), [decodeProtectedHeader(before).kid, kid].sort());
  for (const key of publishedKeys) assert.deepEqual(Object.keys(key).sort(), ['alg', 'e', 'kid', 'kty', 'n', 'use']);
  for (const token of [before, after])
    assert.equal(
      (await sendRequest(`${url}/api/me`, 'GET', undefined, { authorization: `Bearer ${token}` })).status,
      200,
    );
});

test('uses one signing key when several processes create the first at once', async (t) => {
  const { database, owner } = await startIdentityApp(t);
  // Databases of tests have a key from the start.
  await owner('delete from idp.signing_keys');
  const rings = await Promise.all(Array.from({ length: 4 }, () => createKeyRing(database.service).current()));
  assert.equal(new Set(rings.map(({ kid }) => kid)).size, 1);
});

test('removes sessions and tickets when a user is deleted', async (t) => {
  const { url } = await startIdentityApp(t);
  const browser = new TestBrowser(url);
  const { userId, sessionId, email } = await browser.signUp();
  const ticket = (await callBackend(url, 'POST', '/sign_in_tokens', { user_id: userId })).body;
  assert.deepEqual((await callBackend(url, 'DELETE', `/users/${userId}`)).body, {
    id: userId,
    object: 'user',
    deleted: true,
  });
  assert.equal((await callBackend(url, 'GET', `/users/${userId}`)).status, 404);
  assert.equal((await callBackend(url, 'GET', `/sessions/${sessionId}`)).status, 404);
  assert.equal((await browser.call('POST', `/client/sessions/${sessionId}/tokens`, {})).status, 404);
  const redeemed = await new TestBrowser(url).call('POST', '/client/sign_ins', {
    strategy: 'ticket',
    ticket: ticket.token,
  });
  assert.equal(redeemed.body.errors[0].code, 'ticket_invalid_code');
  assert.equal((await callBackend(url, 'GET', `/users?email_address=${email}`)).body.length, 0);
});

test('lists users newest first, by address and in pages', async (t) => {
  const { url } = await startIdentityApp(t);
  const emails = [createEmail(), createEmail(), createEmail()];
  for (const email of emails)
    await callBackend(url, 'POST', '/users', {
      email_address: [email],
      password: 'correct horse',
      private_metadata: { note: 1 },
    });
  const found = await callBackend(
    url,
    'GET',
    `/users?email_address=${emails[0]!.toUpperCase()}&email_address=${emails[2]}`,
  );
  assert.deepEqual(
    found.body.map((user: { email_addresses: [{ email_address: string }] }) => user.email_addresses[0].email_address),
    [emails[2], emails[0]],
  );
  assert.deepEqual(found.body[0].private_metadata, { note: 1 });
  assert.equal((await callBackend(url, 'GET', '/users?limit=2&offset=1')).body.length, 2);
  assert.deepEqual((await callBackend(url, 'GET', '/users/count')).body, { object: 'total_count', total_count: 3 });
});
