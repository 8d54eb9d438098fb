import assert from 'node:assert/strict';
import { generateSync } from 'otplib';
import { test } from 'vitest';
import { confirmEmailByLink, enterCode, readLink, setPasswordByLink } from '../../../test/support/account-links.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { createEmail, LOW_COST, startIdentityApp, TestBrowser } from '../../../test/support/identity.ts';
import { sendDuringChange } from '../../../test/support/locked-account.ts';
import type { TestScope } from '../../../test/support/test-scope.ts';
import { type FakeMailServer, startMailServer } from '../../../test/fakes/mail-server.ts';
import { createJobs } from '../../platform/jobs/jobs.ts';
import type { Task } from '../../platform/jobs/task.ts';
import { createSmtpMailer } from '../../platform/mail/smtp-mailer.ts';
import { createAccountMailTask, SEND_ACCOUNT_MAIL } from './account-mail.ts';
import type { AccountMailText } from './account-mail-texts.ts';
import { createLinkCode } from './one-time-links.ts';
import { enableTotp, storeTotp } from './second-factor-queries.ts';
import { closeOtherSessions } from './session-queries.ts';
import { deleteUser, setNewEmail } from './user-queries.ts';

/** Starts identity with a mail server and a worker that sends to it. */
async function startWithMail(
  t: TestScope,
  limits: { mailsPerRecipientAndHour?: number; mailsPerAddressAndHour?: number } = {},
) {
  const mails = await startMailServer(t);
  const mailer = createSmtpMailer({
    url: mails.url,
    from: 'Tally <tally@tally.test>',
    requiresTls: false,
    timeoutMs: 2_000,
  });
  const many = { signInPerPerson: 1_000, signInPerAddress: 10_000, signUpPerAddress: 10_000 };
  const app = await startIdentityApp(t, {
    embedded: { mailer, passwordCost: LOW_COST, limits: { ...many, ...limits } },
  });
  const worker = await createJobs(app.database).startWorker(app.identity.tasks ?? {});
  t.onTestFinished(() => worker.stop());
  /** Runs waiting retries now, instead of after their delay. */
  const retryNow = () => app.owner(`update graphile_worker._private_jobs set run_at = now() where run_at > now()`);
  return { ...app, mails, retryNow, browser: new TestBrowser(app.url) };
}

const requestReset = (url: string, email: string) =>
  new TestBrowser(url).call('POST', '/client/sign_ins', {
    strategy: 'reset_password_email_code',
    identifier: email,
  });

const signIn = async (url: string, identifier: string, password: string) =>
  (await new TestBrowser(url).call('POST', '/client/sign_ins', { identifier, password })).status;

const unlimited = { consume: () => ({ ok: true }) as const, peek: () => ({ ok: true }) as const, reset() {} };

/** Waits for the mail with this subject to a recipient, and returns the newest one. */
async function waitForSubject(mails: FakeMailServer, to: string, subject: string) {
  const find = () => mails.received.findLast((mail) => mail.to === to && mail.subject === subject);
  await eventually(async () => find() !== undefined);
  return find()!;
}

