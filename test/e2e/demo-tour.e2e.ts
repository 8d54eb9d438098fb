import assert from 'node:assert/strict';
import type { Page, Request } from '@playwright/test';
import { assertAccessibleInEachLook } from '../support/browser.ts';
import { test } from './fixtures.ts';
import { fillCredentials } from './people.ts';
import { card, isSaved, memberWith, showsRows, startTour } from './watchlist-card.ts';

const OWN = ['AAPL', 'MSFT'];

const bar = (page: Page) => page.getByRole('status').filter({ hasText: 'Demo tour:' });

/** Waits until each of the dashboard's reads has been sent, within the tour or outside it. */
async function reads(page: Page, touring: boolean): Promise<void> {
  const isMeant = (path: string) => (request: Request) =>
    new URL(request.url()).pathname === path && (request.headers()['x-demo-tour'] === '1') === touring;
  await Promise.all(
    ['/api/watchlist', '/api/dashboard', '/api/earnings', '/api/news'].map((path) =>
      page.waitForRequest(isMeant(path)),
    ),
  );
}

test('the tour shows an empty list, not the member’s, says so, refuses edits, outlives a reload, ends', async ({
  page,
  service,
}) => {
  const person = await memberWith(page, service, OWN);
  await startTour(page);
  await bar(page).getByText('edits to it are switched off').waitFor();
  await card(page).getByText('0 of 20').waitFor();
  await assertAccessibleInEachLook(page, 'the dashboard in the demo tour');
  await card(page).getByRole('option', { name: /^AAPL/ }).click();
  await page.getByRole('status').getByText('Apple was not added. Edits are switched off in the demo.').waitFor();

  let read = reads(page, true);
  await page.reload();
  await read;
  await card(page).getByText('Start your watchlist').waitFor();
  await bar(page).waitFor();

  read = reads(page, false);
  await page.getByRole('button', { name: 'End tour' }).click();
  await showsRows(page, OWN);
  await bar(page).waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'main', 'the focus is not lost with the button');
  await read;
  await isSaved(service, person, OWN);
});

test(
  'an address starts the tour, also by way of the sign-in; signing out ends it',
  { tag: '@slow' },
  async ({ page, service }) => {
    const person = await memberWith(page, service, OWN);
    const signOut = async (): Promise<void> => {
      await page.getByRole('button', { name: `Account of ${person.email}` }).click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    };
    await page.goto('/dashboard?tour=1');
    await card(page).getByText('Start your watchlist').waitFor();
    await page.waitForURL((url) => url.pathname === '/dashboard' && url.search === '');
    await signOut();
    await bar(page).waitFor({ state: 'detached' });

    await page.goto('/dashboard?tour=1');
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    await fillCredentials(page, person);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await card(page).getByText('Start your watchlist').waitFor();
    await bar(page).waitFor();
    await signOut();
    await fillCredentials(page, person);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await showsRows(page, OWN);
    assert.equal(await bar(page).count(), 0);
  },
);
