import type { Page } from '@playwright/test';
import { signInViewer } from '../support/demo-viewer.ts';
import type { TestService } from '../support/service.ts';

/** Signs the page's browser in with a new link, without the link's page. Returns the link's id. */
export async function visitDemo(page: Page, service: Pick<TestService, 'url' | 'firstRun'>): Promise<string> {
  const { browser, invitation } = await signInViewer(service, new URL(service.url).origin);
  const [name, value] = browser.cookie.split('=') as [string, string];
  const { hostname } = new URL(service.url);
  const cookie = { name, value, domain: hostname, path: '/_idp', httpOnly: true, sameSite: 'Lax' as const };
  await page.context().addCookies([cookie]);
  return invitation.invitation_id;
}

/** Presses the button and waits for the page with this heading. */
export async function pressOpen(page: Page, title: string | RegExp = 'Home', name = 'Open demo'): Promise<void> {
  await page.getByRole('button', { name }).click();
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
}

/** Waits until the entry page shows this state. */
export const waitForEntryState = (page: Page, state: string): Promise<void> =>
  page.locator(`main[data-state="${state}"]`).waitFor();