test('ends every session when a mail’s link sets a new password', async (t) => {
  const { url, browser, mails } = await startWithMail(t);
  const { email, password, sessionId } = await browser.signUp();
  const asked = await requestReset(url, email.toUpperCase());
  assert.deepEqual([asked.status, asked.body.response.status], [200, 'needs_first_factor']);
  const mail = await waitForSubject(mails, email, 'Reset your Tally password');
  assert.match(mail.text, /^Auto-Submitted: auto-generated$/m);
  assert.match(mail.text, /http:\/\/tally\.test\/reset-password#code=/);

  const forgetful = new TestBrowser(url);
  const rejected = await setPasswordByLink(url, mail.text, 'password1', forgetful);
  assert.deepEqual([rejected.status, rejected.body.errors[0].code], [422, 'form_password_pwned']);
  const changed = await setPasswordByLink(url, mail.text, 'a password of my own', forgetful);
  assert.equal(changed.status, 200, 'a rejected password does not use up the link');
  assert.equal((await browser.call('POST', `/client/sessions/${sessionId}/tokens`, {})).status, 401);
  assert.deepEqual([await signIn(url, email, password), await signIn(url, email, 'a password of my own')], [422, 200]);
  const again = await setPasswordByLink(url, mail.text, 'another password of mine');
  assert.deepEqual([again.status, again.body.errors[0].code], [400, 'verification_expired']);
  await waitForSubject(mails, email, 'Your Tally password was changed');
});

test('answers an unknown address like a known one and sends it nothing', async (t) => {
  const { url, browser, mails, owner } = await startWithMail(t);
  const { email } = await browser.signUp();
  await mails.waitForMail(email);
  const unknown = createEmail();
  const toComparable = ({ status, body }: Awaited<ReturnType<typeof requestReset>>, address: string) =>
    JSON.stringify([status, body])
      .replace(address, 'x')
      .replace(/sia_\w+/, 'y');
  const answers = [await requestReset(url, unknown), await requestReset(url, email)];
  assert.equal(toComparable(answers[0]!, unknown), toComparable(answers[1]!, email));
  await waitForSubject(mails, email, 'Reset your Tally password');
  // The queue runs in order, so the unknown address had its turn.
  assert.ok(!mails.received.some(({ to }) => to === unknown));
  const jobs = await owner<{ payload: string }>('select payload::text as payload from graphile_worker._private_jobs');
  assert.ok(!jobs.some(({ payload }) => payload.includes(email)), 'a job holds no address');
});

test('limits mails to one recipient, known or unknown', async (t) => {
  const { url, browser } = await startWithMail(t, { mailsPerRecipientAndHour: 2 });
  const { email } = await browser.signUp();
  const nameForms = (address: string) => [address, address.toUpperCase(), address.replace('@', '+tag@')];
  const gmail = ['ada.lovelace@gmail.com', 'AdaLovelace+tag@googlemail.com', 'a.d.a.lovelace@gmail.com'];
  for (const forms of [nameForms(email), nameForms(createEmail()), gmail]) {
    const statuses: number[] = [];
    for (const form of forms) statuses.push((await requestReset(url, form)).status);
    assert.deepEqual(statuses, [200, 200, 429]);
  }
  // Elsewhere a dot names another person.
  assert.equal((await requestReset(url, email.replace('@', '.x@'))).status, 200);
});

test('opens nothing with a wrong, foreign, expired or malformed link', async (t) => {
  const { url, browser, mails, owner } = await startWithMail(t);
  const { email } = await browser.signUp();
  const verifyMail = await mails.waitForMail(email);
  await requestReset(url, email);
  const mail = await waitForSubject(mails, email, 'Reset your Tally password');
  const { id, secret } = readLink(mail.text);
  const verify = readLink(verifyMail.text);
  const enter = async (signInId: string, code: string) =>
    (await enterCode(new TestBrowser(url), signInId, code)).status;
  for (const code of [
    `${verify.id}.${verify.secret}`,
    `${id}.${secret}x`,
    `${id}.${verify.secret}`,
    `${id}.`,
    id,
    '',
    `link_none.${secret}`,
    `' or true --.${secret}`,
  ])
    assert.equal(await enter('sia_1', code), 400, code);
  assert.equal(await enter("' or true --", `${id}.${secret}`), 400);
  assert.equal(await enter('sia_1', 'x'.repeat(10_000)), 422);
  await owner(`update idp.one_time_links set expires_at = now() - interval '1 second' where id = $1`, [id]);
  assert.equal(await enter('sia_1', `${id}.${secret}`), 400);
});

/** Starts identity with a member who forgot the password, and a code for them. */
async function startWithCode(t: TestScope) {
  const identityApp = await startIdentityApp(t);
  const { userId, email } = await new TestBrowser(identityApp.url).signUp();
  const reset = await identityApp.getEmbedded().resetPassword(userId);
  assert.ok(reset.ok);
  const { id, secret } = readLink(reset.link);
  const choose = (browser: TestBrowser, signInId: string, password = 'a password of my own') =>
    browser.call('POST', `/client/sign_ins/${signInId}/reset_password`, { password });
  return { ...identityApp, email, linkId: id, code: `${id}.${secret}`, choose };
}

test('signs in when a code and then a new password were entered', async (t) => {
  const { url, email, code, choose } = await startWithCode(t);
  const browser = new TestBrowser(url);
  const accepted = await enterCode(browser, 'sia_1', code);
  assert.deepEqual([accepted.status, accepted.body.response.status], [200, 'needs_new_password']);
  assert.deepEqual(accepted.body.client.sign_in, accepted.body.response);
  assert.equal((await browser.call('GET', '/me')).status, 401, 'a code alone signs nobody in');
  const done = await choose(browser, 'sia_1');
  assert.deepEqual([done.status, done.body.response.status], [200, 'complete']);
  assert.equal(done.body.client.last_active_session_id, done.body.response.created_session_id);
  assert.equal((await browser.call('GET', '/me')).body.response.email_addresses[0].email_address, email);
  assert.equal((await choose(browser, 'sia_1')).status, 400);
  assert.equal((await enterCode(new TestBrowser(url), 'sia_2', code)).status, 400);
});

test('sets no password when the code was entered elsewhere, or not at all', async (t) => {
  const { url, code, choose } = await startWithCode(t);
  const browser = new TestBrowser(url);
  assert.equal((await choose(browser, 'sia_1')).status, 400);
  assert.equal((await enterCode(browser, 'sia_1', code)).status, 200);
  const elsewhere = new TestBrowser(url);
  assert.equal((await choose(elsewhere, 'sia_1')).status, 400, 'without a cookie');
  assert.equal((await enterCode(elsewhere, 'sia_1', code)).status, 400, 'the code belongs to the first browser');
  await elsewhere.signUp();
  assert.equal((await choose(elsewhere, 'sia_1')).status, 400, 'with the cookie of another browser');
  assert.equal((await choose(browser, 'sia_2')).status, 400, 'another sign-in of the browser');
  assert.equal((await choose(browser, 'sia_1')).status, 200);
});

test('sets no password when the link expires after its code was entered', async (t) => {
  const { url, owner, linkId, code, choose } = await startWithCode(t);
  const browser = new TestBrowser(url);
  await enterCode(browser, 'sia_1', code);
  await owner(`update idp.one_time_links set expires_at = now() - interval '1 second' where id = $1`, [linkId]);
  assert.equal((await choose(browser, 'sia_1')).status, 400);
});

test('accepts a code in one of several browsers that enter it at once', async (t) => {
  const { url, code, choose } = await startWithCode(t);
  const browsers = Array.from({ length: 4 }, () => new TestBrowser(url));
  const answers = await Promise.all(browsers.map((browser) => enterCode(browser, 'sia_1', code)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400]);
  const chosen = await Promise.all(browsers.map((browser) => choose(browser, 'sia_1')));
  assert.deepEqual(
    chosen.map(({ status }) => status),
    answers.map(({ status }) => status),
  );
});

test('accepts no code in the browser of another signed-in user', async (t) => {
  const { url, code } = await startWithCode(t);
  const browser = new TestBrowser(url);
  await browser.signUp();
  const answer = await enterCode(browser, 'sia_1', code);
  assert.deepEqual([answer.status, answer.body.errors[0].code], [400, 'session_exists']);
});

test('lets one of several concurrent uses of a link set the password', async (t) => {
  const { url, browser, mails } = await startWithMail(t);
  const { email } = await browser.signUp();
  await requestReset(url, email);
  const mail = await waitForSubject(mails, email, 'Reset your Tally password');
  const passwords = Array.from({ length: 6 }, (_none, index) => `a password of mine ${index}`);
  const answers = await Promise.all(passwords.map((password) => setPasswordByLink(url, mail.text, password)));
  const winners = passwords.filter((_password, index) => answers[index]!.status === 200);
  assert.equal(winners.length, 1);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400, 400, 400]);
  assert.equal(await signIn(url, email, winners[0]!), 200);
});

