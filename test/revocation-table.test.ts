import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { createLinkCode } from '../src/embedded/identity/one-time-links.ts';
import { resetPassword } from '../src/embedded/identity/reset-password.ts';
import { resetSecondFactor } from '../src/embedded/identity/change-second-factor.ts';
import {
  ACCOUNT_EVENTS,
  type AccountEventName,
  type Credential,
  CREDENTIALS,
  getEffect,
} from '../src/embedded/identity/revoke-credentials.ts';
import { createKeyRing } from '../src/embedded/identity/signing-keys.ts';
import { describeRevocation, replaceRevocationTable } from '../tools/describe-revocation.ts';
import { type FakeMailServer, startMailServer } from './fakes/mail-server.ts';
import { confirmEmailByLink, enterCode, readLink, setPasswordByLink } from './support/account-links.ts';
import { listCredentialStores, listLinkPurposes } from './support/credential-stores.ts';
import { createTestDatabase } from './support/database.ts';
import { DistantBrowser } from './support/distant-browser.ts';
import { eventually } from './support/eventually.ts';
import {
  type ApiResponse,
  callBackend,
  createEmail,
  SECRET_KEY,
  sendRequest,
  type TestBrowser,
} from './support/identity.ts';
import {
  addPasskey,
  attemptRegistration,
  PASSKEY_SITE,
  requestRegistration,
  signInByPasskey,
} from './support/passkeys.ts';
import { startService, type TestService } from './support/service.ts';
import { createScope } from './support/test-scope.ts';
import { SoftwareAuthenticator } from './support/authenticator.ts';

/** Tables and columns that hold no credential of a member, with the reason. Add a new one here or to the table. */
const NO_CREDENTIALS: Readonly<Record<string, string>> = {
  'idp.clients': 'the cookie of a browser, which opens nothing without a session, a known browser or a sign-in',
  'idp.invitations': 'given out by the operator for accounts that do not exist yet',
  'idp.signing_keys': 'keys of the installation',
  'idp.webhook_messages': 'events',
  'public.brokerage_users': 'access of the service at the aggregator, which no answer holds',
  'public.connection_secrets': 'access of the service at the aggregator, which no answer holds',
  'public.connection_revocations': 'access of the service at the aggregator, which it gives up',
  'public.deleted_members': 'hashes of identifiers',
  'public.demo_access_audit': 'log of the demo account',
  'public.demo_access_invitations': 'links of the demo account, whose password nobody resets',
  'public.all_users': 'the referral link, which members publish',
};

/** Columns of a user that open nothing. */
const PROFILE = new Set([
  'id',
  'email',
  'email_address_id',
  'email_verified_at',
  'password_updated_at',
  'first_name',
  'last_name',
  'public_metadata',
  'private_metadata',
  'unsafe_metadata',
  'created_at',
  'updated_at',
  'last_sign_in_at',
  'last_active_at',
]);

const knownStores: ReadonlySet<string> = new Set([
  ...Object.values(CREDENTIALS).flatMap(({ storedIn }) => storedIn),
  ...Object.keys(NO_CREDENTIALS),
]);

/** Returns the stores of the database that have no row in the table of credentials and no reason here. */
const listUnknownStores = async (owner: TestService['database']['owner']): Promise<string[]> =>
  (await listCredentialStores(owner)).filter(
    (store) => !knownStores.has(store) && !PROFILE.has(store.replace('idp.users.', '')),
  );

test('has a row for everything in the database that can hold a credential', async (t) => {
  const { owner } = await createTestDatabase(t);
  assert.deepEqual(await listUnknownStores(owner), []);
});

test('has rows only for what the database has', async (t) => {
  const { owner } = await createTestDatabase(t);
  const stores = await listCredentialStores(owner);
  assert.deepEqual(
    [...knownStores].filter((store) => !stores.includes(store)),
    [],
  );
});

test('knows every purpose of a link that the database has', async (t) => {
  const { owner } = await createTestDatabase(t);
  assert.deepEqual((await listLinkPurposes(owner)).sort(), [
    'change_email',
    'operator_reset',
    'reset_password',
    'stop_email_change',
    'verify_email',
  ]);
});

test('misses the row of a table or column for credentials that is added', async (t) => {
  const { owner } = await createTestDatabase(t);
  await owner('create table idp.door_words (user_id text, word text)');
  await owner('create table public.door_keys (idp_id text, door_secret text)');
  await owner('alter table idp.users add column pin text');
  assert.deepEqual(await listUnknownStores(owner), ['idp.door_words', 'idp.users.pin', 'public.door_keys']);
});

