// @module-tag slow
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  ACCOUNT_EVENTS,
  type AccountEventName,
  type Credential,
  CREDENTIALS,
  getEffect,
} from '../src/embedded/identity/account-events.ts';
import { resetSecondFactor } from '../src/embedded/identity/change-second-factor.ts';
import { createLinkCode } from '../src/embedded/identity/one-time-links.ts';
import { resetPassword } from '../src/embedded/identity/reset-password.ts';
import { createKeyRing } from '../src/embedded/identity/signing-keys.ts';
import { startMailServer } from './fakes/mail-server.ts';
import { enterCode } from './support/account-links.ts';
import { SoftwareAuthenticator } from './support/authenticator.ts';
import { DistantBrowser } from './support/distant-browser.ts';
import {
  type ApiResponse,
  callBackend,
  createEmail,
  LOW_COST,
  SECRET_KEY,
  sendRequest,
  type TestBrowser,
} from './support/identity.ts';
import {
  addPasskey,
  attemptPasskeySignIn,
  attemptRegistration,
  PASSKEY_SITE,
  requestRegistration,
  signInByPasskey,
  startPasskeySignIn,
} from './support/passkeys.ts';
import { startService, type TestService } from './support/service.ts';
import { runsLongTests } from './support/long-tests.ts';
import { createScope } from './support/test-scope.ts';

const NEW_PASSWORD = 'a password of my own';
/** Rounds in which an event and the requests start at once. */
const ROUNDS = runsLongTests ? 8 : 1;
/** The same of requests that have rounds of their own, where they compete with no others. */
const ROUNDS_ALONE = runsLongTests ? 3 : 1;
/** Requests of one kind in a round, spread over the time of the event. */
const REQUESTS = 3;

let service: TestService;
const scope = createScope();
beforeAll(async () => {
  const mails = await startMailServer(scope);
  const settings = {
    BASE_URL: PASSKEY_SITE,
    IDP_SECRET_KEY: SECRET_KEY,
    TRUSTED_PROXIES: '127.0.0.1',
    SMTP_URL: mails.url,
    MAIL_FROM: 'Tally <tally@tally.test>',
  };
  // A limit would refuse requests that the race is about.
  const embeddedIdentity = { passwordCost: LOW_COST, limits: { signInPerPerson: 1_000 } };
  service = await startService(settings, undefined, { embeddedIdentity });
});
afterAll(async () => {
  await service.stop();
  await scope.end();
});

/** Returns the response. Throws for an internal error, as after a deadlock. */
function assertNoError(response: ApiResponse): ApiResponse {
  assert.notEqual(response.status, 500, JSON.stringify(response.body));
  return response;
}

class RacingBrowser extends DistantBrowser {
  override async call(...request: Parameters<DistantBrowser['call']>): Promise<ApiResponse> {
    return assertNoError(await super.call(...request));
  }
}

const openBrowser = () => new RacingBrowser(service.url, PASSKEY_SITE);
const owner = <Row extends object>(text: string, values?: unknown[]) => service.database.owner<Row>(text, values);
const hasRow = async (text: string, values: unknown[]) => (await owner(text, values)).length > 0;
const getProviderContext = () => {
  const sql = service.database.database.service;
  const accounts = { demoAccountId: undefined, sampleUserId: undefined };
  return { sql, keys: createKeyRing(sql), homeOrigin: PASSKEY_SITE, accounts, sendsMail: true };
};

/** Creates a member with the browser that makes the event, and with another one whose session the event ends. */
async function createMember() {
  const browser = openBrowser();
  const member = { browser, ...(await browser.signUp()) };
  return { ...member, other: await signInByPassword(member) };
}

type Member = Awaited<ReturnType<typeof createMember>>;

async function signInByPassword({ email, password }: { email: string; password: string }) {
  const browser = openBrowser();
  const { body } = await browser.call('POST', '/client/sign_ins', { identifier: email, password });
  return { browser, sessionId: body.response?.created_session_id as string | undefined, signInId: body.response?.id };
}

const isSignedIn = async (browser: TestBrowser, sessionId: string) =>
  (await browser.call('POST', `/client/sessions/${sessionId}/tokens`, {})).status === 200;