test('confirms the address of a sign-up with a link that a scanner cannot use up', async (t) => {
  const { url, browser, mails } = await startWithMail(t);
  const { email } = await browser.signUp();
  const mail = await mails.waitForMail(email);
  assert.equal(mail.subject, 'Confirm your email for Tally');
  const isVerified = async () =>
    (await browser.call('GET', '/me')).body.response.email_addresses[0].verification?.status === 'verified';
  assert.equal((await fetch(`${url}/_idp/v1/verify?token=x`)).status, 405, 'a read has no effect');
  assert.equal(await isVerified(), false);
  assert.equal((await confirmEmailByLink(browser, mail.text)).status, 200);
  assert.equal(await isVerified(), true);
  assert.equal((await confirmEmailByLink(browser, mail.text)).status, 400);
});

test('signs up at once and delivers the mail later when the mail server fails', async (t) => {
  for (const fault of ['refuses', 'lies', 'hangs'] as const) {
    const { browser, mails, retryNow } = await startWithMail(t);
    mails.fault = fault;
    const { email } = await browser.signUp();
    await eventually(async () => mails.attempts > 0);
    mails.fault = undefined;
    await eventually(async () => {
      await retryNow();
      return mails.received.length > (fault === 'lies' ? 1 : 0);
    });
    const newest = mails.received.at(-1)!;
    assert.equal(newest.to, email);
    assert.equal(
      (await confirmEmailByLink(browser, mails.received[0]!.text)).status,
      200,
      `the first mail works: ${fault}`,
    );
    const ids = new Set(mails.received.map(({ text }) => /^Message-ID: (.*)$/m.exec(text)?.[1]));
    assert.equal(ids.size, 1, 'a receiver can drop the duplicate');
  }
});

