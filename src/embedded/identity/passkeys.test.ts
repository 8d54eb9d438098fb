import assert from 'node:assert/strict';
import { test } from 'vitest';
import { startMailServer } from '../../../test/fakes/mail-server.ts';
import { SoftwareAuthenticator } from '../../../test/support/authenticator.ts';
import { eventually } from '../../../test/support/eventually.ts';
import {
  createEmail,
  LOW_COST,
  sendRequest,
  SITE,
  startIdentityApp,
  TestBrowser,
} from '../../../test/support/identity.ts';
import { sendDuringChange } from '../../../test/support/locked-account.ts';
import {
  addPasskey,
  attemptPasskeySignIn,
  attemptRegistration,
  createPasskeyBrowser,
  PASSKEY_SITE,
  requestRegistration,
  signInByPasskey,
  startPasskeyApp,
  startPasskeySignIn,
} from '../../../test/support/passkeys.ts';
import { createJobs } from '../../platform/jobs/jobs.ts';
import { createSmtpMailer } from '../../platform/mail/smtp-mailer.ts';
import { NO_DEVICE } from './context.ts';
import { insertPasskey } from './passkey-queries.ts';
import { findPasskeySite } from './passkey-site.ts';
import { revokeForEvent } from './revoke-credentials.ts';
import { createKeyRing } from './signing-keys.ts';
import { createStoredIdentityData } from './stored-data.ts';

type Answer = Awaited<ReturnType<TestBrowser['call']>>;

const toOutcome = ({ status, body }: Answer) => [status, body.errors?.[0].code];

const rejected = [422, 'passkey_verification_failed'];
const notRegistered = [422, 'passkey_registration_failed'];
const expired = [400, 'verification_expired'];

async function startWithPasskey(t: Parameters<typeof startPasskeyApp>[0]) {
  const app = await startPasskeyApp(t);
  const browser = createPasskeyBrowser(app.url);
  const member = await browser.signUp();
  return { ...app, browser, member, ...(await addPasskey(browser)) };
}

test('adds a passkey and signs in with it', async (t) => {
  const { url, browser, member, id, authenticator, owner } = await startWithPasskey(t);
  const listed = (await browser.call('GET', '/me')).body.response.passkeys;
  assert.deepEqual(
    listed.map((passkey: { id: string }) => passkey.id),
    [id],
  );
  assert.deepEqual([listed[0].object, listed[0].name, listed[0].last_used_at], ['passkey', 'Passkey', null]);
  assert.equal(listed[0].verification.status, 'verified');
  const [stored] = await owner<{ transports: string[]; backed_up: boolean }>('select * from idp.passkeys');
  assert.deepEqual([stored!.transports, stored!.backed_up], [['hybrid', 'internal'], true]);

  const other = createPasskeyBrowser(url);
  const signedIn = await signInByPasskey(other, authenticator);
  assert.equal(signedIn.status, 200, JSON.stringify(signedIn.body));
  assert.deepEqual(
    [signedIn.body.response.status, signedIn.body.client.sessions[0].user.id],
    ['complete', member.userId],
  );
  const sessionId: string = signedIn.body.response.created_session_id;
  assert.ok(await other.token(sessionId));
  const [used] = (await other.call('GET', '/me')).body.response.passkeys;
  assert.ok(used.last_used_at >= used.created_at);
});

test('asks the authenticator for a discoverable passkey and user verification', async (t) => {
  const { url, browser, authenticator, member } = await startWithPasskey(t);
  const creation = JSON.parse((await requestRegistration(browser)).nonce);
  assert.deepEqual(creation.rp, { name: 'Tally', id: 'tally.test' });
  assert.equal(Buffer.from(creation.user.id, 'base64url').toString(), member.userId);
  assert.equal(creation.authenticatorSelection.residentKey, 'required');
  assert.equal(creation.authenticatorSelection.userVerification, 'required');
  assert.deepEqual(
    creation.excludeCredentials.map((credential: { id: string }) => credential.id),
    [authenticator.credentialId],
  );
  const request = JSON.parse((await startPasskeySignIn(createPasskeyBrowser(url))).nonce);
  assert.deepEqual(
    [request.rpId, request.userVerification, request.allowCredentials],
    ['tally.test', 'required', undefined],
  );
});

