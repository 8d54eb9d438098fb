import type { Page } from '@playwright/test';
import { createEmail, LOW_COST, startIdentityApp } from '../support/identity.ts';
import { addVirtualAuthenticator } from '../support/virtual-authenticator.ts';
import { addLibraryPage, openLibraryBrowser, openLibraryPage } from './library-browser.ts';
import { type Comparison, printComparison } from './print-comparison.ts';

/** Passkeys require https or this host. */
const PASSKEY_SITE = 'http://localhost';

/** API of the library in the page, limited to these steps' calls. */
interface Library {
  client: {
    signIn: { authenticateWithPasskey(fields: object): Promise<Attempt> };
    signUp: { create(fields: object): Promise<Attempt> };
  };
  user: { id: string; passkeys: Passkey[]; createPasskey(): Promise<Passkey>; reload(): Promise<unknown> } | null;
  session: { startVerification(fields: object): Promise<Attempt>; verifyWithPasskey(): Promise<Attempt> } | null;
  setActive(fields: object): Promise<void>;
}
interface Attempt {
  status: string;
  createdSessionId: string;
}
interface Passkey {
  name: string;
  verification: { status: string };
  update(fields: object): Promise<unknown>;
  delete(): Promise<{ deleted: boolean }>;
}
interface Bench {
  page: Page;
  userId: string;
}

const steps: [name: string, step: Comparison<Bench>][] = [
  [
    'a passkey is added and renamed',
    async ({ page }) => [
      ['verified', 1, 'Renamed'],
      await page.evaluate(async () => {
        // The library replaces the user after each change.
        const { clerk } = globalThis as unknown as { clerk: Library };
        const passkey = await clerk.user!.createPasskey();
        const { length } = clerk.user!.passkeys;
        await clerk.user!.passkeys[0]!.update({ name: 'Renamed' });
        await clerk.user!.reload();
        return [passkey.verification.status, length, clerk.user!.passkeys[0]!.name];
      }),
    ],
  ],
  [
    'it confirms the session again',
    async ({ page }) => [
      ['needs_first_factor', 'complete'],
      await page.evaluate(async () => {
        const session = (globalThis as unknown as { clerk: Library }).clerk.session!;
        const started = await session.startVerification({ level: 'first_factor' });
        return [started.status, (await session.verifyWithPasskey()).status];
      }),
    ],
  ],
  [
    'it signs in, without an address',
    async ({ page, userId }) => {
      await page.context().clearCookies();
      await openLibraryPage(page, PASSKEY_SITE);
      const seen = await page.evaluate(async () => {
        const { clerk } = globalThis as unknown as { clerk: Library };
        const { status, createdSessionId } = await clerk.client.signIn.authenticateWithPasskey({
          flow: 'discoverable',
        });
        await clerk.setActive({ session: createdSessionId });
        return [status, clerk.user?.id];
      });
      return [['complete', userId], seen];
    },
  ],
  [
    'it is removed',
    async ({ page }) => [
      [true, 0],
      await page.evaluate(async () => {
        const { clerk } = globalThis as unknown as { clerk: Library };
        const { deleted } = await clerk.user!.passkeys[0]!.delete();
        await clerk.user!.reload();
        return [deleted, clerk.user!.passkeys.length];
      }),
    ],
  ],
];

/** Tests passkeys with the unchanged browser library in Chromium. Returns `true` if all results agree. */
export async function comparePasskeys(library: string): Promise<boolean> {
  await using stack = new AsyncDisposableStack();
  const after = (work: unknown): void =>
    stack.defer(async () => {
      await (work as () => Promise<void>)();
    });
  const options = { baseUrl: PASSKEY_SITE, embedded: { passwordCost: LOW_COST } };
  const app = await startIdentityApp({ onTestFinished: after } as never, options, (http) =>
    addLibraryPage(http, library),
  );
  const browser = await openLibraryBrowser(stack, app.url, PASSKEY_SITE);
  const page = await browser.openPage();
  await addVirtualAuthenticator(page);
  await openLibraryPage(page, PASSKEY_SITE);
  const userId = await page.evaluate(async (emailAddress) => {
    const { clerk } = globalThis as unknown as { clerk: Library };
    const { createdSessionId } = await clerk.client.signUp.create({ emailAddress, password: 'correct horse' });
    await clerk.setActive({ session: createdSessionId });
    return clerk.user!.id;
  }, createEmail());
  const differing = await printComparison(steps, { page, userId });
  console.log(
    `${steps.length - differing} of ${steps.length} steps of a passkey went as clerk-js 6.34.1 wants them, ` +
      `${browser.foreignRequests.length} requests to elsewhere`,
  );
  return differing === 0 && browser.foreignRequests.length === 0;
}
