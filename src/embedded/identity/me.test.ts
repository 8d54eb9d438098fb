import assert from 'node:assert/strict';
import { test } from 'vitest';
import { callBackend, createEmail, startIdentityApp, TestBrowser } from '../../../test/support/identity.ts';

test('ends other sessions and rejects the old password when the password changes', async (t) => {
  const { url } = await startIdentityApp(t);
  const browser = new TestBrowser(url);
  const { email, password, sessionId } = await browser.signUp();
  const otherBrowser = new TestBrowser(url);
  const other = await otherBrowser.call('POST', '/client/sign_ins', { identifier: email, password });

  const change = (current_password: string, new_password: string) =>
    browser.call('POST', '/me/change_password', { current_password, new_password });
  const signIn = (secret: string) =>
    new TestBrowser(url).call('POST', '/client/sign_ins', { identifier: email, password: secret });

  const wrong = await change('wrong horse', 'a new password');
  assert.deepEqual([wrong.status, wrong.body.errors[0].code], [422, 'form_password_incorrect']);
  const short = await change(password, 'short');
  assert.equal(short.body.errors[0].code, 'form_password_length_too_short');
  assert.equal((await change(password, 'a new password')).status, 200);

  assert.ok(await browser.token(sessionId));
  const { created_session_id: otherId } = other.body.response;
  assert.equal((await otherBrowser.call('POST', `/client/sessions/${otherId}/tokens`, {})).status, 401);
  assert.equal((await signIn(password)).status, 422);
  assert.equal((await signIn('a new password')).status, 200);
});

test("lists and ends only the user's own other sessions", async (t) => {
  const { url } = await startIdentityApp(t);
  const browser = new TestBrowser(url);
  const { email, password, sessionId } = await browser.signUp();
  const other = (await new TestBrowser(url).call('POST', '/client/sign_ins', { identifier: email, password })).body
    .response.created_session_id;
  const otherPerson = await new TestBrowser(url).signUp();
  const listed = (await browser.call('GET', '/me/sessions/active')).body as { id: string }[];
  assert.deepEqual(listed.map(({ id }) => id).sort(), [sessionId, other].sort());
  assert.equal((await browser.call('POST', `/me/sessions/${otherPerson.sessionId}/revoke`, {})).status, 404);
  assert.equal((await browser.call('POST', `/me/sessions/${other}/revoke`, {})).status, 200);
  assert.equal((await browser.call('POST', `/me/sessions/${other}/revoke`, {})).status, 400);
  assert.equal((await new TestBrowser(url).call('GET', '/me')).status, 401);
});

test('ends another session only within ten minutes after the password', async (t) => {
  const { url, owner } = await startIdentityApp(t);
  const browser = new TestBrowser(url);
  const { email, password, sessionId } = await browser.signUp();
  const otherBrowser = new TestBrowser(url);
  const signIn = await otherBrowser.call('POST', '/client/sign_ins', { identifier: email, password });
  const other = signIn.body.response.created_session_id as string;
  await owner(`update idp.sessions set created_at = now() - interval '11 minutes' where id = $1`, [sessionId]);
  const revoke = () => browser.call('POST', `/me/sessions/${other}/revoke`, {});
  const stale = await revoke();
  assert.deepEqual([stale.status, stale.body.errors[0].code], [403, 'session_reverification_required']);
  const attempt = { strategy: 'password', password };
  const path = `/client/sessions/${sessionId}/verify/attempt_first_factor`;
  // A session of another browser cannot be confirmed from here.
  assert.equal((await browser.call('POST', path.replace(sessionId, other), attempt)).status, 404);
  assert.equal((await browser.call('POST', path, attempt)).status, 200);
  assert.equal((await revoke()).status, 200);
  assert.equal((await otherBrowser.call('GET', '/me')).status, 401);
});

