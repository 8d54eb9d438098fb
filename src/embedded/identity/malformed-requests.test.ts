import assert from 'node:assert/strict';
import { test } from 'vitest';
import fc from 'fast-check';
import { runsLongTests } from '../../../test/support/long-tests.ts';
import { SECRET_KEY, SITE, startIdentityApp, TestBrowser } from '../../../test/support/identity.ts';

const paths = [
  ['POST', '/client/sign_ups'],
  ['POST', '/client/sign_ins'],
  ['POST', '/client/sign_ins/:id/attempt_first_factor'],
  ['POST', '/client/sessions/:id/tokens'],
  ['POST', '/client/sessions/:id/end'],
  ['POST', '/client/sessions'],
  ['GET', '/client'],
  ['PATCH', '/me'],
  ['PATCH', '/me/metadata'],
  ['POST', '/me/change_password'],
  ['POST', '/me/passkeys'],
  ['POST', '/me/passkeys/:id/attempt_verification'],
  ['PATCH', '/me/passkeys/:id'],
  ['POST', '/me/sessions/:id/revoke'],
  ['GET', '/users'],
  ['POST', '/users'],
  ['GET', '/users/:id'],
  ['DELETE', '/users/:id'],
  ['POST', '/sign_in_tokens'],
  ['POST', '/sign_in_tokens/:id/revoke'],
  ['GET', '/sessions'],
  ['GET', '/sessions/:id'],
  ['POST', '/sessions/:id/revoke'],
] as const;

const field = fc.constantFrom(
  'email_address',
  'password',
  'identifier',
  'ticket',
  'strategy',
  'public_key_credential',
  'name',
  'unsafe_metadata',
  'user_id',
  'expires_in_seconds',
  'first_name',
  'limit',
  'offset',
  'status',
  'current_password',
  'new_password',
  '__proto__',
  'constructor',
);
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '\0',
    '\ud800',
    'ticket',
    'passkey',
    'a@example.com',
    'user_1',
    '{"a":"\\u0000"}',
    -1,
    1e300,
    '9'.repeat(30),
  ),
);
const body = fc.oneof(
  fc.dictionary(field, value).map((fields) => ({ type: 'application/json', text: JSON.stringify(fields) })),
  fc
    .dictionary(field, fc.string({ unit: 'binary' }))
    .map((fields) => ({ type: 'application/x-www-form-urlencoded', text: new URLSearchParams(fields).toString() })),
  fc.record({
    type: fc.constantFrom(
      'application/json',
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data',
      'application/json; charset=utf-16',
    ),
    text: fc.string({ unit: 'binary' }),
  }),
);
const id = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom('%00', '%ff', '..%2f..', "'--", 'user_1', 'a'.repeat(300)),
);

/** The run has its own time limit. fast-check prints the seed of a failing run and shrinks it. */
test('never returns 5xx for a malformed request', { tags: ['slow'] }, async (t) => {
  const { app, url } = await startIdentityApp(t, {
    embedded: { limits: { signInPerPerson: 100_000, signInPerAddress: 100_000, signUpPerAddress: 100_000 } },
  });
  const browser = new TestBrowser(url);
  await browser.signUp();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...paths),
      id,
      body,
      fc.boolean(),
      async ([method, path], part, { type, text }, signedIn) => {
        const search = new URLSearchParams({ [text.slice(0, 5)]: text }).toString();
        const query = method === 'GET' ? `?${search}&limit=${part}&email_address=${part}&user_id=${part}` : '';
        const answer = await app.inject({
          method: method as 'GET',
          url: `/_idp/v1${path.replace(':id', part)}${query}`,
          headers: {
            origin: SITE,
            authorization: `Bearer ${SECRET_KEY}`,
            ...(signedIn && { cookie: browser.cookie }),
            ...(method !== 'GET' && { 'content-type': type }),
          },
          ...(method !== 'GET' && { payload: text }),
        });
        assert.ok(
          answer.statusCode < 500,
          `${method} ${path} ${part} ${type} ${text} → ${answer.statusCode} ${answer.body}`,
        );
        if (answer.statusCode >= 400) assert.ok(answer.json().errors[0].code.length > 0);
      },
    ),
    { numRuns: runsLongTests ? 1_000 : 300 },
  );
});

test("returns errors in the provider's format for oversized or unknown requests", async (t) => {
  const { app } = await startIdentityApp(t);
  const call = async (method: string, path: string, payload = '', type = 'application/json') => {
    const answer = await app.inject({
      method: method as 'POST',
      url: `/_idp/v1${path}`,
      headers: { origin: SITE, 'content-type': type },
      payload,
    });
    assert.equal(answer.headers['content-type'], 'application/json', path);
    return [answer.statusCode, answer.json().errors[0].code];
  };
  const signUpPath = '/client/sign_ups';
  const deeplyNested = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
  assert.deepEqual(await call('POST', signUpPath, `"${'x'.repeat(70_000)}"`), [413, 'payload_too_large']);
  assert.deepEqual(await call('POST', signUpPath, deeplyNested), [422, 'form_param_format_invalid']);
  assert.deepEqual(await call('POST', signUpPath, '<a/>', 'text/xml'), [415, 'unsupported_media_type']);
  assert.deepEqual(await call('PUT', signUpPath, '{}'), [405, 'method_not_allowed']);
  assert.deepEqual(await call('POST', '/nothing', '{}'), [404, 'resource_not_found']);
});
