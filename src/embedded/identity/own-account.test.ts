import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { SoftwareAuthenticator } from '../../../test/support/authenticator.ts';
import { createEmail, type IdentityApp, LOW_COST, type TestBrowser } from '../../../test/support/identity.ts';
import { sendDuringChange } from '../../../test/support/locked-account.ts';
import { createPasskeyBrowser, PASSKEY_SITE, startPasskeyApp } from '../../../test/support/passkeys.ts';
import { getRouteNames, isRead, recordRoutes } from '../../../test/support/record-routes.ts';
import { createScope } from '../../../test/support/test-scope.ts';
import { closeOtherSessions } from './session-queries.ts';

interface Member {
  browser: TestBrowser;
  sessionId: string;
  password: string;
  addressId: string;
}

interface Input {
  /** The id in the path. */
  id?: string;
  query?: string;
  form?: Record<string, string>;
}

const REMOVAL = { query: '?_method=DELETE' };

/** What each write of the signed-in user needs to get as far as its change. Add a new write here. */
const INPUTS: Readonly<Record<string, (member: Member) => Input | Promise<Input>>> = {
  'DELETE /me': () => ({}),
  'PATCH /me': () => ({ form: { first_name: 'Eve' } }),
  'POST /me': () => REMOVAL,
  'PATCH /me/metadata': () => ({ form: { unsafe_metadata: '{"a":1}' } }),
  'POST /me/metadata': () => ({ query: '?_method=PATCH', form: { unsafe_metadata: '{"a":1}' } }),
  'POST /me/change_password': ({ password }) => ({
    form: { current_password: password, new_password: 'a password of a stranger' },
  }),
  'POST /me/sessions/:id/revoke': ({ sessionId }) => ({ id: sessionId }),
  'POST /me/email_addresses': () => ({ form: { email_address: createEmail() } }),
  'POST /me/email_addresses/:id': ({ addressId }) => ({ id: addressId, ...REMOVAL }),
  'DELETE /me/email_addresses/:id': ({ addressId }) => ({ id: addressId }),
  'POST /me/email_addresses/:id/prepare_verification': ({ addressId }) => ({
    id: addressId,
    form: { strategy: 'email_link' },
  }),
  'POST /me/passkeys': () => ({}),
  'PATCH /me/passkeys/:id': () => ({ id: 'pkey_1', form: { name: 'Mine' } }),
  'DELETE /me/passkeys/:id': () => ({ id: 'pkey_1' }),
  'POST /me/passkeys/:id': () => ({ id: 'pkey_1', ...REMOVAL }),
  'POST /me/passkeys/:id/attempt_verification': async ({ browser }) => {
    const { id, verification } = (await browser.call('POST', '/me/passkeys', {})).body.response;
    const credential = new SoftwareAuthenticator(PASSKEY_SITE).create(verification.nonce);
    return { id, form: { strategy: 'passkey', public_key_credential: credential } };
  },
  'POST /me/totp': () => ({}),
  'DELETE /me/totp': () => ({}),
  'POST /me/totp/attempt_verification': () => ({ form: { code: '123456' } }),
  'POST /me/backup_codes': () => ({}),
  'POST /me/backup_codes/': () => ({}),
};

const PREFIX = '/_idp/v1';

let app: IdentityApp;
let writes: readonly string[];
const scope = createScope();
beforeAll(async () => {
  const mailer = { async send() {} };
  const { started, routes } = await recordRoutes(() =>
    startPasskeyApp(scope, {
      embedded: { mailer, passwordCost: LOW_COST, limits: { signUpPerAddress: 10_000 } },
    }),
  );
  app = started;
  writes = getRouteNames(routes)
    .map((name) => name.replace(PREFIX, ''))
    .filter((name) => /^\w+ \/me\b/.test(name) && !isRead(name.split(' ')[0]!));
});
afterAll(() => scope.end());

test('has an input for every write of the signed-in user', () => {
  assert.deepEqual([...writes].sort(), Object.keys(INPUTS).sort());
});

test.for(Object.entries(INPUTS))(
  'changes nothing in a session that ends while it waits for the account: %s',
  async ([name, getInput]) => {
    const browser = createPasskeyBrowser(app.url);
    const { userId, sessionId, password } = await browser.signUp();
    const added = await browser.call('POST', '/me/email_addresses', { email_address: createEmail() });
    const {
      id = '',
      query = '',
      form = {},
    } = await getInput({
      browser,
      sessionId,
      password,
      addressId: added.body.response.id,
    });
    const [method, path] = name.split(' ') as [string, string];
    const answer = await sendDuringChange(
      app,
      userId,
      () => browser.call(method, path.replace(':id', id) + query, method === 'DELETE' ? undefined : form),
      (sql) => closeOtherSessions(sql, userId, null),
    );
    assert.deepEqual([answer.status, answer.body.errors?.[0].code], [401, 'signed_out']);
  },
);
