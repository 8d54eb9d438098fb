import assert from 'node:assert/strict';
import { generateSync } from 'otplib';
import { test } from 'vitest';
import { enterCode, readLink } from '../../../test/support/account-links.ts';
import { type ApiResponse, callBackend, startIdentityApp, TestBrowser } from '../../../test/support/identity.ts';
import { sendDuringChange } from '../../../test/support/locked-account.ts';
import type { TestScope } from '../../../test/support/test-scope.ts';
import { createLogger } from '../../platform/http/logger.ts';
import {
  deletePendingSignIns,
  deleteRecoveryCodes,
  deleteTotp,
  enableTotp,
  storeTotp,
} from './second-factor-queries.ts';

type Settings = Parameters<typeof startIdentityApp>[1];

const now = (): number => Math.floor(Date.now() / 1000);
const getCode = (response: ApiResponse): string => response.body.errors?.[0]?.code;
/** Returns a code that is wrong at present. */
const createWrongCode = (secret: string): string => {
  const right = [-60, -30, 0, 30, 60].map((seconds) => generateSync({ secret, epoch: now() + seconds }));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.includes(code))!;
};

/** Starts identity with a member whose second factor is on. `nextCode` returns a code that was not used yet. */
async function startWithFactor(t: TestScope, settings?: Settings) {
  const identityApp = await startIdentityApp(t, settings);
  const browser = new TestBrowser(identityApp.url);
  const person = await browser.signUp();
  const created = await browser.call('POST', '/me/totp', {});
  const { secret } = created.body.response as { secret: string };
  const enabled = await browser.call('POST', '/me/totp/attempt_verification', { code: generateSync({ secret }) });
  assert.equal(enabled.status, 200, JSON.stringify(enabled.body));
  const codes = enabled.body.response.backup_codes as string[];
  /** Makes the code of this time step usable again, since a test does not wait for the next. */
  const nextCode = async (): Promise<string> => {
    await identityApp.owner('update idp.totp_factors set last_used_step = null where user_id = $1', [person.userId]);
    return generateSync({ secret });
  };
  const enterPassword = (from: TestBrowser, password = person.password) =>
    from.call('POST', '/client/sign_ins', { identifier: person.email, password });
  return { ...identityApp, browser, person, created, enabled, secret, codes, nextCode, enterPassword };
}

/** Enters a code in a sign-in that waits for it. */
const enterSecondFactor = (browser: TestBrowser, id: string, strategy: 'totp' | 'backup_code', code: string) =>
  browser.call('POST', `/client/sign_ins/${id}/attempt_second_factor`, { strategy, code });

test('turns the factor on with a code and shows ten recovery codes once', async (t) => {
  const { browser, person, created, enabled, secret, codes, owner } = await startWithFactor(t);
  assert.equal(created.body.response.verified, false);
  assert.equal(
    created.body.response.uri,
    `otpauth://totp/Tally:${encodeURIComponent(person.email)}?secret=${secret}&issuer=Tally`,
  );
  assert.equal(enabled.body.response.verified, true);
  assert.equal('secret' in enabled.body.response, false);
  assert.equal(new Set(codes).size, 10);
  for (const code of codes) assert.match(code, /^[a-z2-9]{6}(-[a-z2-9]{6}){3}$/);
  const me = (await browser.call('GET', '/me')).body.response;
  assert.deepEqual([me.totp_enabled, me.two_factor_enabled, me.backup_code_enabled], [true, true, true]);
  assert.equal(JSON.stringify(me).includes(secret), false);
  const [stored] = await owner<{ text: string }>('select string_agg(r::text, $1) as text from idp.recovery_codes r', [
    '',
  ]);
  assert.equal(stored!.text.includes(codes[0]!), false, 'only hashes are stored');
  const [event] = await owner<{ payload: string }>(
    `select payload from idp.webhook_messages where type = 'user.updated' order by created_at desc limit 1`,
  );
  assert.equal(JSON.parse(event!.payload).data.totp_enabled, true);
  assert.equal(event!.payload.includes(secret), false);
});