/** Turns the authenticator app on, and signs the other browser in again, which that signs out. */
async function turnAppOn(member: Member): Promise<void> {
  const { secret } = (await member.browser.call('POST', '/me/totp', {})).body.response;
  const enter = (browser: TestBrowser, path: string, fields: object) =>
    browser.call('POST', path, { ...fields, code: generateSync({ secret }) });
  assert.equal((await enter(member.browser, '/me/totp/attempt_verification', {})).status, 200);
  await owner('update idp.totp_factors set last_used_step = null where user_id = $1', [member.userId]);
  const { browser, signInId } = await signInByPassword(member);
  const second = await enter(browser, `/client/sign_ins/${signInId}/attempt_second_factor`, { strategy: 'totp' });
  assert.equal(second.status, 200, JSON.stringify(second.body));
  member.other = { browser, signInId, sessionId: second.body.response.created_session_id };
}

/** Sends a request of the other browser to an API of members. */
async function createAsOther({ other }: Member, path: string) {
  const token = await other.browser.recentToken(other.sessionId!);
  const headers = { authorization: `Bearer ${token}` };
  const { body } = assertNoError(await sendRequest(service.url + path, 'POST', { name: 'Laptop' }, headers));
  return body as { key?: string; token?: string };
}

/** Returns whether what a request created works, or what it removed is gone. */
type IsUsable = () => Promise<boolean>;

interface Creator {
  name: string;
  /** The credential that the requests need. Once an event has ended that, they may create and remove nothing. */
  uses: Credential;
  /** Set if it disturbs other requests, so that it has rounds of its own. */
  alone?: true;
  /** Set if the member has the authenticator app. */
  withApp?: true;
  /** Prepares a member. Returns functions that send a request each, and return nothing if it is rejected. */
  prepare(member: Member): Promise<readonly (() => Promise<IsUsable | undefined>)[]>;
}

const repeat = <T>(create: () => T): (() => T)[] => Array.from({ length: REQUESTS }, () => create);

