import assert from 'node:assert/strict';
import { test } from 'vitest';
import { callBackend, createEmail, LOW_COST, startIdentityApp, TestBrowser } from '../../../test/support/identity.ts';
import type { TestScope } from '../../../test/support/test-scope.ts';
import type { SignUpMode } from '../../platform/identity/identity-provider.ts';

const limits = { signInPerPerson: 1_000, signInPerAddress: 10_000, signUpPerAddress: 10_000 };

const startWithMode = async (t: TestScope, signUpMode: SignUpMode) => {
  const app = await startIdentityApp(t, { embedded: { signUpMode, limits, passwordCost: LOW_COST } });
  const signUp = (email: string, link?: string) =>
    new TestBrowser(app.url).call('POST', '/client/sign_ups', {
      email_address: email,
      password: 'correct horse battery',
      ...(link !== undefined && { strategy: 'ticket', ticket: link.split('#invitation=').at(-1)! }),
    });
  return { ...app, signUp, invitations: app.identity.provider.invitations! };
};

const getCode = (response: { body: { errors: { code: string }[] } }): string => response.body.errors[0]!.code;

test('accepts a sign-up only with an invitation, once, when sign-up is by invitation', async (t) => {
  const { signUp, invitations, owner } = await startWithMode(t, 'invite');
  const uninvited = await signUp(createEmail());
  assert.deepEqual([uninvited.status, getCode(uninvited)], [403, 'sign_up_mode_restricted']);
  const { link, id } = await invitations.create(null);
  assert.match(link, /^http:\/\/tally\.test\/sign-up#invitation=inv_\w{27}\.[\w-]{43}$/);
  const [stored] = await owner<{ row: string }>('select to_jsonb(i)::text as row from idp.invitations i');
  assert.ok(!stored!.row.includes(link.split('.').at(-1)!), 'only the hash of the code is stored');

  const answers = await Promise.all([
    signUp(createEmail(), link),
    signUp(createEmail(), link),
    signUp(createEmail(), link),
  ]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400]);
  assert.equal(getCode(await signUp(createEmail(), link)), 'ticket_invalid_code');
  assert.deepEqual(
    (await invitations.list()).map((invitation) => [invitation.id, invitation.status]),
    [[id, 'accepted']],
  );
  assert.equal((await owner('select from idp.users')).length, 1);
});

test('forgets an invitation’s address after the sign-up', async (t) => {
  const { signUp, invitations, owner } = await startWithMode(t, 'invite');
  const email = createEmail();
  const { link } = await invitations.create(email);
  const other = await signUp(createEmail(), link);
  assert.deepEqual([other.status, getCode(other)], [422, 'form_param_value_invalid']);
  assert.equal((await signUp(email.toUpperCase(), link)).status, 200);
  assert.deepEqual(await owner('select email from idp.invitations'), [{ email: null }]);
});

test('rejects an expired, revoked, altered or malformed invitation', async (t) => {
  const { signUp, invitations, owner } = await startWithMode(t, 'invite');
  const revoked = await invitations.create(null);
  assert.deepEqual(
    [await invitations.revoke(revoked.id), await invitations.revoke(revoked.id)],
    ['revoked', 'revoked'],
  );
  assert.equal(await invitations.revoke("' or true --"), undefined);
  const expired = await invitations.create(null);
  await owner(`update idp.invitations set expires_at = now() - interval '1 second' where id = $1`, [expired.id]);
  const valid = await invitations.create(null);
  for (const link of [revoked.link, expired.link, `${valid.link}x`, 'inv_x.y', '', `${valid.id}.${'x'.repeat(43)}`])
    assert.equal((await signUp(createEmail(), link)).status, 400, link);
  const tooLong = await signUp(createEmail(), 'x'.repeat(10_000));
  assert.equal(tooLong.status, 422);
  assert.equal((await signUp(createEmail(), valid.link)).status, 200);
});

test('takes everybody when sign-up is open, nobody when it is closed', async (t) => {
  const closed = await startWithMode(t, 'closed');
  const { link } = await closed.invitations.create(null);
  for (const invitation of [undefined, link])
    assert.equal((await closed.signUp(createEmail(), invitation)).status, 403);
  const open = await startWithMode(t, 'open');
  const invited = await open.invitations.create(null);
  assert.equal((await open.signUp(createEmail())).status, 200);
  assert.equal((await open.signUp(createEmail(), invited.link)).status, 200);
  assert.equal((await open.signUp(createEmail(), invited.link)).status, 400);
});

test('creates, lists and revokes invitations through the API of the hosted provider', async (t) => {
  const { url } = await startWithMode(t, 'invite');
  const email = createEmail();
  const created = await callBackend(url, 'POST', '/invitations', { email_address: email });
  assert.deepEqual(
    [created.body.object, created.body.email_address, created.body.status, typeof created.body.url],
    ['invitation', email, 'pending', 'string'],
  );
  const listed = await callBackend(url, 'GET', '/invitations');
  assert.deepEqual(
    listed.body.map((invitation: { id: string; url?: string }) => [invitation.id, invitation.url]),
    [[created.body.id, undefined]],
  );
  const revoke = () => callBackend(url, 'POST', `/invitations/${created.body.id}/revoke`);
  assert.equal((await revoke()).body.status, 'revoked');
  assert.equal((await revoke()).status, 400);
  assert.equal((await callBackend(url, 'POST', '/invitations/inv_none/revoke')).status, 404);
});