test('rejects a replayed, expired or foreign challenge', async (t) => {
  const { url, authenticator, owner } = await startWithPasskey(t);
  const browser = createPasskeyBrowser(url);
  const first = await startPasskeySignIn(browser);
  const response = authenticator.sign(first.nonce);
  assert.deepEqual(toOutcome(await attemptPasskeySignIn(createPasskeyBrowser(url), first.id, response)), expired);
  const otherBrowser = createPasskeyBrowser(url);
  const second = await startPasskeySignIn(otherBrowser);
  assert.deepEqual(toOutcome(await attemptPasskeySignIn(otherBrowser, first.id, response)), expired, 'another browser');
  assert.deepEqual(
    toOutcome(await attemptPasskeySignIn(otherBrowser, second.id, response)),
    rejected,
    'another challenge',
  );

  assert.equal((await attemptPasskeySignIn(browser, first.id, response)).status, 200);
  await browser.call('DELETE', '/client/sessions');
  assert.deepEqual(toOutcome(await attemptPasskeySignIn(browser, first.id, response)), expired, 'replayed');

  const late = await startPasskeySignIn(browser);
  await owner(`update idp.passkey_challenges set expires_at = now() - interval '1 second'`);
  assert.deepEqual(toOutcome(await attemptPasskeySignIn(browser, late.id, authenticator.sign(late.nonce))), expired);
});

test('rejects a signature for another site, purpose or person', async (t) => {
  const { url, authenticator, browser, member, owner } = await startWithPasskey(t);
  const victim = createPasskeyBrowser(url);
  const { userId: victimId } = await victim.signUp();
  const otherAuthenticator = new SoftwareAuthenticator(PASSKEY_SITE);
  const cases = {
    origin: { origin: 'https://tally.example' },
    'an origin without https': { origin: 'http://tally.test' },
    'a frame of another site': { crossOrigin: true },
    'another domain': { domain: 'test' },
    'the purpose of a registration': { type: 'webauthn.create' },
    'an unverified user': { isUserVerified: false },
    'the handle of another user': { userHandle: Buffer.from(victimId).toString('base64url') },
    'an unknown passkey': { credentialId: otherAuthenticator.credentialId },
  };
  for (const [name, deviations] of Object.entries(cases))
    assert.deepEqual(
      toOutcome(await signInByPasskey(createPasskeyBrowser(url), authenticator, deviations)),
      rejected,
      name,
    );
  const { authenticator: victims } = await addPasskey(victim);
  const forged = await signInByPasskey(createPasskeyBrowser(url), authenticator, {
    credentialId: victims.credentialId,
  });
  assert.deepEqual(toOutcome(forged), rejected, "another key under the victim's identifier");

  const path = `/client/sessions/${member.sessionId}/verify`;
  const prepared = await browser.call('POST', `${path}/prepare_first_factor`, { strategy: 'passkey' });
  const foreign = await browser.call('POST', `${path}/attempt_first_factor`, {
    strategy: 'passkey',
    public_key_credential: victims.sign(prepared.body.response.first_factor_verification.nonce),
  });
  assert.deepEqual(toOutcome(foreign), rejected, "another user's passkey confirms nothing");
  assert.equal((await owner('select 1 from idp.sessions')).length, 2, 'no session started');
});

test('rejects a counter that goes back or stands still', async (t) => {
  const { url, authenticator } = await startWithPasskey(t);
  const attempt = async (counter: number) =>
    (await signInByPasskey(createPasskeyBrowser(url), authenticator, { counter })).status;
  assert.deepEqual([await attempt(0), await attempt(0)], [200, 200], 'a synchronized passkey does not count');
  assert.deepEqual([await attempt(5), await attempt(5), await attempt(4), await attempt(0)], [200, 422, 422, 422]);
  assert.equal(await attempt(6), 200);
});

test('lets one of several concurrent uses of a challenge win', async (t) => {
  const { url, authenticator, browser, owner } = await startWithPasskey(t);
  const visitor = createPasskeyBrowser(url);
  const { id, nonce } = await startPasskeySignIn(visitor);
  const response = authenticator.sign(nonce);
  const attempts = Array.from({ length: 6 }, () => attemptPasskeySignIn(visitor, id, response));
  const statuses = (await Promise.all(attempts)).map(({ status }) => status);
  assert.deepEqual(statuses.sort(), [200, 400, 400, 400, 400, 400]);
  assert.equal((await owner('select 1 from idp.sessions')).length, 2);

  const counted = await Promise.all(
    Array.from({ length: 4 }, () => signInByPasskey(createPasskeyBrowser(url), authenticator, { counter: 1 })),
  );
  assert.deepEqual(counted.map(({ status }) => status).sort(), [200, 422, 422, 422], 'copies of a passkey');

  const registration = await requestRegistration(browser);
  const added = new SoftwareAuthenticator(PASSKEY_SITE).create(registration.nonce);
  const registrations = await Promise.all([1, 2, 3].map(() => attemptRegistration(browser, registration.id, added)));
  assert.deepEqual(registrations.map(({ status }) => status).sort(), [200, 400, 400]);
});