test('leaves the factor off when the code is wrong and when none was entered', async (t) => {
  const { url } = await startIdentityApp(t);
  const browser = new TestBrowser(url);
  const { email, password } = await browser.signUp();
  const verify = (code: string) => browser.call('POST', '/me/totp/attempt_verification', { code });
  assert.equal(getCode(await verify('123456')), 'totp_not_enabled');
  const { secret } = (await browser.call('POST', '/me/totp', {})).body.response;
  for (const code of [createWrongCode(secret), '', '12345', 'abcdef', '1'.repeat(100), '١٢٣٤٥٦'])
    assert.equal(getCode(await verify(code)), 'form_code_incorrect', code);
  assert.equal((await browser.call('GET', '/me')).body.response.totp_enabled, false);
  const { secret: newSecret } = (await browser.call('POST', '/me/totp', {})).body.response;
  assert.notEqual(newSecret, secret);
  assert.equal(getCode(await verify(generateSync({ secret }))), 'form_code_incorrect', 'the former secret is void');
  const signIn = await new TestBrowser(url).call('POST', '/client/sign_ins', { identifier: email, password });
  assert.equal(signIn.body.response.status, 'complete');
});

test('starts a session only after password and code', async (t) => {
  const { url, enterPassword, nextCode } = await startWithFactor(t);
  const other = new TestBrowser(url);
  const { response, client } = (await enterPassword(other)).body;
  assert.deepEqual(
    [response.status, response.created_session_id, response.supported_second_factors],
    ['needs_second_factor', null, [{ strategy: 'totp' }, { strategy: 'backup_code' }]],
  );
  assert.deepEqual([client.sign_in.id, client.sessions], [response.id, []]);
  assert.equal((await other.call('GET', '/me')).status, 401, 'the password alone signs nobody in');
  const done = await enterSecondFactor(other, response.id, 'totp', await nextCode());
  assert.deepEqual([done.status, done.body.response.status], [200, 'complete']);
  const [session] = done.body.client.sessions;
  assert.deepEqual([session.id, session.factor_verification_age], [done.body.response.created_session_id, [0, 0]]);
  assert.equal((await other.call('GET', '/me')).status, 200);
  assert.equal((await enterSecondFactor(other, response.id, 'totp', await nextCode())).status, 400, 'signed in');
});

test('accepts no code a second time, also in another sign-in', async (t) => {
  const { url, enterPassword, nextCode, secret } = await startWithFactor(t);
  const code = await nextCode();
  const first = new TestBrowser(url);
  const second = new TestBrowser(url);
  const firstId = (await enterPassword(first)).body.response.id;
  const secondId = (await enterPassword(second)).body.response.id;
  assert.equal((await enterSecondFactor(first, firstId, 'totp', code)).status, 200);
  const again = await enterPassword(second);
  for (const id of [secondId, again.body.response.id])
    assert.notEqual((await enterSecondFactor(second, id, 'totp', code)).status, 200);
  // The code of the step before the last one is void too.
  const earlier = generateSync({ secret, epoch: now() - 30 });
  assert.equal(
    getCode(await enterSecondFactor(second, again.body.response.id, 'totp', earlier)),
    'form_code_incorrect',
  );
});

test('accepts only codes within one time step', async (t) => {
  const { url, enterPassword, owner, secret } = await startWithFactor(t);
  const tryCode = async (seconds: number) => {
    await owner('update idp.totp_factors set last_used_step = null');
    const browser = new TestBrowser(url);
    const { id } = (await enterPassword(browser)).body.response;
    const code = generateSync({ secret, epoch: now() + seconds });
    return (await enterSecondFactor(browser, id, 'totp', code)).status;
  };
  assert.deepEqual([await tryCode(-120), await tryCode(120)], [422, 422]);
  assert.deepEqual([await tryCode(-20), await tryCode(20)], [200, 200]);
});

test('accepts a recovery code once, however it is typed', async (t) => {
  const { url, enterPassword, codes, owner } = await startWithFactor(t);
  const [code = '', other = ''] = codes;
  const browser = new TestBrowser(url);
  const { id } = (await enterPassword(browser)).body.response;
  const typed = ` ${code.toUpperCase().replaceAll('-', ' ')} `;
  assert.equal((await enterSecondFactor(browser, id, 'backup_code', typed)).status, 200);
  const next = new TestBrowser(url);
  const nextId = (await enterPassword(next)).body.response.id;
  assert.equal(getCode(await enterSecondFactor(next, nextId, 'backup_code', code)), 'form_code_incorrect');
  assert.equal((await enterSecondFactor(next, nextId, 'backup_code', other)).status, 200);
  assert.equal((await owner('select 1 from idp.recovery_codes')).length, 8);
});

