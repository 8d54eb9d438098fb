import assert from 'node:assert/strict';
import { test } from 'vitest';
import { startIdentityApp, TestBrowser } from '../../../test/support/identity.ts';

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
  // A session of another browser cannot be confirmed from here.
  const confirmation = `/client/sessions/${other}/verify/attempt_first_factor`;
  assert.equal((await browser.call('POST', confirmation, { strategy: 'password', password })).status, 404);
  assert.equal((await browser.call('POST', `/me/sessions/${other}/revoke`, {})).status, 200);
  assert.equal((await browser.call('POST', `/me/sessions/${other}/revoke`, {})).status, 400);
  assert.equal((await new TestBrowser(url).call('GET', '/me')).status, 401);
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

test('counts the limit of metadata in bytes', async (t) => {
  const { url } = await startIdentityApp(t);
  const browser = new TestBrowser(url);
  await browser.signUp();
  const set = (text: string) => browser.call('PATCH', '/me', { unsafe_metadata: JSON.stringify({ text }) });
  // {"text":""} takes 11 bytes.
  assert.equal((await set('é'.repeat(4_090))).status, 200);
  assert.equal((await set('é'.repeat(4_091))).status, 422);
});