/** What requests create of each kind, or why none creates one with a credential that an event ends. */
const creators: Record<Credential, readonly Creator[] | string> = {
  password: [
    {
      name: 'password',
      uses: 'sessions',
      alone: true,
      prepare: async ({ other, email, password }) => [
        async () => {
          const stolen = { current_password: password, new_password: 'a password of a stranger' };
          if ((await other.browser.call('POST', '/me/change_password', stolen)).status !== 200) return undefined;
          return async () => (await signInByPassword({ email, password: stolen.new_password })).sessionId !== undefined;
        },
      ],
    },
  ],
  sessions: [
    {
      name: 'session by password',
      uses: 'password',
      prepare: async (member) =>
        repeat(async () => {
          const { browser, sessionId } = await signInByPassword(member);
          return sessionId === undefined ? undefined : () => isSignedIn(browser, sessionId);
        }),
    },
    {
      name: 'session by ticket',
      uses: 'tickets',
      prepare: async ({ userId }) => {
        const { body } = await callBackend(service.url, 'POST', '/sign_in_tokens', { user_id: userId });
        return [
          async () => {
            const browser = openBrowser();
            const signIn = { strategy: 'ticket', ticket: body.token as string };
            const { status, body: signedIn } = await browser.call('POST', '/client/sign_ins', signIn);
            return status === 200 ? () => isSignedIn(browser, signedIn.response.created_session_id) : undefined;
          },
        ];
      },
    },
    {
      name: 'session by passkey',
      uses: 'passkeys',
      alone: true,
      prepare: async (member) => {
        const { authenticator } = await addPasskey(member.browser);
        return Promise.all(
          repeat(openBrowser).map(async (open) => {
            const browser = open();
            const { id, nonce } = await startPasskeySignIn(browser);
            return async () => {
              const { status, body } = await attemptPasskeySignIn(browser, id, authenticator.sign(nonce));
              return status === 200 ? () => isSignedIn(browser, body.response.created_session_id) : undefined;
            };
          }),
        );
      },
    },
  ],
  tickets: 'The operator creates them with the key of the installation.',
  keys_and_tokens: [
    {
      name: 'API key',
      uses: 'sessions',
      prepare: async (member) =>
        repeat(async () => {
          const { key } = await createAsOther(member, '/api/api-keys');
          if (key === undefined) return undefined;
          const headers = { 'x-api-key': key, 'svc-version': '2023-06-01' };
          return async () => (await sendRequest(`${service.url}/v1/models`, 'GET', undefined, headers)).status === 200;
        }),
    },
    {
      name: 'MCP token',
      uses: 'sessions',
      prepare: async (member) =>
        repeat(async () => {
          const { token } = await createAsOther(member, '/api/assistant/tokens');
          if (token === undefined) return undefined;
          const headers = { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' };
          const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
          return async () => (await sendRequest(`${service.url}/mcp`, 'POST', ping, headers)).status === 200;
        }),
    },
  ],
  passkeys: [
    {
      name: 'passkey',
      // In the browser that makes the event too, whose session may stay.
      uses: 'passkey_challenges',
      prepare: ({ browser: own, other }) =>
        Promise.all(
          [own, other.browser].map(async (browser) => {
            const { id, nonce } = await requestRegistration(browser);
            const authenticator = new SoftwareAuthenticator(PASSKEY_SITE);
            const credential = authenticator.create(nonce);
            return async () => {
              if ((await attemptRegistration(browser, id, credential)).status !== 200) return undefined;
              return async () => (await signInByPasskey(openBrowser(), authenticator)).status === 200;
            };
          }),
        ),
    },
  ],
  passkey_challenges: [
    {
      name: 'passkey being added',
      uses: 'sessions',
      prepare: async ({ other: { browser } }) => [
        async () => {
          const { status, body } = await browser.call('POST', '/me/passkeys', {});
          if (status !== 200) return undefined;
          const { id, verification } = body.response;
          const credential = new SoftwareAuthenticator(PASSKEY_SITE).create(verification.nonce);
          return async () => (await attemptRegistration(browser, id, credential)).status === 200;
        },
      ],
    },
  ],
  app: [
    {
      name: 'app',
      uses: 'sessions',
      alone: true,
      prepare: async ({ other: { browser }, userId }) => {
        const { secret } = (await browser.call('POST', '/me/totp', {})).body.response;
        return [
          async () => {
            const code = generateSync({ secret });
            const { status } = await browser.call('POST', '/me/totp/attempt_verification', { code });
            if (status !== 200) return undefined;
            return () => hasRow('select from idp.totp_factors where user_id = $1', [userId]);
          },
        ];
      },
    },
    {
      name: 'app that waits for its first code',
      uses: 'sessions',
      prepare: async ({ other: { browser }, userId }) => [
        async () => {
          const { status, body } = await browser.call('POST', '/me/totp', {});
          if (status !== 200) return undefined;
          const values = [userId, body.response.secret];
          return () => hasRow('select from idp.totp_factors where user_id = $1 and secret = $2', values);
        },
      ],
    },
  ],
  recovery_codes: [
    {
      name: 'recovery codes',
      uses: 'sessions',
      alone: true,
      withApp: true,
      prepare: async ({ other: { browser }, userId }) =>
        repeat(async () => {
          if ((await browser.call('POST', '/me/backup_codes', {})).status !== 200) return undefined;
          return () => hasRow('select from idp.recovery_codes where user_id = $1', [userId]);
        }),
    },
  ],
  known_browsers: [
    {
      name: 'known browser',
      uses: 'password',
      prepare: async (member) =>
        repeat(async () => {
          const { sessionId } = await signInByPassword(member);
          const selectKnownBrowser = `select from idp.known_devices d join idp.sessions s on s.client_id = d.client_id
            where s.id = $1 and d.user_id = s.user_id`;
          return sessionId === undefined ? undefined : () => hasRow(selectKnownBrowser, [sessionId]);
        }),
    },
  ],
  pending_sign_ins: [
    {
      name: 'sign-in that waits for a code',
      uses: 'password',
      alone: true,
      withApp: true,
      prepare: async (member) =>
        repeat(async () => {
          const { browser, sessionId, signInId } = await signInByPassword(member);
          if (signInId === undefined || sessionId) return undefined;
          const path = `/client/sign_ins/${signInId}/attempt_second_factor`;
          return async () => (await browser.call('POST', path, { strategy: 'totp', code: 'wrong' })).status === 422;
        }),
    },
  ],
  reset_links: 'Anybody may ask for one, and only the mailbox of the member or the operator has it.',
  confirmation_links: 'It goes to the mailbox of the member, and opens nothing without a session or the password.',
  address_change: [
    {
      name: 'change of address',
      uses: 'sessions',
      prepare: async ({ other: { browser }, userId }) => [
        async () => {
          const email = createEmail();
          if ((await browser.call('POST', '/me/email_addresses', { email_address: email })).status !== 200)
            return undefined;
          return () => hasRow('select from idp.users where id = $1 and new_email = $2', [userId, email]);
        },
      ],
    },
  ],
  connection_attempts: CREDENTIALS.connection_attempts.staysBecause,
  checkouts: CREDENTIALS.checkouts.staysBecause,
};

const removals: readonly Creator[] = [
  {
    name: 'deletion of the account',
    uses: 'sessions',
    alone: true,
    prepare: async ({ other: { browser }, userId }) => [
      async () => {
        if ((await browser.call('DELETE', '/me')).status !== 200) return undefined;
        return async () => !(await hasRow('select from idp.users where id = $1', [userId]));
      },
    ],
  },
];

/** Prepares an event. Returns a function that makes it and returns whether it happened. */
type PrepareEvent = (member: Member) => Promise<() => Promise<boolean>>;

const prepareResetByMail: PrepareEvent = async ({ userId, email }) => {
  const link = { user_id: userId, purpose: 'reset_password', email } as const;
  const code = await createLinkCode(service.database.database.service, link);
  const browser = openBrowser();
  assert.equal((await enterCode(browser, 'sia_1', code)).status, 200);
  return async () => {
    const path = '/client/sign_ins/sia_1/reset_password';
    return (await browser.call('POST', path, { password: NEW_PASSWORD })).status === 200;
  };
};

/** The events that end sessions. The others leave every session the right to create. */
const events: Partial<Record<AccountEventName, PrepareEvent>> = {
  reset_by_mail: async (member) => {
    await owner('update idp.users set email_verified_at = now() where id = $1', [member.userId]);
    return prepareResetByMail(member);
  },
  reset_by_mail_unproved: prepareResetByMail,
  reset_by_operator:
    async ({ userId }) =>
    async () =>
      (await resetPassword(getProviderContext(), userId)).ok,
  password_change:
    async ({ browser, password }) =>
    async () => {
      const change = { current_password: password, new_password: NEW_PASSWORD };
      const ticks = { revoke_api_keys_and_tokens: 'true', revoke_passkeys: 'true' };
      return (await browser.call('POST', '/me/change_password', { ...change, ...ticks })).status === 200;
    },
  app_on: async ({ browser }) => {
    const { secret } = (await browser.call('POST', '/me/totp', {})).body.response;
    return async () => {
      const code = generateSync({ secret });
      return (await browser.call('POST', '/me/totp/attempt_verification', { code })).status === 200;
    };
  },
  app_reset: async ({ userId }) => {
    // The operator removes nothing from a member without an app and passkeys.
    await owner(
      `insert into idp.passkeys (id, user_id, name, credential_id, public_key, counter, transports, backed_up)
       values ('pkey_' || $1, $1, 'Phone', 'credential-of-' || $1, '\\x00', 0, '{}', false)`,
      [userId],
    );
    return async () => (await resetSecondFactor(getProviderContext(), userId)) === 'done';
  },
  deletion:
    async ({ browser }) =>
    async () =>
      (await browser.call('DELETE', '/me')).status === 200,
};

const isEnded = (event: AccountEventName, credential: Credential) => getEffect(event, credential) !== 'stays';
const endingEvents = (Object.keys(ACCOUNT_EVENTS) as AccountEventName[]).filter((event) => isEnded(event, 'sessions'));

/** Returns whether the event ends what the requests need. With an app, the password alone opens no account. */
const endsMeans = (event: AccountEventName, { uses }: Creator): boolean =>
  isEnded(event, uses) || (event === 'app_on' && uses === 'password');

/** Returns the creators whose means and product the event ends, in groups that do not disturb each other. */
function listGroups(event: AccountEventName): (readonly Creator[])[] {
  const ended = Object.entries(creators).flatMap(([credential, list]) =>
    typeof list !== 'string' && isEnded(event, credential as Credential) ? list : [],
  );
  const raced = [...ended, ...removals].filter(
    (creator) => endsMeans(event, creator) && !(event === 'app_on' && creator.withApp),
  );
  return [raced.filter(({ alone }) => !alone), ...raced.filter(({ alone }) => alone).map((creator) => [creator])];
}

/** Duration of the last event in ms, over which the requests of the next round are spread. */
let eventMs = 100;

type Order = 'requests first' | 'event first' | 'at once';

/**
 * Makes the event and the requests of a new member, in this order. Returns whether the event happened, the creators whose
 * requests were accepted, and those whose product works after the event.
 */
async function race(event: AccountEventName, group: readonly Creator[], order: Order) {
  const member = await createMember();
  if (group.some(({ withApp }) => withApp)) await turnAppOn(member);
  const requests: { name: string; create: () => Promise<IsUsable | undefined> }[] = [];
  for (const { name, prepare } of group) for (const create of await prepare(member)) requests.push({ name, create });
  const prepared = await events[event]!(member);
  await member.other.browser.recentToken(member.other.sessionId!);
  const spreadMs = order === 'at once' ? eventMs : 0;
  const sendAll = () =>
    Promise.all(
      requests.map(async ({ name, create }) => {
        await sleep(Math.random() * 1.5 * spreadMs);
        return { name, isUsable: await create() };
      }),
    );
  const makeEvent = async (): Promise<boolean> => {
    await sleep(Math.random() * spreadMs);
    const startedAt = performance.now();
    const happened = await prepared();
    eventMs = performance.now() - startedAt;
    return happened;
  };
  let sending: ReturnType<typeof sendAll> | undefined;
  if (order !== 'event first') sending = sendAll();
  if (order === 'requests first') await sending;
  const happened = await makeEvent();
  const created = (await (sending ?? sendAll())).filter(({ isUsable }) => isUsable !== undefined);
  const usable: string[] = [];
  if (happened) for (const { name, isUsable } of created) if (await isUsable!()) usable.push(name);
  return { happened, created: new Set(created.map(({ name }) => name)), usable };
}

const listNames = (list: readonly Creator[]): string[] => list.map(({ name }) => name).sort();

test('has requests or a reason for every kind of credential, and each event that ends sessions', () => {
  assert.deepEqual(Object.keys(creators).sort(), Object.keys(CREDENTIALS).sort());
  assert.deepEqual(Object.keys(events).sort(), endingEvents.sort());
});

test('races every request with some event', () => {
  const all = [...Object.values(creators).flatMap((list) => (typeof list === 'string' ? [] : list)), ...removals];
  const raced = new Set(endingEvents.flatMap((event) => listGroups(event).flat()));
  assert.deepEqual(listNames([...raced]), listNames(all));
});

describe('what a request creates or removes while an event ends the credential that it needs', () => {
  test.for(endingEvents)('does not outlive the event when that is %s', async (event) => {
    const survivors: string[] = [];
    let eventsAtOnce = 0;
    for (const group of listGroups(event)) {
      const rounds = group.some(({ alone }) => alone) ? ROUNDS_ALONE : ROUNDS;
      const orders: Order[] = [
        'requests first',
        'event first',
        ...Array.from({ length: rounds }, () => 'at once' as const),
      ];
      for (const order of orders) {
        const { happened, created, usable } = await race(event, group, order);
        if (order === 'requests first') assert.deepEqual([...created].sort(), listNames(group));
        if (order === 'event first') assert.ok(happened);
        if (order === 'at once' && happened) eventsAtOnce += 1;
        survivors.push(...usable.map((name) => `${name}, ${order}`));
      }
    }
    assert.deepEqual(survivors, []);
    assert.ok(eventsAtOnce > 0, 'the event happened beside the requests');
  });
});
