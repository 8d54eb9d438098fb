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
} from '../src/embedded/identity/account-events.ts';
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

/**
 * Columns that hold no credential of a member, with the reason. A table stands for all its columns, and `idp.*` for
 * every table of the identity provider. Add a new column here or to the table.
 */
const NO_CREDENTIALS: Readonly<Record<string, string>> = {
  'idp.*.user_id': 'the user',
  'idp.*.email': 'an address',
  'idp.*.status': 'a state',
  'idp.*.purpose': 'a kind of row',
  'idp.*.attempts': 'a count',
  'idp.clients.id': 'a browser, which opens nothing without a session, a known browser or a sign-in',
  'idp.clients.token_hash': 'the cookie of a browser, which opens nothing without a session or a sign-in',
  'idp.invitations.id': 'given out by the operator for accounts that do not exist yet',
  'idp.invitations.code_hash': 'given out by the operator for accounts that do not exist yet',
  'idp.one_time_links.id': 'an identifier, which opens nothing without the secret',
  'idp.one_time_links.sign_in_id': 'the sign-in in which the code was entered',
  'idp.one_time_links.client_id': 'the browser in which the code was entered',
  'idp.passkey_challenges.id': 'an identifier',
  'idp.passkey_challenges.session_id': 'the session that asked for it',
  'idp.passkeys.id': 'an identifier',
  'idp.passkeys.name': 'a name',
  'idp.passkeys.counter': 'a count',
  'idp.passkeys.transports': 'kinds of connection',
  'idp.pending_sign_ins.client_id': 'the browser',
  'idp.sessions.client_id': 'the browser',
  'idp.sessions.ip_address': 'an address',
  'idp.sessions.user_agent': 'the browser',
  'idp.signing_keys.kid': 'an identifier',
  'idp.signing_keys.public_jwk': 'a key of the installation',
  'idp.signing_keys.private_jwk': 'a key of the installation',
  'idp.totp_factors.id': 'an identifier',
  'idp.totp_factors.last_used_step': 'a time',
  'idp.users.id': 'an identifier',
  'idp.users.email_address_id': 'an identifier',
  'idp.users.first_name': 'a name',
  'idp.users.last_name': 'a name',
  'idp.users.public_metadata': 'data of the account',
  'idp.users.private_metadata': 'data of the account',
  'idp.users.unsafe_metadata': 'data of the account',
  'idp.webhook_messages.id': 'an identifier',
  'idp.webhook_messages.type': 'a kind of event',
  'idp.webhook_messages.payload': 'an event, which holds users and sessions as the API shows them',
  'idp.webhook_messages.place': 'a count',
  'bank_sandbox.items': 'sandbox of the bank aggregator, a service of its own',
  'bank_sandbox.link_sessions': 'sandbox of the bank aggregator, a service of its own',
  'bank_sandbox.signing_keys': 'sandbox of the bank aggregator, a service of its own',
  'bank_sandbox.webhook_messages': 'sandbox of the bank aggregator, a service of its own',
  'brokerage_sandbox.authorizations': 'sandbox of the brokerage aggregator, a service of its own',
  'brokerage_sandbox.portals': 'sandbox of the brokerage aggregator, a service of its own',
  'brokerage_sandbox.users': 'sandbox of the brokerage aggregator, a service of its own',
  'brokerage_sandbox.webhook_messages': 'sandbox of the brokerage aggregator, a service of its own',
  'pay_sandbox.idempotency_keys': 'sandbox of the payment provider, a service of its own',
  'pay_sandbox.objects': 'sandbox of the payment provider, a service of its own',
  'pay_sandbox.secrets': 'sandbox of the payment provider, a service of its own',
  'pay_sandbox.webhook_messages': 'sandbox of the payment provider, a service of its own',
  'market.call_leases.result': 'market data',
  'market.dividends.payments': 'market data',
  'market.earnings_cache.reports': 'market data',
  'market.fundamentals.fundamentals': 'market data',
  'market.logos.image': 'market data',
  'market.news_cache.articles': 'market data',
  'market.news_cache.symbols_key': 'market data',
  'market.recent_closes.closes': 'market data',
  'public.alert_settings.unsubscribe_code': 'turns mails of alerts off, and nothing else',
  'public.all_users.referral_link': 'members publish it',
  'public.analytics_events.properties': 'properties from a closed list',
  'public.assistant_messages.failure': 'a message',
  'public.assistant_messages.links': 'a message',
  'public.assistant_messages.parts': 'a message',
  'public.assistant_messages.removed_links': 'a count',
  'public.assistant_messages.usage': 'counts',
  'public.billing_invoices.url': 'a page of the payment provider that shows an invoice',
  'public.brokerage_users.sealed_secret': 'access of the service at the aggregator, which no answer holds',
  'public.connection_attempts.code': 'the reason of a failure',
  'public.connection_revocations.sealed': 'access of the service at the aggregator, which it gives up',
  'public.connection_secrets': 'access of the service at the aggregator, which no answer holds',
  'public.dashboard_layouts.cards': 'an arrangement of cards',
  'public.deleted_members.idp_id_hash': 'hashes of identifiers',
  'public.demo_access_audit.session_id': 'log of the demo account',
  'public.demo_access_invitations.session_id': 'links of the demo account, whose password nobody resets',
  'public.demo_access_invitations.session_outcome': 'links of the demo account, whose password nobody resets',
  'public.demo_access_invitations.session_status': 'links of the demo account, whose password nobody resets',
  'public.demo_access_invitations.ticket_hash': 'links of the demo account, whose password nobody resets',
  'public.demo_access_invitations.ticket_outcome': 'links of the demo account, whose password nobody resets',
  'public.demo_access_invitations.token_id': 'links of the demo account, whose password nobody resets',
  'public.holding_imports.state_after': 'holdings',
  'public.holding_imports.state_before': 'holdings',
  'public.import_columns.header_key': 'hashes of headers of files',
  'public.subscriptions.problem_url': 'a page of the payment provider that takes money',
  'tally.operator_sessions.id_hash': 'sessions of operators',
  'tally.shared_secrets': 'secrets of the installation',
};

