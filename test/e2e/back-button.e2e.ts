import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { shareMember } from './fixtures.ts';
import { signUp } from './people.ts';

const test = shareMember((page) => signUp(page));
const getDialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
const getPath = (page: Page): string => {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
};

/** Opens Home after the settings, so that Back from Home is visible. */
async function openHome(page: Page): Promise<void> {
  await page.goto('/settings');
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
}
const waitForSettings = (page: Page) => page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();

test('closes dialogs and panels in reverse order on Back and then leaves the page', async ({ page }) => {
  await openHome(page);
  const opener = page.getByRole('button', { name: 'Add widget' });
  await opener.click();
  await getDialog(page, 'Add widget').waitFor();
  await page.goBack();
  await getDialog(page, 'Add widget').waitFor({ state: 'detached' });
  assert.ok(await opener.evaluate((element) => element === document.activeElement), 'the focus returns');
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Assistant' }).click();
  await getDialog(page, 'Assistant').waitFor();
  await page.goBack();
  await getDialog(page, 'Assistant').waitFor({ state: 'detached' });
  assert.equal(getPath(page), '/dashboard');
  await page.goBack();
  await waitForSettings(page);
});

test('leaves the page at the first Back after its dialogs were closed by button', async ({ page }) => {
  await openHome(page);
  for (let round = 0; round < 2; round += 1) {
    await page.getByRole('button', { name: 'Add widget' }).click();
    await getDialog(page, 'Add widget').getByRole('button', { name: 'Done' }).click();
    await getDialog(page, 'Add widget').waitFor({ state: 'detached' });
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Assistant' }).click();
    await getDialog(page, 'Assistant').getByRole('button', { name: 'Close' }).click();
    await getDialog(page, 'Assistant').waitFor({ state: 'detached' });
  }
  await page.goBack();
  await waitForSettings(page);
});

test('asks on Back and Escape before typed text is lost', async ({ page }) => {
  await openHome(page);
  await page.getByRole('button', { name: 'Add investment' }).first().click();
  const form = getDialog(page, 'Add investment');
  await form.getByLabel('Quantity').fill('12');
  const question = getDialog(page, 'Discard what you typed?');
  await page.goBack();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await question.waitFor({ state: 'detached' });
  assert.equal(await form.getByLabel('Quantity').inputValue(), '12');
  await page.keyboard.press('Escape');
  await question.waitFor();
  await page.goBack();
  await question.waitFor({ state: 'detached' });
  assert.equal(await form.getByLabel('Quantity').inputValue(), '12');
  await page.goBack();
  await question.getByRole('button', { name: 'Discard' }).click();
  await form.waitFor({ state: 'detached' });
  assert.equal(getPath(page), '/dashboard');
});

test('shows a change of another tab without a reload', async ({ page }) => {
  await page.goto('/settings/api-keys');
  await page.getByText('No keys yet.').waitFor();
  const other = await page.context().newPage();
  await other.goto('/settings/api-keys');
  await other.getByLabel('Name').fill('A program');
  await other.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('button', { name: /^Revoke A program/ }).waitFor();
  await other.close();
});
