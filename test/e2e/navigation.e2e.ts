import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { assertAccessible } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { shareMember, test } from './fixtures.ts';
import { signUp } from './people.ts';

const sharedTest = shareMember((page) => signUp(page));
const getSearch = (page: Page) => page.getByRole('dialog', { name: 'Search' });
const getOption = (page: Page, name: string | RegExp) => getSearch(page).getByRole('option', { name });

sharedTest('opens pages, actions and securities from the search on every page', async ({ page }) => {
  await page.goto('/settings/security');
  await page.getByRole('heading', { name: 'Security', level: 1 }).waitFor();
  await page.keyboard.press('/');
  await getSearch(page).waitFor();
  await page.keyboard.press('Escape');
  await getSearch(page).waitFor({ state: 'detached' });
  await page.getByLabel('Current password').fill('a');
  await page.getByLabel('Current password').press('/');
  assert.equal(await page.getByLabel('Current password').inputValue(), 'a/', 'a text field keeps the key');
  // Typed text would ask before the page is left.
  await page.getByLabel('Current password').fill('');
  await page.getByLabel('Current password').press('Control+k');
  await getOption(page, 'Home').waitFor();
  await page.keyboard.type('invite');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Invite friends', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.keyboard.type('add inv');
  await getOption(page, 'Add investment').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Add investment' }).waitFor();
  assert.equal(new URL(page.url()).search, '');
});

sharedTest('opens the assistant over the current page and returns the focus', async ({ page }) => {
  await page.goto('/settings/invite');
  const link = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Assistant' });
  await link.press('Enter');
  const panel = page.getByRole('dialog', { name: 'Assistant' });
  await panel.waitFor();
  assert.equal(new URL(page.url()).pathname, '/settings/invite');
  await panel.getByRole('button', { name: 'Close' }).click();
  await panel.waitFor({ state: 'detached' });
  assert.ok(await link.evaluate((element) => element === document.activeElement));
  assert.equal(new URL(page.url()).search, '');
});

test('shows the tab bar and the first card high on a phone', async ({ visit }) => {
  const page = await visit({ size: 'phone' });
  await signUp(page);
  await page.getByRole('heading', { name: 'Add what you own' }).waitFor();
  const firstCard = page.getByRole('list', { name: 'Cards' }).getByRole('listitem').first();
  // The list is rendered again when its cards have loaded, and a card that has been replaced has no box.
  let top: number | undefined;
  await eventually(async () => {
    top = (await firstCard.boundingBox())?.y;
    return top !== undefined;
  });
  assert.ok(top! <= 150, `the first card begins at ${top} px`);
  const bar = (await page.getByRole('navigation', { name: 'Pages' }).boundingBox())!;
  assert.equal(bar.y + bar.height, page.viewportSize()!.height);
  const header = (await page.getByRole('banner').boundingBox())!;
  assert.ok(header.height <= 60, `the header is ${header.height} px high`);
  assert.equal(await page.getByRole('link', { name: 'Home', exact: true }).getAttribute('aria-current'), 'page');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await getOption(page, 'Home').waitFor();
  await assertAccessible(page, 'the search on a phone', getSearch(page));
});
