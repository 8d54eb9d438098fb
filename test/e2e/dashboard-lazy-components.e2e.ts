import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { shareMember } from './fixtures.ts';
import { endSessionRemotely, type Person } from './people.ts';
import { refreshAfterRemoteChange, createMemberWith, waitForRows } from './watchlist-card.ts';

// Parts that open over the dashboard fail to load. watchlist-lazy-components.e2e.ts has those that open in place.
const expected = [/net::ERR/, /answer(ed)? (404|503)/, /status of 503/, /Failed to fetch/];
const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name });
const getErrorMessage = (page: Page): Locator =>
  page.getByRole('alert').filter({ hasText: 'did not load. Check the connection and try again.' });

const test = shareMember((page, service) => createMemberWith(page, service, ['AAPL']), { expected });

test('reloads the page once when an update has removed the code', { tag: '@slow' }, async ({ page }) => {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.reload();
  await waitForRows(page, ['AAPL']);
  await page.evaluate(() => Object.assign(window, { samePage: true }));
  const address = /\/assets\/add-investment-/;
  await page.route(address, (route) => route.fulfill({ status: 404, body: '' }));
  const loaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Add investment' }).first().click();
  await loaded;
  await waitForRows(page, ['AAPL']);
  assert.equal(await page.evaluate(() => 'samePage' in window), false, 'the page was reloaded');
  await page.getByRole('button', { name: 'Add investment' }).first().click();
  await getErrorMessage(page).waitFor();
  await page.unroute(address);
  await getErrorMessage(page).getByRole('button', { name: 'Try again' }).click();
  await dialog(page, 'Add investment').waitFor();
});

test(
  'offers a retry or the way back when the panel of a security’s address fails',
  { tag: '@slow' },
  async ({ page }) => {
    await refreshAfterRemoteChange(page, ['AAPL']);
    const address = /\/assets\/security-panel-/;
    await page.route(address, (route) => route.fulfill({ status: 503, body: '' }));
    await page.goto('/dashboard?symbol=AAPL');
    await getErrorMessage(page).getByRole('button', { name: 'Close' }).click();
    await getErrorMessage(page).waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).search, '');
    await page.goto('/dashboard?symbol=AAPL');
    await getErrorMessage(page).waitFor();
    await page.unroute(address);
    await getErrorMessage(page).getByRole('button', { name: 'Try again' }).click();
    await dialog(page, 'Apple Inc.').getByText('52-week range').waitFor();
  },
);

test('loads the sign-in form on retry when it failed to load', { tag: '@slow' }, async ({ service, visit }) => {
  const page = await visit({ expected });
  await page.clock.install();
  const person: Person = await createMemberWith(page, service, ['AAPL']);
  const address = /\/assets\/renew-session-dialog-/;
  await page.route(address, (route) => route.fulfill({ status: 503, body: '' }));
  await endSessionRemotely(page);
  await page.clock.fastForward(60_000);
  await getErrorMessage(page).waitFor();
  await waitForRows(page, ['AAPL']);
  await page.unroute(address);
  await getErrorMessage(page).getByRole('button', { name: 'Try again' }).click();
  const form = dialog(page, 'Your session has ended');
  await form.getByRole('textbox', { name: 'Password' }).fill(person.password);
  await form.getByRole('button', { name: 'Sign in' }).click();
  await form.waitFor({ state: 'detached' });
  await waitForRows(page, ['AAPL']);
});
