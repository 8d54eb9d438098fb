import type { Page } from '@playwright/test';
import { generateSync } from 'otplib';
import { readLink } from '../support/account-links.ts';
import { callBackend, createEmail, sendRequest } from '../support/identity.ts';
import type { ConformanceApp } from './conformance-app.ts';
import type { Comparison } from './print-comparison.ts';

interface Bench extends ConformanceApp {
  page: Page;
  /** Reloads the page with the library. */
  open(): Promise<void>;
}

type Step = Comparison<Bench>;

/** API of the library in the page, limited to the steps' calls. */
export interface Library {
  client: {
    signIn: Attempt & { create(fields: object): Promise<Attempt> };
    signUp: { create(fields: object): Promise<Attempt> };
  };
  user: {
    id: string;
    firstName: string;
    unsafeMetadata: object;
    update(fields: object): Promise<unknown>;
    updatePassword(fields: object): Promise<unknown>;
    getSessions(): Promise<{ status: string }[]>;
    totpEnabled: boolean;
    createTOTP(): Promise<{ secret: string; uri: string; verified: boolean }>;
    verifyTOTP(fields: object): Promise<{ verified: boolean; backupCodes: string[] }>;
    createBackupCode(): Promise<{ codes: string[] }>;
    disableTOTP(): Promise<{ deleted: boolean }>;
  } | null;
  session: { id: string; getToken(): Promise<string>; end(): Promise<unknown> } | null;
  setActive(fields: object): Promise<void>;
  signOut(fields: object): Promise<void>;
}
interface Attempt {
  status: string;
  createdSessionId: string;
  supportedSecondFactors: { strategy: string }[] | null;
  attemptFirstFactor(fields: object): Promise<Attempt>;
  attemptSecondFactor(fields: object): Promise<Attempt>;
  resetPassword(fields: object): Promise<Attempt>;
}

export const attempt = ({ page }: Pick<Bench, 'page'>, kind: 'signIn' | 'signUp', fields: object): Promise<unknown> =>
  page.evaluate(
    async ([which, given]) => {
      const { clerk } = globalThis as unknown as { clerk: Library };
      try {
        const createdAttempt = await clerk.client[which].create(given);
        await clerk.setActive({ session: createdAttempt.createdSessionId });
        return [createdAttempt.status, clerk.user?.id, clerk.session?.id === createdAttempt.createdSessionId];
      } catch (error) {
        const { status, errors } = error as { status: number; errors: { code: string }[] };
        return [status, errors[0]?.code];
      }
    },
    [kind, fields] as const,
  );

const signOut = async ({ page }: Bench): Promise<void> => {
  const signedOut = page.waitForURL('**/page?out');
  // The library navigates away when it is done, which ends this call.
  await page.evaluate(() => {
    void (globalThis as unknown as { clerk: Library }).clerk.signOut({ redirectUrl: '/page?out' });
  });
  await signedOut;
  await page.waitForFunction(() => (globalThis as { loaded?: boolean }).loaded === true);
};

const readUserId = ({ page }: Bench): Promise<string | null> =>
  page.evaluate(() => (globalThis as unknown as { clerk: Library }).clerk.user?.id ?? null);

const person = { email: createEmail(), password: 'correct horse', ticket: '', id: '' };