test('lets one of several concurrent uses of a recovery code or an app’s code in', async (t) => {
  const { url, enterPassword, codes, nextCode } = await startWithFactor(t);
  for (const [strategy, code] of [
    ['backup_code', codes[0]!],
    ['totp', await nextCode()],
  ] as const) {
    const browsers = Array.from({ length: 4 }, () => new TestBrowser(url));
    const ids: string[] = [];
    for (const browser of browsers) ids.push((await enterPassword(browser)).body.response.id);
    const answers = await Promise.all(
      browsers.map((browser, index) => enterSecondFactor(browser, ids[index]!, strategy, code)),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1, strategy);
  }
});

test('ends a sign-in after five wrong codes or ten minutes', async (t) => {
  const { url, enterPassword, nextCode, secret, owner } = await startWithFactor(t);
  const browser = new TestBrowser(url);
  const { id } = (await enterPassword(browser)).body.response;
  const wrong = createWrongCode(secret);
  const answers = [];
  for (let i = 0; i < 5; i += 1) answers.push(getCode(await enterSecondFactor(browser, id, 'totp', wrong)));
  assert.deepEqual(answers, [...Array.from({ length: 4 }, () => 'form_code_incorrect'), 'verification_failed']);
  assert.equal(getCode(await enterSecondFactor(browser, id, 'totp', await nextCode())), 'verification_failed');
  const nextId = (await enterPassword(browser)).body.response.id;
  await owner(`update idp.pending_sign_ins set expires_at = now() - interval '1 second'`);
  assert.equal(getCode(await enterSecondFactor(browser, nextId, 'totp', await nextCode())), 'resource_not_found');
});

test('finds no sign-in when another request completes it while a code waits for the account', async (t) => {
  const lines: string[] = [];
  const logger = createLogger('warn', { write: (line) => lines.push(line) });
  const { url, enterPassword, nextCode, person, ...sql } = await startWithFactor(t, { logger });
  const browser = new TestBrowser(url);
  const { id } = (await enterPassword(browser)).body.response;
  const code = await nextCode();
  const late = await sendDuringChange(
    sql,
    person.userId,
    () => enterSecondFactor(browser, id, 'totp', code),
    (transaction) => deletePendingSignIns(transaction, person.userId),
  );
  assert.deepEqual([late.status, getCode(late)], [404, 'resource_not_found']);
  assert.deepEqual(lines, [], 'no failed sign-in of an address');
});

test('asks for the second factor when it is turned on while a password waits for the account', async (t) => {
  const { url, ...sql } = await startIdentityApp(t);
  const { userId, email, password } = await new TestBrowser(url).signUp();
  const signIn = await sendDuringChange(
    sql,
    userId,
    () => new TestBrowser(url).call('POST', '/client/sign_ins', { identifier: email, password }),
    async (transaction) => {
      await storeTotp(transaction, { id: 'totp_1', user_id: userId, secret: 'JBSWY3DPEHPK3PXP' });
      await enableTotp(transaction, userId);
    },
  );
  assert.equal(signIn.body.response.status, 'needs_second_factor');
});

test('stores no recovery codes when the factor is turned off while they wait for the account', async (t) => {
  const { browser, person, ...sql } = await startWithFactor(t);
  const renewal = await sendDuringChange(
    sql,
    person.userId,
    () => browser.call('POST', '/me/backup_codes', {}),
    async (transaction) => {
      await deleteTotp(transaction, person.userId);
      await deleteRecoveryCodes(transaction, person.userId);
    },
  );
  assert.equal(getCode(renewal), 'totp_not_enabled');
  assert.deepEqual(await sql.owner('select from idp.recovery_codes'), []);
});

