import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { assertAccessibleInAllVariants, a11yScenarios } from '../support/browser.ts';
import { getDatabaseSettings } from '../support/service.ts';
import { test } from './fixtures.ts';

const field = (page: Page) => page.getByRole('textbox', { name: 'Operator’s token' });
const { OPERATOR_TOKEN: token } = getDatabaseSettings({ urls: { authenticator: '', service: '' } } as never);

test('signs the operator in, deletes a member after a question, and signs out', async ({ service, visit }) => {
  const [walk] = a11yScenarios;
  const page = await visit(walk);
  const email = `operator-${Date.now()}@example.com`;
  await service.database.owner(`insert into public.all_users (idp_id, email) values ($1, $2)`, [
    `user_${Date.now()}`,
    email,
  ]);
  await page.goto('/operator');
  await field(page).fill(service.firstRun.operator_token);
  await field(page).press('Enter');
  await page.getByText('This token is not valid.').waitFor();
  await assertAccessibleInAllVariants(page, "the operator's token is asked for", walk);
  await field(page).fill(token);
  await field(page).press('Enter');
  await page.getByRole('rowheader', { name: 'migrations' }).waitFor();

  await page.getByRole('textbox', { name: 'Id, or part of an address' }).fill('demo@');
  await page.getByRole('button', { name: 'Find' }).click();
  const members = page.getByRole('region', { name: 'Members', exact: true });
  await members.getByText('Demo account').waitFor();
  await page.getByRole('textbox', { name: 'Id, or part of an address' }).fill(email);
  await page.getByRole('button', { name: 'Find' }).click();
  await members.getByRole('button', { name: `Delete ${email}` }).click();
  await assertAccessibleInAllVariants(page, 'a deletion is asked for', walk);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('There are no such members.').waitFor();
  await assertAccessibleInAllVariants(page, "the operator's page", walk);
  await page.setViewportSize({ width: 320, height: 640 });
  const [content, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(content <= screen, `${content} pixels wide on a screen of ${screen}`);

  await page.reload();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await field(page).waitFor();
  await page.reload();
  await field(page).waitFor();
  assert.equal(await page.evaluate(() => document.cookie.includes('tally_operator')), false);
});