export const steps: [name: string, step: Step][] = [
  ['nobody is signed in', async (bench) => [null, await readUserId(bench)]],
  [
    'a ticket signs in',
    async (bench) => {
      const created = await callBackend(bench.url, 'POST', '/users', {
        email_address: [person.email],
        password: person.password,
      });
      person.id = created.body.id;
      person.ticket = (await callBackend(bench.url, 'POST', '/sign_in_tokens', { user_id: person.id })).body.token;
      return [
        ['complete', person.id, true],
        await attempt(bench, 'signIn', { strategy: 'ticket', ticket: person.ticket }),
      ];
    },
  ],
  [
    'its token and its cookie are believed by the API',
    async (bench) => {
      const token = await bench.page.evaluate(() =>
        (globalThis as unknown as { clerk: Library }).clerk.session!.getToken(),
      );
      const cookie = (await bench.page.context().cookies())
        .filter(({ path }) => path === '/')
        .map(({ name, value }) => `${name}=${value}`)
        .join('; ');
      const requestWithHeader = await sendRequest(`${bench.url}/api/me`, 'GET', undefined, {
        authorization: `Bearer ${token}`,
      });
      const requestWithCookie = await sendRequest(`${bench.url}/api/me`, 'GET', undefined, { cookie });
      return [
        [person.id, person.id],
        [requestWithHeader.body.idp_user_id, requestWithCookie.body.idp_user_id],
      ];
    },
  ],
  [
    'script cannot read the client cookie',
    async (bench) => {
      const readable = await bench.page.evaluate(() =>
        (globalThis as unknown as { document: { cookie: string } }).document.cookie.includes('__client='),
      );
      const isCookieStored = (await bench.page.context().cookies()).some(
        ({ name, httpOnly }) => name === '__client' && httpOnly,
      );
      return [
        [false, true],
        [readable, isCookieStored],
      ];
    },
  ],
  [
    'rejects a second sign-in beside it',
    async (bench) => [
      [400, 'session_exists'],
      await attempt(bench, 'signIn', { identifier: person.email, password: person.password }),
    ],
  ],
  [
    'the session outlives a reload',
    async (bench) => {
      await bench.open();
      return [person.id, await readUserId(bench)];
    },
  ],
  [
    'a signed-out browser stays signed out',
    async (bench) => {
      await signOut(bench);
      return [null, await readUserId(bench)];
    },
  ],
  [
    'the ticket works once',
    async (bench) => [
      [400, 'sign_in_token_already_used_code'],
      await attempt(bench, 'signIn', { strategy: 'ticket', ticket: person.ticket }),
    ],
  ],
  [
    'rejects a wrong password',
    async (bench) => [
      [422, 'form_password_or_identifier_incorrect'],
      await attempt(bench, 'signIn', { identifier: person.email, password: 'wrong horse' }),
    ],
  ],
  [
    'the right one signs in',
    async (bench) => [
      ['complete', person.id, true],
      await attempt(bench, 'signIn', { identifier: person.email, password: person.password }),
    ],
  ],
  [
    'name and password are changed, sessions listed',
    async (bench) => {
      const seen = await bench.page.evaluate(async () => {
        const { clerk } = globalThis as unknown as { clerk: Library };
        await clerk.user!.update({ firstName: 'Ann', unsafeMetadata: { theme: 'dark' } });
        await clerk.user!.updatePassword({ currentPassword: 'correct horse', newPassword: 'a new password' });
        return [
          clerk.user!.firstName,
          clerk.user!.unsafeMetadata,
          (await clerk.user!.getSessions()).map(({ status }) => status),
        ];
      });
      return [['Ann', { theme: 'dark' }, ['active']], seen];
    },
  ],
  [
    'an authenticator app is set up, asked for at the sign-in and removed',
    async (bench) => {
      const created = await bench.page.evaluate(async () => {
        const { secret, verified } = await (globalThis as unknown as { clerk: Library }).clerk.user!.createTOTP();
        return { secret, verified };
      });
      const enabled = await bench.page.evaluate(
        async (code) => {
          const { user } = (globalThis as unknown as { clerk: Library }).clerk;
          const { verified, backupCodes } = await user!.verifyTOTP({ code });
          return { verified, backupCodes };
        },
        generateSync({ secret: created.secret }),
      );
      // Another address, so that the wait for the page after the sign-out does not end at once.
      await bench.open();
      await signOut(bench);
      const signedIn = await bench.page.evaluate(
        async ([identifier, code]) => {
          const { clerk } = globalThis as unknown as { clerk: Library };
          const begun = await clerk.client.signIn.create({ identifier, password: 'a new password' });
          const seen = [begun.status, begun.supportedSecondFactors?.map(({ strategy }) => strategy)];
          const done = await clerk.client.signIn.attemptSecondFactor({ strategy: 'backup_code', code });
          await clerk.setActive({ session: done.createdSessionId });
          return [...seen, done.status, clerk.user?.id, clerk.user?.totpEnabled];
        },
        [person.email, enabled.backupCodes[0]!] as const,
      );
      const removed = await bench.page.evaluate(async () => {
        const { user } = (globalThis as unknown as { clerk: Library }).clerk;
        return [(await user!.createBackupCode()).codes.length, (await user!.disableTOTP()).deleted];
      });
      return [
        [false, true, 10, 'needs_second_factor', ['totp', 'backup_code'], 'complete', person.id, true, 10, true],
        [created.verified, enabled.verified, enabled.backupCodes.length, ...signedIn, ...removed],
      ];
    },
  ],
  [
    'a forgotten password is set with a code, which signs in',
    async (bench) => {
      await signOut(bench);
      const reset = await bench.getEmbedded().resetPassword(person.id);
      const { id, secret } = readLink(reset.ok ? reset.link : '');
      const seen = await bench.page.evaluate(
        async ([identifier, code]) => {
          const { clerk } = globalThis as unknown as { clerk: Library };
          const strategy = 'reset_password_email_code';
          const statuses = [(await clerk.client.signIn.create({ strategy, identifier })).status];
          statuses.push((await clerk.client.signIn.attemptFirstFactor({ strategy, code })).status);
          const done = await clerk.client.signIn.resetPassword({ password: 'a third password' });
          await clerk.setActive({ session: done.createdSessionId });
          return [...statuses, done.status, clerk.user?.id];
        },
        [person.email, `${id}.${secret}`] as const,
      );
      return [['needs_first_factor', 'needs_new_password', 'complete', person.id], seen];
    },
  ],
  [
    'a session that the operator revokes is gone after a reload',
    async (bench) => {
      const id = await bench.page.evaluate(() => (globalThis as unknown as { clerk: Library }).clerk.session!.id);
      await callBackend(bench.url, 'POST', `/sessions/${id}/revoke`);
      await bench.open();
      return [null, await readUserId(bench)];
    },
  ],
  [
    'a sign-up with metadata signs in',
    async (bench) => {
      const created = (await attempt(bench, 'signUp', {
        emailAddress: createEmail(),
        password: 'correct horse',
        unsafeMetadata: { ref: 'abc' },
      })) as unknown[];
      const metadata = await bench.page.evaluate(
        () => (globalThis as unknown as { clerk: Library }).clerk.user?.unsafeMetadata,
      );
      return [
        ['complete', true, { ref: 'abc' }],
        [created[0], created[2], metadata],
      ];
    },
  ],
];