const knownStores: readonly string[] = [
  ...new Set([...Object.values(CREDENTIALS).flatMap(({ storedIn }) => storedIn), ...Object.keys(NO_CREDENTIALS)]),
];

/** Returns whether the entry is about the store. */
function isAbout(entry: string, store: string): boolean {
  const [schema, , column] = store.split('.');
  return (
    entry === store ||
    entry === `${schema}.*.${column}` ||
    store.startsWith(`${entry}.`) ||
    entry.startsWith(`${store}.`)
  );
}

/** Returns the stores of the database that have no row in the table of credentials and no reason here. */
const listUnknownStores = async (owner: TestService['database']['owner']): Promise<string[]> =>
  (await listCredentialStores(owner)).filter((store) => !knownStores.some((entry) => isAbout(entry, store)));

test('has a row for everything in the database that can hold a credential', async (t) => {
  const { owner } = await createTestDatabase(t);
  assert.deepEqual(await listUnknownStores(owner), []);
});

test('has rows only for what the database has', async (t) => {
  const { owner } = await createTestDatabase(t);
  const stores = await listCredentialStores(owner);
  assert.deepEqual(
    knownStores.filter((entry) => !stores.some((store) => isAbout(entry, store))),
    [],
  );
});

test('has a row for every purpose of a link that the database has', async (t) => {
  const { owner } = await createTestDatabase(t);
  const purposes = Object.values(CREDENTIALS).flatMap((kind) => ('linkPurposes' in kind ? kind.linkPurposes : []));
  assert.deepEqual(purposes.toSorted(), (await listLinkPurposes(owner)).sort());
});