test('rejects a new passkey for another site, challenge, session or without user verification', async (t) => {
  const { url, browser, owner } = await startWithPasskey(t);
  const cases = {
    'another origin': { origin: 'https://tally.example' },
    'a frame of another site': { crossOrigin: true },
    'another domain': { domain: 'example.com' },
    'another challenge': { challenge: 'AAAA' },
    'a signature of a sign-in': { type: 'webauthn.get' },
    'an unverified user': { isUserVerified: false },
    'an attestation with certificates': {
      attestationFormat: 'packed',
      attestationStatement: new Map<string, unknown>([
        ['alg', -7],
        ['sig', new Uint8Array(70)],
        ['x5c', [new Uint8Array(700)]],
      ]),
    },
  };
  for (const [name, deviations] of Object.entries(cases)) {
    const { id, nonce } = await requestRegistration(browser);
    const credential = new SoftwareAuthenticator(PASSKEY_SITE).create(nonce, deviations);
    assert.deepEqual(toOutcome(await attemptRegistration(browser, id, credential)), notRegistered, name);
    assert.deepEqual(toOutcome(await attemptRegistration(browser, id, credential)), expired, `${name}, again`);
  }
  const { id, nonce } = await requestRegistration(browser);
  const other = createPasskeyBrowser(url);
  await other.signUp();
  const credential = new SoftwareAuthenticator(PASSKEY_SITE).create(nonce);
  assert.deepEqual(toOutcome(await attemptRegistration(other, id, credential)), expired, 'another session');
  assert.equal((await owner('select 1 from idp.passkeys')).length, 1);
});

test('rejects malformed and huge responses', async (t) => {
  const { url, browser, authenticator } = await startWithPasskey(t);
  const valid = JSON.parse(authenticator.sign((await startPasskeySignIn(createPasskeyBrowser(url))).nonce));
  const deepCbor = Buffer.concat([Buffer.alloc(20_000, 0x81), Buffer.from([0])]).toString('base64url');
  const hugeCbor = Buffer.from([0xbb, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]).toString('base64url');
  const withResponse = (fields: object) => JSON.stringify({ ...valid, response: { ...valid.response, ...fields } });
  const bodies = [
    '',
    '{',
    'null',
    '[]',
    '{"id":{}}',
    JSON.stringify({ ...valid, id: '../x' }),
    JSON.stringify({ ...valid, id: 'A'.repeat(2_000), rawId: 'A'.repeat(2_000) }),
    JSON.stringify({ ...valid, type: 'password' }),
    withResponse({ clientDataJSON: '!!' }),
    withResponse({ clientDataJSON: Buffer.from('{').toString('base64url') }),
    withResponse({ clientDataJSON: Buffer.from('null').toString('base64url') }),
    withResponse({ clientDataJSON: 'A'.repeat(9_000) }),
    withResponse({ authenticatorData: 'AA' }),
    withResponse({ authenticatorData: hugeCbor }),
    withResponse({ signature: 'AA' }),
    withResponse({ attestationObject: hugeCbor }),
    withResponse({ attestationObject: deepCbor }),
    withResponse({ attestationObject: 'AA' }),
  ];
  for (const body of bodies) {
    const visitor = createPasskeyBrowser(url);
    const { id } = await startPasskeySignIn(visitor);
    assert.equal((await attemptPasskeySignIn(visitor, id, body)).status, 422, body.slice(0, 200));
    const registration = await requestRegistration(browser);
    assert.equal((await attemptRegistration(browser, registration.id, body)).status, 422, body.slice(0, 200));
  }
  const visitor = createPasskeyBrowser(url);
  const { id } = await startPasskeySignIn(visitor);
  assert.equal((await attemptPasskeySignIn(visitor, id, 'x'.repeat(70_000))).status, 413);
  assert.equal((await attemptPasskeySignIn(visitor, "' or true --", JSON.stringify(valid))).status, 400);
});

