// @module-tag slow
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { resetSecondFactor } from '../src/embedded/identity/change-second-factor.ts';
import { createLinkCode } from '../src/embedded/identity/one-time-links.ts';
import { resetPassword } from '../src/embedded/identity/reset-password.ts';
import {
  ACCOUNT_EVENTS,
  type AccountEventName,
  type Credential,
  CREDENTIALS,
  getEffect,
} from '../src/embedded/identity/revoke-credentials.ts';
import { createKeyRing } from '../src/embedded/identity/signing-keys.ts';
import { startMailServer } from './fakes/mail-server.ts';
import { enterCode } from './support/account-links.ts';
import { SoftwareAuthenticator } from './support/authenticator.ts';
import { DistantBrowser } from './support/distant-browser.ts';
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

const ONLY_LONG = 'LONG_TESTS=on races them';
const NEW_PASSWORD = 'a password of my own';
const ROUNDS = 8;
/** Rounds of a kind that has its own. Its requests then compete with no others. */
const ROUNDS_ALONE = 3;
/** Requests of one kind in a round, spread over the time of the event. */
const REQUESTS = 3;

let service: TestService;
const scope = createScope();
beforeAll(async () => {
  const mails = await startMailServer(scope);
  service = await startService({
    BASE_URL: PASSKEY_SITE,
    IDP_SECRET_KEY: SECRET_KEY,
    TRUSTED_PROXIES: '127.0.0.1',
    SMTP_URL: mails.url,
    MAIL_FROM: 'Tally <tally@tally.test>',
  });
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

/** Returns whether what was created works. */
type IsUsable = () => Promise<boolean>;

interface Creator {
  /** The credential with which it is created. Once an event has ended that, nothing may be created with it. */
  uses: Credential;
  /** Set if it disturbs other kinds, so that it has rounds of its own. */
  alone?: true;
  /** Prepares a member. Returns functions that create one each, or nothing if the request is rejected. */
  prepare(member: Member): Promise<readonly (() => Promise<IsUsable | undefined>)[]>;
}

const repeat = <T>(create: () => T): (() => T)[] => Array.from({ length: REQUESTS }, () => create);

/** What requests create of each kind, or why none creates one with a credential that an event ends. */
const creators: Record<Credential, readonly Creator[] | string> = {
  password: [
    {
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
      uses: 'password',
      prepare: async (member) =>
        repeat(async () => {
          const { browser, sessionId } = await signInByPassword(member);
          return sessionId === undefined ? undefined : () => isSignedIn(browser, sessionId);
        }),
    },
    {
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
  api_keys: [
    {
      uses: 'sessions',
      prepare: async (member) =>
        repeat(async () => {
          const { key } = await createAsOther(member, '/api/api-keys');
          if (key === undefined) return undefined;
          const headers = { 'x-api-key': key, 'svc-version': '2023-06-01' };
          return async () => (await sendRequest(`${service.url}/v1/models`, 'GET', undefined, headers)).status === 200;
        }),
    },
  ],
  mcp_tokens: [
    {
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
      // A secret that waits for its first code.
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
      uses: 'sessions',
      alone: true,
      prepare: async (member) => {
        await turnAppOn(member);
        return repeat(async () => {
          if ((await member.other.browser.call('POST', '/me/backup_codes', {})).status !== 200) return undefined;
          return () => hasRow('select from idp.recovery_codes where user_id = $1', [member.userId]);
        });
      },
    },
  ],
  known_browsers: [
    {
      uses: 'password',
      prepare: async (member) =>
        repeat(async () => {
          const { sessionId } = await signInByPassword(member);
          const isKnown = `select from idp.known_devices d join idp.sessions s on s.client_id = d.client_id
            where s.id = $1 and d.user_id = s.user_id`;
          return sessionId === undefined ? undefined : () => hasRow(isKnown, [sessionId]);
        }),
    },
  ],
  pending_sign_ins: [
    {
      uses: 'password',
      alone: true,
      prepare: async (member) => {
        await turnAppOn(member);
        return repeat(async () => {
          const { browser, sessionId, signInId } = await signInByPassword(member);
          if (signInId === undefined || sessionId) return undefined;
          const path = `/client/sign_ins/${signInId}/attempt_second_factor`;
          const isOpen = async () =>
            (await browser.call('POST', path, { strategy: 'totp', code: 'wrong' })).status === 422;
          return isOpen;
        });
      },
    },
  ],
  reset_links: 'Anybody may ask for one, and only the mailbox of the member or the operator has it.',
  confirmation_links: 'It goes to the mailbox of the member, and opens nothing without a session or the password.',
  address_change: [
    {
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

interface RacedCreator extends Creator {
  credential: Credential;
}

/** Returns the creators whose means and product the event ends, in groups that do not disturb each other. */
function listGroups(event: AccountEventName): RacedCreator[][] {
  const raced = Object.entries(creators).flatMap(([name, list]) =>
    typeof list === 'string' ? [] : list.map((creator) => ({ ...creator, credential: name as Credential })),
  );
  const ended = raced.filter(({ credential, uses }) => isEnded(event, credential) && isEnded(event, uses));
  return [ended.filter(({ alone }) => !alone), ...ended.filter(({ alone }) => alone).map((creator) => [creator])];
}

/** Duration of the last event in ms, over which the requests of the next round are spread. */
let eventMs = 100;

type Order = 'requests first' | 'event first' | 'at once';

/**
 * Makes the event and the requests of a new member, in this order. Returns whether the event happened, the kinds that
 * were created, and those that work after it.
 */
async function race(event: AccountEventName, group: readonly RacedCreator[], order: Order) {
  const member = await createMember();
  const requests: { credential: Credential; create: () => Promise<IsUsable | undefined> }[] = [];
  for (const { credential, prepare } of group)
    for (const create of await prepare(member)) requests.push({ credential, create });
  const prepared = await events[event]!(member);
  await member.other.browser.recentToken(member.other.sessionId!);
  const spreadMs = order === 'at once' ? eventMs : 0;
  const sendAll = () =>
    Promise.all(
      requests.map(async ({ credential, create }) => {
        await sleep(Math.random() * 1.5 * spreadMs);
        return { credential, isUsable: await create() };
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
  const usable: Credential[] = [];
  if (happened) for (const { credential, isUsable } of created) if (await isUsable!()) usable.push(credential);
  return { happened, created: created.map(({ credential }) => credential), usable };
}

const createdKinds = new Set<Credential>();

test('has requests or a reason for every kind of credential, and each event that ends sessions', () => {
  assert.deepEqual(Object.keys(creators).sort(), Object.keys(CREDENTIALS).sort());
  assert.deepEqual(Object.keys(events).sort(), endingEvents.sort());
});

describe('a credential that is created while an event ends its means', () => {
  for (const event of endingEvents)
    test(`does not outlive the event when that is ${event}`, async (t) => {
      if (!runsLongTests) return t.skip(ONLY_LONG);
      const survivors: Record<string, number> = {};
      for (const group of listGroups(event)) {
        const rounds = group.some(({ alone }) => alone) ? ROUNDS_ALONE : ROUNDS;
        // The first two show that each kind can be created, and that the event happens.
        const orders = ['requests first', 'event first', ...Array.from({ length: rounds }, () => 'at once')] as Order[];
        for (const order of orders) {
          const result = await race(event, group, order);
          if (order === 'event first') assert.ok(result.happened);
          for (const credential of result.created) createdKinds.add(credential);
          for (const credential of result.usable) survivors[credential] = (survivors[credential] ?? 0) + 1;
        }
      }
      assert.deepEqual(survivors, {});
    });

  test('was created in some round for every kind', (t) => {
    if (!runsLongTests) return t.skip(ONLY_LONG);
    const expected = Object.keys(creators).filter((name) => typeof creators[name as Credential] !== 'string');
    assert.deepEqual([...createdKinds].sort(), expected.sort());
  });
});