test('changes the address once the link to the new one is opened', async (t) => {
  const { url, browser, mails, owner } = await startWithMail(t);
  const { email, password, userId } = await browser.signUp();
  await requestReset(url, email);
  const resetMail = await waitForSubject(mails, email, 'Reset your Tally password');
  const next = createEmail();
  const changed = await browser.call('POST', '/me/email_addresses', { email_address: next });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  const mail = await mails.waitForMail(next);
  const listAddresses = async () =>
    (await browser.call('GET', '/me')).body.response.email_addresses.map(
      (address: { email_address: string }) => address.email_address,
    );
  assert.deepEqual(await listAddresses(), [email, next]);
  assert.equal(await signIn(url, next, password), 422, 'the old address stays until the link is opened');

  assert.equal((await confirmEmailByLink(browser, mail.text)).status, 200);
  assert.deepEqual(await listAddresses(), [next]);
  assert.deepEqual([await signIn(url, email, password), await signIn(url, next, password)], [422, 200]);
  assert.equal(
    (await setPasswordByLink(url, resetMail.text, 'a password of theirs')).status,
    400,
    'old links are void',
  );
  const notice = await waitForSubject(mails, email, 'Your Tally email was changed');
  assert.ok(notice.text.includes(next));
  const [event] = await owner<{ email: string }>(
    `select payload::jsonb #>> '{data,email_addresses,0,email_address}' as email from idp.webhook_messages
      where type = 'user.updated' and payload like '%' || $1 || '%' order by created_at desc limit 1`,
    [userId],
  );
  assert.equal(event!.email, next);
});

test('confirms no address in a browser that is signed out of the account, unless the password is right', async (t) => {
  const { url, browser, mails } = await startWithMail(t);
  const { email, password } = await browser.signUp();
  const mail = await mails.waitForMail(email);
  const stranger = new TestBrowser(url);
  const confirm = async (from: TestBrowser, attempt?: string) => {
    const { status, body } = await confirmEmailByLink(from, mail.text, attempt);
    return [status, body.errors?.[0].code];
  };
  assert.deepEqual(await confirm(stranger), [401, 'signed_out']);
  await stranger.signUp();
  assert.deepEqual(await confirm(stranger), [401, 'signed_out'], 'in the browser of another member');
  assert.deepEqual(await confirm(stranger, 'not the password'), [422, 'form_password_incorrect']);
  assert.deepEqual(await confirm(stranger, password), [200, undefined]);
});

test('accepts no password in place of a sign-in when the account has an authenticator app', async (t) => {
  const { url, browser, mails } = await startWithMail(t);
  const { email, password } = await browser.signUp();
  const mail = await mails.waitForMail(email);
  const { secret } = (await browser.call('POST', '/me/totp', {})).body.response as { secret: string };
  await browser.call('POST', '/me/totp/attempt_verification', { code: generateSync({ secret }) });
  assert.equal((await confirmEmailByLink(new TestBrowser(url), mail.text, password)).status, 401);
  assert.equal((await confirmEmailByLink(browser, mail.text)).status, 200);
});