test('shows the table in the documentation as the code has it', () => {
  const page = readFileSync(new URL('../docs/explanation/security.md', import.meta.url), 'utf8');
  assert.equal(replaceRevocationTable(page), page, 'run npm run generate');
  for (const { name } of Object.values(CREDENTIALS)) assert.ok(describeRevocation().includes(`| ${name} |`), name);
});

const NEW_PASSWORD = 'a password of my own';

let service: TestService;
let mails: FakeMailServer;
const scope = createScope();
beforeAll(async () => {
  mails = await startMailServer(scope);
  const settings = {
    BASE_URL: PASSKEY_SITE,
    IDP_SECRET_KEY: SECRET_KEY,
    SANDBOX: 'on',
    TRUSTED_PROXIES: '127.0.0.1',
    SMTP_URL: mails.url,
    MAIL_FROM: 'Tally <tally@tally.test>',
  };
  // A member gets more mails here than within an hour outside of tests.
  const limits = { mailsPerRecipientAndHour: 100, mailsToUnprovedPerRecipientAndHour: 100 };
  service = await startService(settings, undefined, { embeddedIdentity: { limits } });
});
afterAll(async () => {
  await service.stop();
  await scope.end();
});

const openBrowser = () => new DistantBrowser(service.url, PASSKEY_SITE);
const owner = <Row extends object>(text: string, values?: unknown[]) => service.database.owner<Row>(text, values);
const getStatus = async (answer: Promise<{ status: number }>): Promise<number> => (await answer).status;

/** Waits for the mail with this subject to a recipient. */
async function waitForSubject(to: string, subject: RegExp) {
  const find = () => mails.received.findLast((mail) => mail.to === to && subject.test(mail.subject));
  await eventually(() => find() !== undefined);
  return find()!;
}

/**
 * Creates a member with every credential and every pending grant, and returns for each whether it works. What works once
 * exists twice: `before` tries one and `after` the other.
 */