test('adds no passkey when an event that ends passkeys locks the account first', async (t) => {
  const { browser, member, database, owner } = await startWithPasskey(t);
  const { id, nonce } = await requestRegistration(browser);
  const credential = new SoftwareAuthenticator(PASSKEY_SITE).create(nonce);
  const register = () => attemptRegistration(browser, id, credential);
  const attempt = await sendDuringChange({ database, owner }, member.userId, register, (sql) => {
    const except = { sessionId: member.sessionId, clientId: '' };
    const revocation = { userId: member.userId, device: NO_DEVICE, except, ticked: ['passkeys'] as const };
    return revokeForEvent(sql, { keys: createKeyRing(sql) }, 'password_change', revocation);
  });
  assert.deepEqual(toOutcome(attempt), expired);
  assert.deepEqual(await owner('select from idp.passkeys'), []);
});

test('removes for the operator a passkey that is added while the removal waits for the account', async (t) => {
  const { url, database, owner, getEmbedded } = await startPasskeyApp(t);
  const { userId } = await createPasskeyBrowser(url).signUp();
  const passkey = {
    id: 'pkey_1',
    user_id: userId,
    name: 'Phone',
    credential_id: 'x',
    public_key: Buffer.from('x'),
    counter: 0,
    transports: [],
    backed_up: false,
  };
  const outcome = await sendDuringChange(
    { database, owner },
    userId,
    () => getEmbedded().resetSecondFactor(userId),
    (sql) => insertPasskey(sql, passkey),
  );
  assert.equal(outcome, 'done');
  assert.deepEqual(await owner('select from idp.passkeys'), []);
});

test('renames and removes only passkeys of the user', async (t) => {
  const { url, browser, id, authenticator } = await startWithPasskey(t);
  const otherMember = createPasskeyBrowser(url);
  await otherMember.signUp();
  assert.equal((await otherMember.call('PATCH', `/me/passkeys/${id}`, { name: 'Mine' })).status, 404);
  assert.equal((await otherMember.call('DELETE', `/me/passkeys/${id}`)).status, 404);

  const renamed = await browser.call('PATCH', `/me/passkeys/${id}`, { name: ' My phone ' });
  assert.deepEqual([renamed.status, renamed.body.response.name], [200, 'My phone']);
  const overridden = await browser.call('POST', `/me/passkeys/${id}?_method=PATCH`, { name: 'My laptop' });
  assert.equal(overridden.body.response.name, 'My laptop');
  for (const name of ['', '   ', 'x'.repeat(51), 'a\0b'])
    assert.ok([400, 422].includes((await browser.call('PATCH', `/me/passkeys/${id}`, { name })).status), name);

  const removed = await browser.call('POST', `/me/passkeys/${id}?_method=DELETE`, {});
  assert.deepEqual([removed.status, removed.body.response], [200, { id, object: 'passkey', deleted: true }]);
  assert.equal((await browser.call('DELETE', `/me/passkeys/${id}`)).status, 404);
  assert.deepEqual(toOutcome(await signInByPasskey(createPasskeyBrowser(url), authenticator)), rejected);
});

test('requires a recent sign-in or confirmation to add or remove a passkey', async (t) => {
  const { browser, member, id, authenticator, owner } = await startWithPasskey(t);
  await owner(`update idp.sessions set created_at = now() - interval '11 minutes'`);
  const stale = [403, 'session_reverification_required'];
  assert.deepEqual(toOutcome(await browser.call('POST', '/me/passkeys', {})), stale);
  assert.deepEqual(toOutcome(await browser.call('DELETE', `/me/passkeys/${id}`)), stale);

  const path = `/client/sessions/${member.sessionId}/verify`;
  const started = await browser.call('POST', path, {});
  assert.deepEqual(started.body.response.supported_first_factors, [{ strategy: 'password' }, { strategy: 'passkey' }]);
  const prepared = await browser.call('POST', `${path}/prepare_first_factor`, { strategy: 'passkey' });
  const { nonce } = prepared.body.response.first_factor_verification;
  const { allowCredentials } = JSON.parse(nonce) as { allowCredentials: { id: string }[] };
  assert.deepEqual(
    allowCredentials.map((credential) => credential.id),
    [authenticator.credentialId],
  );
  const confirm = (credential: string) =>
    browser.call('POST', `${path}/attempt_first_factor`, { strategy: 'passkey', public_key_credential: credential });
  const confirmed = await confirm(authenticator.sign(nonce));
  assert.deepEqual([confirmed.status, confirmed.body.response.status], [200, 'complete']);
  assert.deepEqual(toOutcome(await confirm(authenticator.sign(nonce))), expired);
  assert.equal((await browser.call('POST', '/me/passkeys', {})).status, 200);
  assert.equal((await browser.call('DELETE', `/me/passkeys/${id}`)).status, 200);
});