test('misses the row of a table or column for credentials that is added', async (t) => {
  const { owner } = await createTestDatabase(t);
  await owner('create table idp.door_words (user_id text, word text)');
  await owner('create table public.door_keys (idp_id text, word text)');
  await owner('create table tally.doors (idp_id text, ticket_id uuid)');
  await owner('create table public.doors (idp_id text, opens_with jsonb, door_pin varchar(8))');
  await owner('create schema doors');
  await owner('create table doors.keys (id uuid)');
  await owner('alter table idp.users add column pin text');
  await owner('alter table idp.sessions add column device_token bytea');
  assert.deepEqual(await listUnknownStores(owner), [
    'doors.keys',
    'idp.door_words.word',
    'idp.sessions.device_token',
    'idp.users.pin',
    'public.door_keys',
    'public.doors.door_pin',
    'public.doors.opens_with',
    'tally.doors.ticket_id',
  ]);
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
    (await callBackend(url, 'POST', '/sign_in_tokens', { user_id: userId })).body.token as string | undefined;
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
  const { attempt_id } = await asMember('POST', '/api/connections/start', { kind: 'bank' });
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
  /** Calls a route in a new session, which a ticket of the operator begins. A deleted member has none. */
  const callInNewSession = async (path: string, body: object) => {
    const ticket = await createTicket();
    if (ticket === undefined) return undefined;
    const newBrowser = openBrowser();
    const begun = await newBrowser.call('POST', '/client/sign_ins', { strategy: 'ticket', ticket });
    const token = await newBrowser.token(begun.body.response.created_session_id);
    return sendRequest(url + path, 'POST', body, { authorization: `Bearer ${token}` });
  };
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
    connection_attempts: async () =>
      (await callInNewSession('/api/connections/finish', { attempt_id }))?.body.status === 'pending',
    // A new checkout is answered with 201.
    checkouts: async () => (await callInNewSession('/api/billing/checkout', { tier: 'pro' }))?.status === 200,
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
  app_reset: async ({ userId, state }) => {
    assert.equal(await resetSecondFactor(getProviderContext(), userId), 'done');
    await waitForSubject(state.email, /^Two-step verification was reset/);
  },
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
  const others = all.filter((credential) => credential !== 'pending_sign_ins');
  // A completed sign-in ends those that wait for a code, so these are begun last and tried first.
  for (const credential of [...others, 'pending_sign_ins' as const])
    if (!absent.includes(credential))
      assert.equal(await member.works[credential](false), true, `${credential}, before`);
  await event(member);
  const wrong: string[] = [];
  for (const credential of ['pending_sign_ins' as const, ...others]) {
    if (absent.includes(credential) && !isKept(credential)) continue;
    if ((await member.works[credential](true)) !== isKept(credential))
      wrong.push(`${credential} ${isKept(credential) ? 'ended' : 'works'}`);
  }
  assert.deepEqual(wrong, []);
}

describe('what an event ends', { tags: ['slow'] }, () => {
  let bystander: Member;
  beforeAll(async () => {
    bystander = await createMember(false);
  });

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
      for (const credential of ['password', 'sessions', 'keys_and_tokens', 'passkeys'] as const)
        assert.equal(await bystander.works[credential](true), true, `${credential} of another member`);
    });

  test('ends what the member ticks when the password is changed', async () => {
    const member = await createMember(true);
    const wrong = {
      current_password: 'a wrong password',
      new_password: NEW_PASSWORD,
      revoke_api_keys_and_tokens: 'true',
    };
    assert.equal((await member.browser.call('POST', '/me/change_password', wrong)).status, 422);
    assert.equal(await member.works.keys_and_tokens(true), true, 'a rejected change ends nothing');
    await changePassword(member, { revoke_api_keys_and_tokens: 'true', revoke_passkeys: 'true' });
    assert.deepEqual([await member.works.keys_and_tokens(true), await member.works.passkeys(true)], [false, false]);
  });
});