test('accepts no code for the sign-in of another browser or without one', async (t) => {
  const { url, enterPassword, nextCode } = await startWithFactor(t);
  const browser = new TestBrowser(url);
  const { id } = (await enterPassword(browser)).body.response;
  const code = await nextCode();
  const elsewhere = new TestBrowser(url);
  assert.equal((await enterSecondFactor(elsewhere, id, 'totp', code)).status, 404, 'without a cookie');
  await enterPassword(elsewhere);
  assert.equal((await enterSecondFactor(elsewhere, id, 'totp', code)).status, 404, 'with a sign-in of its own');
  for (const unknown of ['sia_none', encodeURIComponent("' or true --"), 'x'.repeat(150)])
    assert.equal((await enterSecondFactor(browser, unknown, 'totp', code)).status, 404, unknown);
  const unreadable = await browser.call('POST', `/client/sign_ins/${id}/attempt_second_factor`, {
    strategy: 'sms',
    code,
  });
  assert.equal(unreadable.status, 422);
  assert.equal((await enterSecondFactor(browser, id, 'totp', code)).status, 200);
});

test('locks the codes of an account for the hour in every browser', async (t) => {
  const limits = { signInPerPerson: 1_000, signInPerAddress: 10_000, codesPerHour: 6 };
  const { url, enterPassword, browser, person, nextCode, secret } = await startWithFactor(t, {
    embedded: { limits, passwordCost: { memory: 8, passes: 1 } },
  });
  const stranger = await enterPassword(new TestBrowser(url), 'not the password');
  assert.equal(getCode(stranger), 'form_password_or_identifier_incorrect', 'a stranger reaches no code');
  await browser.call('POST', `/client/sessions/${person.sessionId}/end`, {});
  const wrong = createWrongCode(secret);
  const known = await enterPassword(browser);
  const prepared = [browser, new TestBrowser(url), new TestBrowser(url)];
  const ids = [known.body.response.id];
  for (const other of prepared.slice(1)) ids.push((await enterPassword(other)).body.response.id);
  const statuses: number[] = [];
  for (const [index, other] of prepared.entries())
    for (let n = 0; n < 4; n += 1) statuses.push((await enterSecondFactor(other, ids[index], 'totp', wrong)).status);
  assert.deepEqual(statuses, [...Array.from({ length: 6 }, () => 422), ...Array.from({ length: 6 }, () => 429)]);
  const locked = await enterSecondFactor(browser, ids[0], 'totp', await nextCode());
  assert.deepEqual([locked.status, getCode(locked)], [429, 'too_many_requests']);
});

test('signs out and forgets every other browser when the factor is turned on', async (t) => {
  const { url, owner } = await startIdentityApp(t);
  const browser = new TestBrowser(url);
  const { email, password } = await browser.signUp();
  const other = new TestBrowser(url);
  assert.equal((await other.call('POST', '/client/sign_ins', { identifier: email, password })).status, 200);
  const { secret } = (await browser.call('POST', '/me/totp', {})).body.response as { secret: string };
  const enabled = await browser.call('POST', '/me/totp/attempt_verification', { code: generateSync({ secret }) });
  assert.equal(enabled.status, 200);
  assert.deepEqual([(await browser.call('GET', '/me')).status, (await other.call('GET', '/me')).status], [200, 401]);
  assert.equal((await owner('select from idp.known_devices')).length, 1);
});

test('ends a sign-in that waits for the factor when the factor is turned off', async (t) => {
  const { url, browser, enterPassword, nextCode, owner } = await startWithFactor(t);
  const waiting = new TestBrowser(url);
  const { id } = (await enterPassword(waiting)).body.response;
  const off = await browser.call('DELETE', '/me/totp');
  assert.deepEqual([off.status, off.body.response.deleted], [200, true]);
  assert.equal((await enterSecondFactor(waiting, id, 'totp', await nextCode())).status, 404);
  assert.equal((await owner('select 1 from idp.recovery_codes')).length, 0);
  assert.equal((await enterPassword(new TestBrowser(url))).body.response.status, 'complete');
  assert.equal(getCode(await browser.call('POST', '/me/totp?_method=DELETE', {})), 'totp_not_enabled');
  assert.equal(getCode(await browser.call('POST', '/me/backup_codes', {})), 'totp_not_enabled');
});