test('asks for no second factor after a passkey, which stands for both', async (t) => {
  const { url, member, authenticator, owner } = await startWithPasskey(t);
  await owner(
    `insert into idp.totp_factors (user_id, id, secret, verified_at) values ($1, 'totp_x', 'JBSWY3DPEHPK3PXP', now())`,
    [member.userId],
  );
  const browser = createPasskeyBrowser(url);
  const byPassword = await browser.call('POST', '/client/sign_ins', {
    identifier: member.email,
    password: member.password,
  });
  assert.equal(byPassword.body.response.status, 'needs_second_factor');
  const { body } = await signInByPasskey(browser, authenticator);
  assert.equal(body.response.status, 'complete');
  assert.deepEqual(body.client.sessions[0].factor_verification_age, [0, 0]);

  const sessionId: string = body.response.created_session_id;
  await owner(
    `update idp.sessions set created_at = now() - interval '11 minutes', second_factor_at = now() - interval '11 minutes'
      where id = $1`,
    [sessionId],
  );
  const path = `/client/sessions/${sessionId}/verify`;
  const prepared = await browser.call('POST', `${path}/prepare_first_factor`, { strategy: 'passkey' });
  const confirmed = await browser.call('POST', `${path}/attempt_first_factor`, {
    strategy: 'passkey',
    public_key_credential: authenticator.sign(prepared.body.response.first_factor_verification.nonce),
  });
  assert.equal(confirmed.body.response.status, 'complete');
  assert.deepEqual(confirmed.body.client.sessions[0].factor_verification_age, [0, 0]);
  assert.equal((await browser.call('POST', '/me/passkeys', {})).status, 200);
});

test('allows ten passkeys of a user and each authenticator once', async (t) => {
  const { url, browser, member, authenticator, owner } = await startWithPasskey(t);
  const twice = await requestRegistration(browser);
  assert.deepEqual(toOutcome(await attemptRegistration(browser, twice.id, authenticator.create(twice.nonce))), [
    422,
    'passkey_already_exists',
  ]);
  await owner(
    `insert into idp.passkeys (id, user_id, name, credential_id, public_key, counter, transports, backed_up)
     select 'pkey_' || n, $1, 'x', 'x' || n, 'x', 0, '{}', false from generate_series(1, 8) n`,
    [member.userId],
  );
  const tenth = [await requestRegistration(browser), await requestRegistration(browser)];
  const answers = await Promise.all(
    tenth.map(({ id, nonce }) =>
      attemptRegistration(browser, id, new SoftwareAuthenticator(PASSKEY_SITE).create(nonce)),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422]);
  const full = [422, 'passkey_quota_exceeded'];
  assert.deepEqual(toOutcome(await browser.call('POST', '/me/passkeys', {})), full);
  assert.equal((await createPasskeyBrowser(url).call('POST', '/me/passkeys', {})).status, 401);
});

test('lets the demo account and the sample user neither add nor use a passkey', async (t) => {
  const accounts: { demoAccountId: string | undefined; sampleUserId: string | undefined } = {
    demoAccountId: undefined,
    sampleUserId: undefined,
  };
  const { url } = await startPasskeyApp(t, { accounts });
  for (const name of ['demoAccountId', 'sampleUserId'] as const) {
    const browser = createPasskeyBrowser(url);
    const { userId, sessionId } = await browser.signUp(createEmail());
    const { id, authenticator } = await addPasskey(browser);
    const pending = await requestRegistration(browser);
    accounts[name] = userId;
    const credential = new SoftwareAuthenticator(PASSKEY_SITE).create(pending.nonce);
    const answers = [
      await browser.call('POST', '/me/passkeys', {}),
      await attemptRegistration(browser, pending.id, credential),
      await browser.call('PATCH', `/me/passkeys/${id}`, { name: 'x' }),
      await browser.call('DELETE', `/me/passkeys/${id}`),
      await browser.call('POST', `/client/sessions/${sessionId}/verify/prepare_first_factor`, { strategy: 'passkey' }),
    ];
    for (const answer of answers) assert.deepEqual(toOutcome(answer), [403, 'demo_account'], name);
    assert.deepEqual(toOutcome(await signInByPasskey(createPasskeyBrowser(url), authenticator)), rejected);
  }
});