test('lets the shared demo account only read itself and sign out', async (t) => {
  const { url, identity } = await startIdentityApp(t);
  const person = await callBackend(url, 'POST', '/users', {
    email_address: [createEmail()],
    skip_password_requirement: true,
  });
  identity.accounts.demoAccountId = person.body.id;
  const viewers: { browser: TestBrowser; sessionId: string }[] = [];
  for (let i = 0; i < 2; i += 1) {
    const { token } = (await callBackend(url, 'POST', '/sign_in_tokens', { user_id: person.body.id })).body;
    const browser = new TestBrowser(url);
    viewers.push({
      browser,
      sessionId: (await browser.call('POST', '/client/sign_ins', { strategy: 'ticket', ticket: token })).body.response
        .created_session_id,
    });
  }
  const [one, two] = viewers as [(typeof viewers)[0], (typeof viewers)[0]];

  const forbidden: [string, string, Record<string, string>][] = [
    ['PATCH', '/me', { first_name: 'Mallory' }],
    ['POST', '/me/change_password', { current_password: 'x', new_password: 'a new password' }],
    ['GET', '/me/sessions/active', {}],
    ['POST', `/me/sessions/${two.sessionId}/revoke`, {}],
    ['POST', `/me/sessions/${one.sessionId}/revoke`, {}],
  ];
  for (const [method, path, form] of forbidden) {
    const answer = await one.browser.call(method, path, form);
    assert.deepEqual([answer.status, answer.body.errors[0].code], [403, 'demo_account'], `${method} ${path}`);
  }
  assert.equal((await one.browser.call('POST', `/client/sessions/${two.sessionId}/end`, {})).status, 404);
  assert.equal((await one.browser.call('GET', '/me')).status, 200);
  assert.equal((await one.browser.call('POST', `/client/sessions/${one.sessionId}/end`, {})).status, 200);
  assert.ok(await two.browser.token(two.sessionId), 'the other viewer stays');
});

test('updates name and metadata and emits the event', async (t) => {
  const { url, owner } = await startIdentityApp(t);
  const browser = new TestBrowser(url);
  await browser.signUp();
  const answer = await browser.call('PATCH', '/me', { first_name: 'Ann', unsafe_metadata: '{"theme":"dark"}' });
  assert.equal(answer.body.response.first_name, 'Ann');
  assert.deepEqual((await browser.call('GET', '/me')).body.response.unsafe_metadata, { theme: 'dark' });
  const [event] = await owner<{ payload: string }>(
    `select payload from idp.webhook_messages where type = 'user.updated'`,
  );
  assert.equal(JSON.parse(event!.payload).data.first_name, 'Ann');
});

test('limits the requests of a signed-in member on profile, session and token routes together', async (t) => {
  const { url } = await startIdentityApp(t, { embedded: { limits: { requestsPerMember: 6 } } });
  const browser = new TestBrowser(url);
  const { sessionId } = await browser.signUp();
  const other = new TestBrowser(url);
  const otherMember = await other.signUp();
  const calls = [
    () => browser.call('GET', '/me'),
    () => browser.call('PATCH', '/me', { first_name: 'Ann' }),
    () => browser.call('POST', `/client/sessions/${sessionId}/tokens`, {}),
    () => browser.call('POST', `/client/sessions/${sessionId}/touch`, {}),
    () => browser.call('GET', '/client'),
    () => browser.call('POST', `/client/sessions/${sessionId}/verify`, {}),
  ];
  for (const call of calls) assert.equal((await call()).status, 200);
  for (const call of calls) {
    const { status, body, headers } = await call();
    assert.deepEqual([status, body.errors[0].code], [429, 'too_many_requests']);
    assert.ok(Number(headers.get('retry-after')) > 30);
  }
  assert.ok(await other.token(otherMember.sessionId), 'another member is not limited');
});

test('counts the limit of metadata in bytes', async (t) => {
  const { url } = await startIdentityApp(t);
  const browser = new TestBrowser(url);
  await browser.signUp();
  const set = (text: string) => browser.call('PATCH', '/me', { unsafe_metadata: JSON.stringify({ text }) });
  // {"text":""} takes 11 bytes.
  assert.equal((await set('é'.repeat(4_090))).status, 200);
  assert.equal((await set('é'.repeat(4_091))).status, 422);
});
