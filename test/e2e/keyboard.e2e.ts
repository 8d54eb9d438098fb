import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { shareMember } from './fixtures.ts';
import { createPerson, register } from './people.ts';
import { openSampleDashboard } from './sample-member.ts';
import { getHoldingRows } from './home-holdings.ts';

const test = shareMember((page) => register(page));

/** Returns the focused element's role and name, as a screen reader announces them. */
const describeFocused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement | null;
    const labels = (element as HTMLInputElement | null)?.labels;
    return (element?.getAttribute('aria-label') ?? labels?.[0]?.innerText ?? element?.innerText ?? '').trim();
  });

/** Presses Tab until the element with this name has the focus. Throws after thirty presses. */
async function pressTabUntil(page: Page, name: string): Promise<void> {
  for (let step = 0; step < 30; step += 1) {
    await page.keyboard.press('Tab');
    if ((await describeFocused(page)) === name) return;
  }
  assert.fail(`Tab never reached "${name}"; the focus is on "${await describeFocused(page)}"`);
}

test('leads from the landing page to an account and out again by keyboard', async ({ visit }) => {
  const page = await visit();
  const { email, password } = createPerson();
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await pressTabUntil(page, 'Create account');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Create your account', level: 1 }).waitFor();
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
  await pressTabUntil(page, 'Email');
  await page.keyboard.type(email);
  await pressTabUntil(page, 'Password');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await pressTabUntil(page, `Account of ${email}`);
  await page.keyboard.press('Enter');
  await page.getByRole('group', { name: 'Account', exact: true }).waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await page.getByRole('group', { name: 'Account', exact: true }).isVisible(), false);
  assert.equal(await describeFocused(page), `Account of ${email}`, 'Escape gives the focus back');
  await page.keyboard.press('Enter');
  await pressTabUntil(page, 'Sign out');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
});

test('offers a skip link at the first Tab', { tag: '@slow' }, async ({ page }) => {
  await page.goto('/settings');
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await page.keyboard.press('Tab');
  assert.equal(await describeFocused(page), 'Skip to content');
  const box = await page.getByRole('link', { name: 'Skip to content' }).boundingBox();
  assert.ok(box && box.y >= 0, 'it is on screen while it has the focus');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'main');
});

test('shows the focus on every control', { tag: '@slow' }, async ({ page }) => {
  await page.goto('/settings');
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  const seen = new Set<string>();
  for (let press = 0; press < 25; press += 1) {
    await page.keyboard.press('Tab');
    // After the last control the focus moves to the browser's own controls.
    if (await page.evaluate(() => document.activeElement === document.body)) continue;
    const name = await describeFocused(page);
    if (name === '' || seen.has(name)) continue;
    seen.add(name);
    const visible = await page.evaluate(() => {
      const element = document.activeElement;
      // The label of a radio button shows its focus.
      const isDrawn =
        element instanceof HTMLInputElement && element.type === 'radio' ? element.closest('label') : element;
      const style = isDrawn ? getComputedStyle(isDrawn) : null;
      return style !== null && style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2;
    });
    assert.equal(visible, true, `"${name}" shows its focus`);
  }
  assert.ok(seen.size >= 6, `only ${seen.size} controls were reached`);
});

test('chooses the theme with the arrow keys', { tag: '@slow' }, async ({ page }) => {
  await page.goto('/settings');
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await pressTabUntil(page, 'System');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.documentElement.dataset['theme']), 'light');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.documentElement.dataset['theme']), 'dark');
});

test('has one tab stop in a row of Home, with names that say what a figure is', async ({ visit, service }) => {
  const page = await visit();
  await openSampleDashboard(page, service, 'free');
  const row = getHoldingRows(page).filter({ hasText: 'VTI' }).first();
  const value = row.getByRole('button', { name: /^Value of VTI: \$[\d,.]+, explain$/ });
  await value.waitFor();
  await page
    .getByRole('region', { name: 'Accounts' })
    .getByRole('button', { name: /^Value of Brokerage: \$[\d,.]+, explain$/ })
    .waitFor();
  const countStops = (): Promise<number> =>
    row.evaluate(
      (node) => [...node.querySelectorAll<HTMLElement>('a, button')].filter((one) => one.tabIndex >= 0).length,
    );
  const isFocused = (part: Locator): Promise<boolean> => part.evaluate((node) => node === document.activeElement);
  assert.equal(await countStops(), 1);
  await row.getByRole('link').focus();
  await page.keyboard.press('ArrowRight');
  assert.ok(await isFocused(row.getByRole('button', { name: /^Day change of VTI: / })));
  assert.equal(await countStops(), 1);
  await page.keyboard.press('ArrowLeft');
  assert.ok(await isFocused(row.getByRole('link')));
  await page.keyboard.press('Tab');
  assert.equal(await row.evaluate((node) => node.contains(document.activeElement)), false);
});
