import assert from 'node:assert/strict';
import type { Page, Request } from '@playwright/test';
import { assertAccessibleInAllVariants } from '../support/browser.ts';
import { test } from './fixtures.ts';
import { fillCredentials } from './people.ts';
import { getCard, waitForSavedOrder, createMemberWith, waitForRows, startTour } from './watchlist-card.ts';

const MEMBER_ROUTES = ['AAPL', 'MSFT'];

const getTourBar = (page: Page) => page.getByRole('status').filter({ hasText: 'Sample watchlist:' });

/** Waits until the page has sent each of these reads, within the tour or outside it. */
async function assertReads(page: Page, waitForTour: boolean, paths: readonly string[]): Promise<void> {
  const isTourRequest = (path: string) => (request: Request) =>
    new URL(request.url()).pathname === path && (request.headers()['x-demo-tour'] === '1') === waitForTour;
  await Promise.all(paths.map((path) => page.waitForRequest(isTourRequest(path))));
}

test('shows the tour’s own list and rejects edits until the tour ends', async ({ page, service }) => {
  const person = await createMemberWith(page, service, MEMBER_ROUTES);
  await startTour(page);
  await getTourBar(page).getByText('editing is disabled').waitFor();
  await getCard(page).getByText('0 of 20').waitFor();
  await assertAccessibleInAllVariants(page, 'the dashboard in the demo tour');
  await getCard(page).getByRole('option', { name: /^AAPL/ }).click();
  await page.getByRole('status').getByText('Could not add Apple. The sample cannot be changed.').waitFor();

  let read = assertReads(page, true, ['/api/home', '/api/watchlist']);
  await page.reload();
  await read;
  await getCard(page).getByText('Start your watchlist').waitFor();
  await getTourBar(page).waitFor();

  read = assertReads(page, false, ['/api/watchlist', '/api/dashboard', '/api/earnings', '/api/news']);
  await page.getByRole('button', { name: 'End sample' }).click();
  await waitForRows(page, MEMBER_ROUTES);
  await getTourBar(page).waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'main', 'the focus is not lost with the button');
  await read;
  await waitForSavedOrder(service, person, MEMBER_ROUTES);
});

test('starts at its address until sign-out', { tag: '@slow' }, async ({ page, service }) => {
  const person = await createMemberWith(page, service, MEMBER_ROUTES);
  const signOut = async (): Promise<void> => {
    await page.getByRole('button', { name: `Account of ${person.email}` }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  };
  await page.goto('/dashboard?tour=1');
  await getCard(page).getByText('Start your watchlist').waitFor();
  await page.waitForURL((url) => url.pathname === '/dashboard' && url.search === '');
  await signOut();
  await getTourBar(page).waitFor({ state: 'detached' });

  await page.goto('/dashboard?tour=1');
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  await fillCredentials(page, person);
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  await getCard(page).getByText('Start your watchlist').waitFor();
  await getTourBar(page).waitFor();
  await signOut();
  await fillCredentials(page, person);
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  await waitForRows(page, MEMBER_ROUTES);
  assert.equal(await getTourBar(page).count(), 0);
});