test('offers passkeys only at localhost and at domains with https', async (t) => {
  assert.deepEqual(findPasskeySite(['https://tally.example:8443']), {
    domain: 'tally.example',
    origin: 'https://tally.example:8443',
  });
  assert.equal(findPasskeySite(['http://127.0.0.1:3000', 'http://localhost:3000'])?.origin, 'http://localhost:3000');
  for (const origin of ['http://tally.example', 'https://192.0.2.1', 'https://[2001:db8::1]', 'http://192.0.2.1:3000'])
    assert.equal(findPasskeySite([origin]), undefined, origin);

  const { url } = await startIdentityApp(t);
  const browser = new TestBrowser(url, SITE);
  const unavailable = [400, 'passkey_invalid_rpID_or_domain'];
  assert.deepEqual(toOutcome(await browser.call('POST', '/client/sign_ins', { strategy: 'passkey' })), unavailable);
  await browser.signUp();
  assert.deepEqual(toOutcome(await browser.call('POST', '/me/passkeys', {})), unavailable);
  const readDomain = async (address: string) => (await sendRequest(`${address}/api/config`, 'GET')).body.passkey_domain;
  assert.deepEqual([await readDomain(url), await readDomain((await startPasskeyApp(t)).url)], [null, 'tally.test']);
});

test('limits attempts of a user and of an address', async (t) => {
  const { url } = await startPasskeyApp(t, { embedded: { limits: { signInPerPerson: 3, signInPerAddress: 4 } } });
  const browser = createPasskeyBrowser(url);
  await browser.signUp();
  const statuses: number[] = [];
  for (let count = 0; count < 4; count += 1) statuses.push((await browser.call('POST', '/me/passkeys', {})).status);
  assert.deepEqual(statuses, [200, 200, 200, 429]);
  const visitor = createPasskeyBrowser(url);
  for (let count = 0; count < 4; count += 1) await startPasskeySignIn(visitor);
  assert.equal((await attemptPasskeySignIn(visitor, 'sia_x', '{}')).status, 429);
});

test('tells the member by mail of an added and a removed passkey', async (t) => {
  const mails = await startMailServer(t);
  const mailer = createSmtpMailer({ url: mails.url, from: 'tally@tally.test', requiresTls: false, timeoutMs: 2_000 });
  const { url, database, identity } = await startPasskeyApp(t, { embedded: { mailer, passwordCost: LOW_COST } });
  const worker = await createJobs(database).startWorker(identity.tasks ?? {});
  t.onTestFinished(() => worker.stop());
  const browser = createPasskeyBrowser(url);
  const { email } = await browser.signUp();
  const { id } = await addPasskey(browser);
  assert.equal((await browser.call('DELETE', `/me/passkeys/${id}`)).status, 200);
  const listSubjects = () => mails.received.filter(({ to }) => to === email).map(({ subject }) => subject);
  await eventually(async () => listSubjects().length === 3);
  assert.deepEqual(listSubjects().slice(1), [
    'A passkey was added to your Tally account',
    'A passkey was removed from your Tally account',
  ]);
});

test('deletes expired challenges and the passkeys of a deleted member', async (t) => {
  const { url, browser, database, owner } = await startWithPasskey(t);
  await startPasskeySignIn(createPasskeyBrowser(url));
  await owner(`update idp.passkey_challenges set expires_at = now() - interval '1 second'`);
  const current = await startPasskeySignIn(createPasskeyBrowser(url));
  const { tasks, schedules } = createStoredIdentityData(database.service);
  for (const { task } of schedules) await tasks[task]!();
  assert.deepEqual(await owner('select id from idp.passkey_challenges'), [{ id: current.id }]);

  await requestRegistration(browser);
  assert.equal((await browser.call('DELETE', '/me')).status, 200);
  assert.deepEqual(await owner('select id from idp.passkeys'), []);
  assert.deepEqual(await owner('select id from idp.passkey_challenges'), [{ id: current.id }]);
});