test('tells the current address of a change when it is asked for, with a link that stops it once', async (t) => {
  const { url, browser, mails } = await startWithMail(t);
  const { email } = await browser.signUp();
  const next = createEmail();
  await browser.call('POST', '/me/email_addresses', { email_address: next });
  const notice = await waitForSubject(mails, email, 'A new email was asked for at Tally');
  assert.ok(notice.text.includes(next));
  assert.match(notice.text, /http:\/\/tally\.test\/stop-email-change#code=/);
  const { id, secret } = readLink(notice.text);
  const stop = () => new TestBrowser(url).call('POST', '/stop_email_change', { token: `${id}.${secret}` });
  assert.equal((await fetch(`${url}/_idp/v1/stop_email_change?token=${id}.${secret}`)).status, 405);
  const mail = await mails.waitForMail(next);
  assert.deepEqual([(await stop()).status, (await stop()).status], [200, 400]);
  assert.equal((await confirmEmailByLink(browser, mail.text)).status, 400);
  assert.equal((await browser.call('GET', '/me')).body.response.email_addresses.length, 1);
});

test('changes no address without a recent sign-in, to a taken one, or after a cancellation', async (t) => {
  const { url, browser, mails, owner } = await startWithMail(t);
  const { email, password, sessionId } = await browser.signUp();
  const other = await new TestBrowser(url).signUp();
  await owner(`update idp.sessions set created_at = now() - interval '11 minutes' where id = $1`, [sessionId]);
  const change = (address: string) => browser.call('POST', '/me/email_addresses', { email_address: address });
  const stale = await change(createEmail());
  assert.deepEqual([stale.status, stale.body.errors[0].code], [403, 'session_reverification_required']);
  const reenter = (attempt: string) =>
    browser.call('POST', `/client/sessions/${sessionId}/verify/attempt_first_factor`, {
      strategy: 'password',
      password: attempt,
    });
  assert.equal((await reenter('not my password')).status, 422);
  assert.equal((await change(createEmail())).status, 403);
  const verified = await reenter(password);
  assert.deepEqual([verified.status, verified.body.response.status], [200, 'complete']);

  const taken = await change(other.email);
  assert.equal(taken.status, 200, 'a taken address is not revealed');
  const mail = await waitForSubject(mails, other.email, 'Confirm your new email for Tally');
  assert.equal((await confirmEmailByLink(browser, mail.text)).status, 400);

  const next = createEmail();
  const { id } = (await change(next)).body.response;
  const cancelMail = await mails.waitForMail(next);
  assert.equal((await browser.call('DELETE', `/me/email_addresses/${id}`)).status, 200);
  assert.equal((await browser.call('DELETE', `/me/email_addresses/${id}`)).status, 404);
  assert.equal((await confirmEmailByLink(browser, cancelMail.text)).status, 400);
  assert.equal((await browser.call('GET', '/me')).body.response.email_addresses[0].email_address, email);
});

test('sends no mail about a user who was deleted in between', async (t) => {
  const { url, browser, mails, database, retryNow } = await startWithMail(t);
  mails.fault = 'refuses';
  const { email, userId } = await browser.signUp();
  await eventually(async () => mails.attempts > 0);
  await deleteUser(database.service, userId);
  mails.fault = undefined;
  const { email: next } = await new TestBrowser(url).signUp();
  await retryNow();
  await mails.waitForMail(next);
  await eventually(
    async () => (await database.service.query('select from graphile_worker._private_jobs')).length === 0,
  );
  assert.ok(!mails.received.some(({ to }) => to === email));
});

test('sends a recipient five mails an hour and keeps room for the reset link when a stranger repeats sign-ups', async (t) => {
  const { url, mails, owner } = await startWithMail(t);
  const email = createEmail();
  const countMails = () => mails.received.filter(({ to }) => to === email).length;
  for (let count = 1; count <= 6; count += 1) {
    const browser = new TestBrowser(url);
    await browser.signUp(count % 2 ? email : email.toUpperCase());
    // The job has run when no job is due.
    await eventually(
      async () => (await owner('select from graphile_worker._private_jobs where run_at <= now()')).length === 0,
    );
    if (count < 6) assert.equal((await browser.call('DELETE', '/me')).status, 200);
  }
  assert.equal(countMails(), 3);
  for (let count = 0; count < 4; count += 1) assert.equal((await requestReset(url, email)).status, 200);
  await waitForSubject(mails, email, 'Reset your Tally password');
  await eventually(
    async () => (await owner('select from graphile_worker._private_jobs where run_at <= now()')).length === 0,
  );
  assert.equal(countMails(), 5);
  const waiting = await owner<{ kind: string }>(
    `select payload ->> 'kind' as kind from graphile_worker._private_jobs order by 1`,
  );
  assert.deepEqual(
    waiting.map(({ kind }) => kind),
    ['reset_password', 'verify_email'],
    'equal mails wait as one, and those of deleted accounts end',
  );
});

/** Mails that a recipient gets in an hour of each kind, if its address is proved except where the mail asks for that. */
const MAILS_PER_HOUR: Readonly<Record<AccountMailText['kind'], number>> = {
  reset_password: 5,
  verify_email: 3,
  change_email: 3,
  email_change_requested: 5,
  password_changed: 5,
  password_reset: 5,
  passkey_added: 5,
  passkey_removed: 5,
  second_factor_on: 5,
  second_factor_off: 5,
  second_factor_reset: 5,
  email_changed: 3,
};

/** Starts identity with a user, and returns a function that runs the task of a mail, and the mails that it sent. */
async function startWithMailTask(t: TestScope) {
  const mails: unknown[] = [];
  const mailer = {
    async send(mail: unknown) {
      mails.push(mail);
    },
  };
  const { url, owner, identity } = await startIdentityApp(t, { embedded: { mailer, passwordCost: LOW_COST } });
  const { userId } = await new TestBrowser(url).signUp();
  const task = identity.tasks![SEND_ACCOUNT_MAIL]! as Task<object>;
  const helpers = { jobId: '1', attempt: 1, maxAttempts: 9, signal: new AbortController().signal };
  return { owner, userId, mails, send: (mail: { kind: string }) => task({ ...mail, userId }, helpers) };
}

test.for(Object.entries(MAILS_PER_HOUR))(
  'sends a recipient at most five mails an hour when they are all of the kind %s',
  async ([kind, expected], t) => {
    const { owner, userId, mails, send } = await startWithMailTask(t);
    await owner(
      `update idp.users set new_email = 'new@example.com', new_email_id = 'idn_new',
              email_verified_at = case when $2 then null else now() end where id = $1`,
      [userId, kind === 'verify_email'],
    );
    const mail = { kind, formerEmail: 'old@example.com' };
    for (let count = 0; count < 7; count += 1) await send(mail);
    assert.equal(mails.length, expected);
  },
);

test('sends a recipient five mails an hour when they are of several kinds', async (t) => {
  const { owner, userId, mails, send } = await startWithMailTask(t);
  await owner('update idp.users set email_verified_at = now() where id = $1', [userId]);
  const kinds = ['reset_password', 'password_changed', 'passkey_added', 'passkey_removed', 'second_factor_on'];
  for (const kind of [...kinds, ...kinds]) await send({ kind });
  assert.equal(mails.length, 5);
});

test('sends a mailbox five mails an hour when its addresses have different tags', async (t) => {
  const { owner, userId, mails, send } = await startWithMailTask(t);
  for (let count = 0; count < 7; count += 1) {
    await owner(
      `update idp.users set email = 'Ada+' || $2 || '@example.com', email_verified_at = now() where id = $1`,
      [userId, String(count)],
    );
    await send({ kind: 'password_changed' });
  }
  assert.equal(mails.length, 5);
  await owner(`update idp.users set email = '+tag@example.com' where id = $1`, [userId]);
  await send({ kind: 'password_changed' });
  assert.equal(mails.length, 6, 'an address that begins with its tag has a mailbox of its own');
});

test('sends no link that waits when the password changes before', async (t) => {
  const { url, owner } = await startIdentityApp(t, {
    embedded: { mailer: { async send() {} }, passwordCost: LOW_COST },
  });
  const browser = new TestBrowser(url);
  const { email, password } = await browser.signUp();
  assert.equal((await requestReset(url, email)).status, 200);
  const listWaiting = async () =>
    (await owner<{ kind: string }>(`select payload ->> 'kind' as kind from graphile_worker._private_jobs`)).map(
      ({ kind }) => kind,
    );
  assert.deepEqual((await listWaiting()).sort(), ['reset_password', 'verify_email']);
  const fields = { current_password: password, new_password: 'a password of my own' };
  assert.equal((await browser.call('POST', '/me/change_password', fields)).status, 200);
  assert.deepEqual(await listWaiting(), ['password_changed']);
});

test('confirms no address by password when an authenticator app is turned on before', async (t) => {
  const { url, database, owner } = await startIdentityApp(t);
  const { userId, email, password } = await new TestBrowser(url).signUp();
  const code = await createLinkCode(database.service, { user_id: userId, purpose: 'verify_email', email });
  const confirmation = await sendDuringChange(
    { database, owner },
    userId,
    () => new TestBrowser(url).call('POST', '/verify', { token: code, password }),
    async (sql) => {
      await storeTotp(sql, { id: 'totp_1', user_id: userId, secret: 'JBSWY3DPEHPK3PXP' });
      await enableTotp(sql, userId);
    },
  );
  assert.equal(confirmation.status, 400);
  assert.equal((await owner('select from idp.users where email_verified_at is not null')).length, 0);
});

test('confirms no address in a browser that is signed out before', async (t) => {
  const { url, database, owner } = await startIdentityApp(t);
  const browser = new TestBrowser(url);
  const { userId, email } = await browser.signUp();
  const code = await createLinkCode(database.service, { user_id: userId, purpose: 'verify_email', email });
  const confirmation = await sendDuringChange(
    { database, owner },
    userId,
    () => browser.call('POST', '/verify', { token: code }),
    (sql) => closeOtherSessions(sql, userId, null),
  );
  assert.equal(confirmation.status, 401);
  assert.equal((await owner('select from idp.users where email_verified_at is not null')).length, 0);
});

test('ends quietly when the user is deleted while the link is stored', async (t) => {
  const { url, database, owner } = await startIdentityApp(t);
  const { userId } = await new TestBrowser(url).signUp();
  const sent: unknown[] = [];
  const send = createAccountMailTask({
    sql: database.service,
    mailer: {
      async send(mail) {
        sent.push(mail);
      },
    },
    limits: { all: unlimited, toUnproved: unlimited },
    origin: url,
  });
  const helpers = { jobId: '1', attempt: 1, maxAttempts: 9, signal: new AbortController().signal };
  await sendDuringChange(
    { database, owner },
    userId,
    () => send({ kind: 'verify_email', userId }, helpers),
    (sql) => deleteUser(sql, userId),
  );
  assert.deepEqual(sent, []);
});

test('sends the link to a new address only when the current one was told of the change', async (t) => {
  const { url, database, owner } = await startIdentityApp(t);
  const { userId } = await new TestBrowser(url).signUp();
  await setNewEmail(database.service, userId, createEmail(), 'idn_new');
  let isRefused = true;
  const send = createAccountMailTask({
    sql: database.service,
    mailer: {
      async send() {
        if (isRefused) throw new Error('the mail server refuses it');
      },
    },
    limits: { all: unlimited, toUnproved: unlimited },
    origin: url,
  });
  const lastAttempt = { jobId: '1', attempt: 9, maxAttempts: 9, signal: new AbortController().signal };
  const tell = () => send({ kind: 'email_change_requested', userId }, lastAttempt);
  const listKinds = async () => {
    const jobs = await owner<{ payload: { kind: string } }>('select payload from graphile_worker._private_jobs');
    return jobs.map(({ payload }) => payload.kind);
  };
  await tell();
  assert.ok(!(await listKinds()).includes('change_email'));
  isRefused = false;
  await tell();
  assert.ok((await listKinds()).includes('change_email'));
});

test('says that the operator gives out links when there is no mail server', async (t) => {
  const { url, identity } = await startIdentityApp(t);
  const browser = new TestBrowser(url);
  const { email } = await browser.signUp();
  const asked = await requestReset(url, email);
  assert.deepEqual([asked.status, asked.body.errors[0].code], [400, 'strategy_for_user_invalid']);
  assert.equal((await browser.call('POST', '/me/email_addresses', { email_address: createEmail() })).status, 400);
  assert.equal(identity.provider.recovery, 'operator');
});
