import assert from 'node:assert/strict';
import { test } from 'vitest';
import { changePassword, missingInChange } from './change-password.ts';

const change = { current: 'the old one', next: 'a new one of mine', revokes: true };

/** What the form shows where the provider answers so, and what was sent. */
async function answered(status: number, body: unknown) {
  const sent: { url: string; body: string }[] = [];
  const send = async (url: string, init: RequestInit) => {
    sent.push({ url, body: String(init.body as URLSearchParams) });
    return new Response(JSON.stringify(body), { status });
  };
  const shown = await changePassword(change, send, async () => '/_idp/');
  return { shown, sent };
}

const refusal = (code: string, param?: string) => ({
  errors: [{ code, message: 'no', long_message: 'In long words.', ...(param && { meta: { param_name: param } }) }],
});

test('a change sends both passwords and asks that other sessions end', async () => {
  const { shown, sent } = await answered(200, {});
  assert.deepEqual(shown, []);
  const [request] = sent;
  assert.equal(request!.url, '/_idp/v1/me/change_password');
  assert.deepEqual(Object.fromEntries(new URLSearchParams(request!.body)), {
    current_password: 'the old one',
    new_password: 'a new one of mine',
    sign_out_of_other_sessions: 'true',
    revoke_api_keys_and_tokens: 'true',
  });
});

test('sends a hosted provider no field that it does not know', async () => {
  let sent = '';
  const send = async (_url: string, init: RequestInit) => {
    sent = String(init.body as URLSearchParams);
    return new Response('{}');
  };
  assert.deepEqual(await changePassword(change, send, async () => 'https://clerk.example.com'), []);
  assert.equal(new URLSearchParams(sent).has('revoke_api_keys_and_tokens'), false);
});

test('each refusal stands at the field that it concerns', async () => {
  const fieldOf = async (code: string, param?: string) => (await answered(422, refusal(code, param))).shown[0]!;
  assert.deepEqual(await fieldOf('form_password_incorrect', 'current_password'), {
    field: 'current-password',
    message: 'This is not your password.',
  });
  const common = await fieldOf('form_password_pwned', 'password');
  assert.deepEqual([common.field, /guessed first/.test(common.message)], ['new-password', true]);
  assert.equal((await fieldOf('too_many_requests')).field, null);
  assert.deepEqual(await fieldOf('of_tomorrow'), { field: null, message: 'In long words.' });
  assert.match((await answered(500, 'no JSON object')).shown[0]!.message, /500/);
  const away = await changePassword(
    change,
    () => Promise.reject(new TypeError('fetch failed')),
    async () => '',
  );
  assert.match(away[0]!.message, /cannot be reached/);
});

test('what is visibly missing is told without a request', () => {
  assert.deepEqual(missingInChange(change), []);
  assert.deepEqual(
    missingInChange({ current: '', next: 'short' }).map(({ field }) => field),
    ['current-password', 'new-password'],
  );
  assert.match(missingInChange({ current: 'one and the same', next: 'one and the same' })[0]!.message, /current/);
});
