import assert from 'node:assert/strict';
import { test } from 'vitest';
import { changePassword, describeEnded, validatePasswordChange } from './change-password.ts';

const change = { current: 'the old one', next: 'a new one of mine', revokesTokens: true, revokesPasskeys: false };

/**
 * Changes the password against a provider with the given response. Returns the form's problems and the sent request.
 */
async function changeWithResponse(status: number, body: unknown) {
  const sent: { url: string; body: string }[] = [];
  const send = async (url: string, init: RequestInit) => {
    sent.push({ url, body: String(init.body as URLSearchParams) });
    return new Response(JSON.stringify(body), { status });
  };
  const shown = await changePassword(change, send, async () => '/_idp/');
  return { shown, sent };
}

const errorBody = (code: string, param?: string) => ({
  errors: [{ code, message: 'no', long_message: 'In long words.', ...(param && { meta: { param_name: param } }) }],
});

test('sends both passwords and requests the end of other sessions', async () => {
  const { shown, sent } = await changeWithResponse(200, {});
  assert.deepEqual(shown, []);
  const [request] = sent;
  assert.equal(request!.url, '/_idp/v1/me/change_password');
  assert.deepEqual(Object.fromEntries(new URLSearchParams(request!.body)), {
    current_password: 'the old one',
    new_password: 'a new one of mine',
    sign_out_of_other_sessions: 'true',
    revoke_api_keys_and_tokens: 'true',
    revoke_passkeys: 'false',
  });
});

test('sends no field that a hosted provider does not support', async () => {
  let sent = '';
  const send = async (_url: string, init: RequestInit) => {
    sent = String(init.body as URLSearchParams);
    return new Response('{}');
  };
  assert.deepEqual(await changePassword(change, send, async () => 'https://clerk.example.com'), []);
  assert.equal(new URLSearchParams(sent).has('revoke_api_keys_and_tokens'), false);
});

test('shows each error at its field', async () => {
  const getField = async (code: string, param?: string) =>
    (await changeWithResponse(422, errorBody(code, param))).shown[0]!;
  assert.deepEqual(await getField('form_password_incorrect', 'current_password'), {
    field: 'current-password',
    message: 'Current password is incorrect.',
  });
  const pwnedField = await getField('form_password_pwned', 'password');
  assert.deepEqual([pwnedField.field, /too common/.test(pwnedField.message)], ['new-password', true]);
  assert.equal((await getField('too_many_requests')).field, null);
  assert.deepEqual(await getField('of_tomorrow'), { field: null, message: 'In long words.' });
  assert.match((await changeWithResponse(500, 'no JSON object')).shown[0]!.message, /500/);
  const unavailable = await changePassword(
    change,
    () => Promise.reject(new TypeError('fetch failed')),
    async () => '',
  );
  assert.match(unavailable[0]!.message, /cannot be reached/);
});

test('reports missing fields without a request', () => {
  assert.deepEqual(validatePasswordChange(change), []);
  assert.deepEqual(
    validatePasswordChange({ current: '', next: 'short' }).map(({ field }) => field),
    ['current-password', 'new-password'],
  );
  assert.match(
    validatePasswordChange({ current: 'one and the same', next: 'one and the same' })[0]!.message,
    /current/,
  );
});

test('lists what a change of the password has ended as other lists are', () => {
  assert.equal(describeEnded([]), 'Password changed. Your other sessions have ended.');
  assert.equal(
    describeEnded(['API keys', 'passkeys']),
    'Password changed. Your other sessions, API keys and passkeys have ended.',
  );
});