test('replaces the recovery codes and voids the former ones', async (t) => {
  const { url, browser, enterPassword, codes } = await startWithFactor(t);
  assert.equal(getCode(await browser.call('POST', '/me/totp', {})), 'totp_already_enabled');
  const renewed = (await browser.call('POST', '/me/backup_codes/', {})).body.response;
  assert.equal(renewed.object, 'backup_code');
  const other = new TestBrowser(url);
  const { id } = (await enterPassword(other)).body.response;
  assert.equal((await enterSecondFactor(other, id, 'backup_code', codes[0]!)).status, 422);
  assert.equal((await enterSecondFactor(other, id, 'backup_code', renewed.codes[0])).status, 200);
});

test('changes the factor only within ten minutes after password and code', async (t) => {
  const { browser, person, nextCode, owner, secret } = await startWithFactor(t);
  const { sessionId, password } = person;
  await owner(`update idp.sessions set created_at = now() - interval '11 minutes'`);
  const verify = (step: string, form: object) =>
    browser.call('POST', `/client/sessions/${sessionId}/verify${step}`, form);
  const enterFactor = async (code: string) => verify('/attempt_second_factor', { strategy: 'totp', code });
  assert.equal((await verify('', {})).body.response.level, 'multi_factor');
  assert.equal(getCode(await enterFactor(await nextCode())), 'session_verification_missing', 'a code alone');
  const first = await verify('/attempt_first_factor', { strategy: 'password', password });
  assert.equal(first.body.response.status, 'needs_second_factor');
  assert.equal((await browser.call('DELETE', '/me/totp')).status, 403, 'the password alone');
  assert.equal(getCode(await enterFactor(createWrongCode(secret))), 'form_code_incorrect');
  assert.equal((await enterFactor(await nextCode())).body.response.status, 'complete');
  assert.equal((await browser.call('DELETE', '/me/totp')).status, 200);
});

test('asks for the factor when the password was reset', async (t) => {
  const { url, person, getEmbedded, enterPassword, nextCode } = await startWithFactor(t);
  const waiting = new TestBrowser(url);
  const waitingId = (await enterPassword(waiting)).body.response.id;
  const reset = await getEmbedded().resetPassword(person.userId);
  assert.ok(reset.ok);
  assert.equal((await enterSecondFactor(waiting, waitingId, 'totp', await nextCode())).status, 404);
  const { id, secret } = readLink(reset.link);
  const browser = new TestBrowser(url);
  assert.equal((await enterCode(browser, 'sia_1', `${id}.${secret}`)).status, 200);
  const chosen = await browser.call('POST', '/client/sign_ins/sia_1/reset_password', {
    password: 'a password of my own',
  });
  assert.equal(chosen.body.response.status, 'needs_second_factor');
  assert.equal((await browser.call('GET', '/me')).status, 401, 'the link alone signs nobody in');
  const done = await enterSecondFactor(browser, chosen.body.response.id, 'totp', await nextCode());
  assert.equal(done.body.response.status, 'complete');
});

test('asks for no second factor when a ticket signs in', async (t) => {
  const { url, person } = await startWithFactor(t);
  const { token } = (await callBackend(url, 'POST', '/sign_in_tokens', { user_id: person.userId })).body;
  const answer = await new TestBrowser(url).call('POST', '/client/sign_ins', { strategy: 'ticket', ticket: token });
  assert.equal(answer.body.response.status, 'complete');
});

test('removes the factor and the passkeys for the operator and ends every session', async (t) => {
  const { url, browser, person, getEmbedded, enterPassword, owner } = await startWithFactor(t);
  await owner(
    `insert into idp.passkeys (id, user_id, name, credential_id, public_key, counter, transports, backed_up)
     values ('pkey_1', $1, 'Mine', 'x', 'x', 0, '{}', false)`,
    [person.userId],
  );
  const provider = getEmbedded();
  assert.equal(await provider.resetSecondFactor(person.userId), 'done');
  assert.equal((await owner('select 1 from idp.passkeys')).length, 0);
  assert.equal((await browser.call('GET', '/me')).status, 401);
  assert.equal((await enterPassword(new TestBrowser(url))).body.response.status, 'complete');
  assert.equal(await provider.resetSecondFactor(person.userId), 'no_second_factor');
  assert.equal(await provider.resetSecondFactor('user_none'), 'external_provider');
});