async function createMember(hasApp: boolean) {
  const { url } = service;
  const browser = openBrowser();
  const { userId, sessionId, email, password } = await browser.signUp();
  const state = { email, password };
  const confirmation = await waitForSubject(email, /^Confirm your email/);

  let secret = '';
  let codes: string[] = [];
  const turnAppOn = async () => {
    secret = (await browser.call('POST', '/me/totp', {})).body.response.secret;
    const on = await browser.call('POST', '/me/totp/attempt_verification', { code: generateSync({ secret }) });
    assert.equal(on.status, 200, JSON.stringify(on.body));
    codes = on.body.response.backup_codes;
  };
  if (hasApp) await turnAppOn();
  const nextCode = async () => {
    await owner('update idp.totp_factors set last_used_step = null where user_id = $1', [userId]);
    return generateSync({ secret });
  };
  const enterPassword = (from: TestBrowser, attempt = state.password) =>
    from.call('POST', '/client/sign_ins', { identifier: state.email, password: attempt });
  const enterFactor = (from: TestBrowser, id: string, strategy: string, code: string) =>
    from.call('POST', `/client/sign_ins/${id}/attempt_second_factor`, { strategy, code });
  /** Signs in with password and factor, and returns whether both were asked for and accepted. */
  const signIn = async (from: TestBrowser, strategy: string, code: string): Promise<ApiResponse | undefined> => {
    const first = await enterPassword(from);
    if (first.status !== 200 || first.body.response.status !== 'needs_second_factor') return undefined;
    const second = await enterFactor(from, first.body.response.id, strategy, code);
    return second.status === 200 ? second : undefined;
  };

  const other = openBrowser();
  const signedIn = hasApp ? (await signIn(other, 'totp', await nextCode()))! : await enterPassword(other);
  const otherId = signedIn.body.response.created_session_id as string;
  const waiting = openBrowser();
  let waitingId = '';
  const createTicket = async () =>
    (await callBackend(url, 'POST', '/sign_in_tokens', { user_id: userId })).body.token as string;
  const tickets = [await createTicket(), await createTicket()];
  const jwt = await browser.token(sessionId);
  const asMember = async (method: string, path: string, body?: object) => {
    const answer = await sendRequest(url + path, method, body, { authorization: `Bearer ${jwt}` });
    assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { key } = await asMember('POST', '/api/api-keys', { name: 'Laptop' });
  const { token } = await asMember('POST', '/api/assistant/tokens', { name: 'Laptop' });
  await asMember('POST', '/api/billing/checkout', { tier: 'pro' });
  await asMember('POST', '/api/connections/start', { kind: 'bank' });
  const { authenticator } = await addPasskey(browser);
  const registration = await requestRegistration(browser);
  const next = createEmail();
  await browser.call('POST', '/me/email_addresses', { email_address: next });
  const change = await waitForSubject(next, /^Confirm your new email/);
  const notice = await waitForSubject(email, /^A new email was asked for/);
  await openBrowser().call('POST', '/client/sign_ins', { strategy: 'reset_password_email_code', identifier: email });
  const resetMail = await waitForSubject(email, /^Reset your/);
  const sql = service.database.database.service;
  const operatorLink = await createLinkCode(sql, { user_id: userId, purpose: 'operator_reset', email });
  const resetBrowser = openBrowser();
  const operatorBrowser = openBrowser();
  const { id: resetId, secret: resetSecret } = readLink(resetMail.text);
  const isOpen = async (table: string, states: string[], column: string) =>
    (await owner(`select from public.${table} where idp_id = $1 and ${column} = any ($2)`, [userId, states])).length >
    0;
  /** A usable link asks a stranger for the password, and one that has ended is refused. */
  const isUsable = async (text: string) => (await getStatus(confirmEmailByLink(openBrowser(), text))) === 401;

  const works: Record<Credential, (isAfter: boolean) => Promise<boolean>> = {
    password: async () => (await getStatus(enterPassword(openBrowser(), password))) === 200,
    sessions: async () => (await getStatus(other.call('POST', `/client/sessions/${otherId}/tokens`, {}))) === 200,
    tickets: async (isAfter) => {
      const ticket = tickets[Number(isAfter)];
      return (await getStatus(openBrowser().call('POST', '/client/sign_ins', { strategy: 'ticket', ticket }))) === 200;
    },
    keys_and_tokens: async () => {
      const headers = { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' };
      const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
      const isTokenUsable = (await getStatus(sendRequest(`${url}/mcp`, 'POST', ping, headers))) === 200;
      const keyHeaders = { 'x-api-key': key as string, 'svc-version': '2023-06-01' };
      const useKey = () => getStatus(sendRequest(`${url}/v1/models`, 'GET', undefined, keyHeaders));
      // A server may accept an API key for five seconds after it has read it.
      await eventually(
        async () => ((await useKey()) === 200) === isTokenUsable,
        () => `the API key is ${isTokenUsable ? '' : 'not '}accepted, as the MCP token`,
      );
      return isTokenUsable;
    },
    passkeys: async () => (await getStatus(signInByPasskey(openBrowser(), authenticator))) === 200,
    passkey_challenges: async (isAfter) => {
      if (!isAfter) return true;
      const credential = new SoftwareAuthenticator(PASSKEY_SITE).create(registration.nonce);
      return (await getStatus(attemptRegistration(browser, registration.id, credential))) === 200;
    },
    app: async () => (await signIn(openBrowser(), 'totp', await nextCode())) !== undefined,
    recovery_codes: async (isAfter) =>
      (await signIn(openBrowser(), 'backup_code', codes[Number(isAfter)]!)) !== undefined,
    known_browsers: async () =>
      (
        await owner(
          `select from idp.known_devices d join idp.sessions s on s.client_id = d.client_id
            where s.id = $1 and d.user_id = s.user_id`,
          [otherId],
        )
      ).length > 0,
    pending_sign_ins: async (isAfter) => {
      if (!isAfter) waitingId = (await enterPassword(waiting)).body.response.id;
      return (await getStatus(enterFactor(waiting, waitingId, 'totp', 'wrong'))) === 422;
    },
    reset_links: async () => {
      const statuses = [
        await getStatus(enterCode(resetBrowser, 'sia_1', `${resetId}.${resetSecret}`)),
        await getStatus(enterCode(operatorBrowser, 'sia_2', operatorLink)),
      ];
      assert.equal(statuses[0], statuses[1]);
      return statuses[0] === 200;
    },
    confirmation_links: () => isUsable(confirmation.text),
    address_change: async (isAfter) => {
      const isChangeable = await isUsable(change.text);
      if (!isAfter) return isChangeable;
      const { id, secret: stopSecret } = readLink(notice.text);
      const stop = openBrowser().call('POST', '/stop_email_change', { token: `${id}.${stopSecret}` });
      assert.equal((await getStatus(stop)) === 200, isChangeable, 'the link that stops the change');
      return isChangeable;
    },
    connection_attempts: () => isOpen('connection_attempts', ['open'], 'state'),
    checkouts: () => isOpen('billing_checkouts', ['creating', 'open'], 'status'),
  };
  return { browser, userId, next, state, works, change, confirmation, resetBrowser, turnAppOn };
}

type Member = Awaited<ReturnType<typeof createMember>>;

const getProviderContext = () => {
  const sql = service.database.database.service;
  const accounts = { demoAccountId: undefined, sampleUserId: undefined };
  return { sql, keys: createKeyRing(sql), homeOrigin: PASSKEY_SITE, accounts, sendsMail: true };
};

const confirmAddress = (userId: string) =>
  owner('update idp.users set email_verified_at = now() where id = $1', [userId]);

async function resetByMail({ resetBrowser, state }: Member): Promise<void> {
  // The code was entered in this browser when the link was tried.
  const done = await resetBrowser.call('POST', '/client/sign_ins/sia_1/reset_password', { password: NEW_PASSWORD });
  assert.equal(done.status, 200, JSON.stringify(done.body));
  state.password = NEW_PASSWORD;
}

async function changePassword({ browser, state }: Member, ticks: Record<string, string> = {}): Promise<void> {
  const change = { current_password: state.password, new_password: NEW_PASSWORD, sign_out_of_other_sessions: 'false' };
  const changed = await browser.call('POST', '/me/change_password', { ...change, ...ticks });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  state.password = NEW_PASSWORD;
}

const events: Record<AccountEventName, (member: Member) => Promise<unknown>> = {
  reset_by_mail: async (member) => {
    await confirmAddress(member.userId);
    await resetByMail(member);
  },
  reset_by_mail_unproved: resetByMail,
  reset_by_operator: async ({ userId, state }) => {
    const reset = await resetPassword(getProviderContext(), userId);
    assert.ok(reset.ok);
    assert.equal((await setPasswordByLink(service.url, reset.link, NEW_PASSWORD, openBrowser())).status, 200);
    state.password = NEW_PASSWORD;
  },
  password_change: (member) => changePassword(member),
  address_confirmed: async ({ browser, confirmation }) =>
    assert.equal((await confirmEmailByLink(browser, confirmation.text)).status, 200),
  address_changed: async ({ browser, change, next, state }) => {
    assert.equal((await confirmEmailByLink(browser, change.text)).status, 200);
    state.email = next;
  },
  app_on: (member) => member.turnAppOn(),
  app_off: async ({ browser }) => assert.equal((await browser.call('DELETE', '/me/totp')).status, 200),
  app_reset: async ({ userId }) => assert.equal(await resetSecondFactor(getProviderContext(), userId), 'done'),
  deletion: async ({ browser, userId }) => {
    assert.equal((await browser.call('DELETE', '/me')).status, 200);
    // The rows of the service go when the event is delivered.
    await eventually(
      async () => (await owner('select from public.all_users where idp_id = $1', [userId])).length === 0,
    );
  },
};

const FACTOR: readonly Credential[] = ['app', 'recovery_codes', 'pending_sign_ins'];

/** Asserts that every credential works before the event, and after it as `isKept` says. */
async function assertEffects(
  member: Member,
  event: (member: Member) => Promise<unknown>,
  { absent, isKept }: { absent: readonly Credential[]; isKept: (credential: Credential) => boolean },
): Promise<void> {
  const all = Object.keys(CREDENTIALS) as Credential[];
  for (const credential of all)
    if (!absent.includes(credential))
      assert.equal(await member.works[credential](false), true, `${credential}, before`);
  await event(member);
  const wrong: string[] = [];
  // A completed sign-in ends the others that wait for a code, so these are tried first.
  for (const credential of ['pending_sign_ins' as const, ...all.filter((name) => name !== 'pending_sign_ins')]) {
    if (absent.includes(credential) && !isKept(credential)) continue;
    if ((await member.works[credential](true)) !== isKept(credential))
      wrong.push(`${credential} ${isKept(credential) ? 'ended' : 'works'}`);
  }
  assert.deepEqual(wrong, []);
}

describe('what an event ends', { tags: ['slow'] }, () => {
  for (const event of Object.keys(ACCOUNT_EVENTS) as AccountEventName[])
    test(`ends what the table says when the event is ${event}`, async () => {
      const absent = event === 'app_on' ? FACTOR : [];
      const member = await createMember(event !== 'app_on');
      await assertEffects(member, events[event], {
        absent,
        isKept: (credential) => ['stays', 'if ticked'].includes(getEffect(event, credential)),
      });
      const isSpared = getEffect(event, 'sessions') !== 'ends';
      assert.equal((await member.browser.call('GET', '/me')).status, isSpared ? 200 : 401, 'the browser of the change');
    });

  test('ends what the member ticks when the password is changed', async () => {
    const member = await createMember(true);
    await changePassword(member, { revoke_api_keys_and_tokens: 'true', revoke_passkeys: 'true' });
    assert.deepEqual([await member.works.keys_and_tokens(true), await member.works.passkeys(true)], [false, false]);
  });
});
