import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { assertAccessible, assertAccessibleInAllVariants, a11yScenarios } from '../support/browser.ts';
import { visitDemo } from './demo-viewer.ts';
import { test } from './fixtures.ts';
import { openSettings, register } from './people.ts';
import { waitForAllCards } from './record-shifts.ts';

test.use({ settings: { DEMO_ACCESS_RESET: '04:30', DEMO_ACCESS_RATE_LIMIT: '1000', REVENUE_OPERATOR_TOKEN: '' } });

const getAccountNotice = (page: Page) => page.getByRole('complementary', { name: 'Shared demo account' });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

test(
  'shows a viewer the shared-account notice on every page and a full dashboard',
  { tag: '@slow' },
  async ({ service, visit }) => {
    for (const walk of a11yScenarios) {
      const page = await visit(walk);
      await visitDemo(page, service);
      await page.goto('/dashboard');
      assert.equal(
        await getAccountNotice(page).textContent(),
        'You are in a shared demo account. Everyone with a link can see and change this data. ' +
          'It is reset every day at 04:30 UTC.',
      );
      await waitForAllCards(page);
      assert.equal(await page.getByText('saved tickers are locked').count(), 0, 'the plan fits the list');
      await assertAccessibleInAllVariants(page, 'the dashboard of a viewer', walk);
      for (const [path, name] of [
        ['/settings', 'Settings'],
        ['/settings/api-keys', 'API keys'],
        ['/plans', 'Plans'],
      ] as const) {
        await page.goto(path);
        await heading(page, name).waitFor();
        await getAccountNotice(page).waitFor();
      }
    }
  },
);

test('offers viewers no forbidden action and shows the reason in its place', async ({ page, service }) => {
  await visitDemo(page, service);
  await page.goto('/settings/api-keys');
  await page.getByRole('note').getByText('The shared demo account has no keys').waitFor();
  assert.equal(await page.getByRole('button', { name: /key/i }).count(), 0);
  await assertAccessible(page, 'the API keys page of a viewer');
  await page.goto('/settings/assistant');
  await page.getByRole('note').getByText('Tokens are not available in the shared demo account').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Create token' }).count(), 0);
  await assertAccessible(page, 'the page of tokens of a viewer');
  await page.goto('/settings/security');
  await page.getByRole('note').getByText('The shared demo account has no password').waitFor();
  assert.equal(await page.getByLabel('Current password').count(), 0);
  await page.goto('/settings/invite');
  await page.getByRole('note').getByText('The shared demo account has no link').waitFor();
  await assertAccessible(page, 'the page to invite friends of a viewer');
  await page.goto('/plans');
  await page.getByRole('note').getByText('The plan of the shared demo account cannot be changed.').waitFor();
  await page.goto('/settings');
  await page.getByText('After signing out you need a new link').waitFor();
});

test('shows a member nothing of the demo account', async ({ page }) => {
  await register(page);
  await page.goto('/settings/api-keys');
  await page.getByRole('button', { name: 'Create key' }).waitFor();
  assert.equal(await getAccountNotice(page).count(), 0);
});

test('informs a viewer of a withdrawn link without asking for a password', async ({ page, service }) => {
  const id = await visitDemo(page, service);
  await page.goto('/dashboard');
  await page.getByRole('list', { name: 'Watched tickers' }).waitFor();
  const { url, firstRun } = service;
  const revoked = await fetch(`${url}/api/internal/demo-access/${id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${firstRun.operator_token}` },
  });
  assert.equal(revoked.status, 200);
  await page.getByRole('button', { name: 'Arrange' }).waitFor();
  await openSettings(page);
  // The dialog may cover the link by now.
  await page.getByRole('link', { name: 'Billing' }).dispatchEvent('click');
  const dialog = page.getByRole('dialog', { name: 'Your demo session has ended' });
  await dialog.waitFor();
  assert.equal(await dialog.getByLabel('Password').count(), 0);
  await assertAccessible(page, 'the end of a visit', dialog);
  await dialog.getByRole('button', { name: 'Leave the demo' }).click();
  await heading(page, 'Sign in').waitFor();
  assert.equal(await getAccountNotice(page).count(), 0);
});

test('shows a 404 page with the reason when the revenue report has no token', async ({ page, service }) => {
  assert.equal(service.firstRun.revenue_operator_token, undefined);
  assert.equal((await page.goto('/operator/revenue'))?.status(), 404);
  await page.getByRole('textbox', { name: 'Operator’s token' }).fill('0'.repeat(64));
  await page.getByRole('button', { name: 'Show the report' }).click();
  await page.getByText('This deployment has no revenue report: REVENUE_OPERATOR_TOKEN is not set.').waitFor();
});
