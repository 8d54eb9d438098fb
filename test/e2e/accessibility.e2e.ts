import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { assertAccessible, forEachVariant, a11yScenarios } from '../support/browser.ts';
import type { TestService } from '../support/service.ts';
import { test } from './fixtures.ts';
import { endSessionRemotely, openApiKeys, openSettings, signUp } from './people.ts';
import { openSampleDashboard } from './sample-member.ts';

/** Opens each page for visitors in each of its states. */
async function walkAsVisitor(page: Page, check: (state: string) => Promise<void>): Promise<void> {
  for (const [path, heading] of [
    ['/', /Your whole portfolio/],
    ['/sign-up', /Create your account/],
    ['/sign-in', /Sign in/],
    ['/developers', /Developers/],
    ['/privacy', /Privacy/],
    ['/terms', /Terms/],
    ['/no/such/page', /Page not found/],
  ] as const) {
    await page.goto(path);
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    await check(path);
    if (path === '/sign-in')
      await test.step('runs no animation longer than 1 ms with reduced motion', () => assertNoMotion(page));
  }
  await page.goto('/sign-up?ref=Qm7XvT3kWz9B');
  await page.getByRole('status').getByText('This invitation is not valid').waitFor();
  await check('/sign-up with an invitation that is none');
  await page.goto('/sign-up');
  await page.getByRole('main').getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('alert').waitFor();
  await check('/sign-up with errors');
}

/** Opens each page for members in each of its states, and then ends the session. */
async function walkAsMember(page: Page, check: (state: string) => Promise<void>): Promise<void> {
  await page.clock.install();
  const { email } = await signUp(page);
  await check('/dashboard, empty');
  await page.getByRole('button', { name: `Account of ${email}` }).click();
  await page.getByRole('group', { name: 'Account', exact: true }).waitFor();
  await check('/dashboard with the account open');
  await page.keyboard.press('Escape');
  await page.goto('/settings');
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await check('/settings');
  await test.step('marks the chosen theme and passes axe-core with forced colors', () => readForcedColorMarks(page));
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Invite friends' }).click();
  await page.getByRole('img', { name: 'QR code of your link' }).waitFor();
  await page.getByText('No sign-ups yet.').waitFor();
  await check('/settings/invite');
  await openApiKeys(page);
  await page.getByText('No keys yet.').waitFor();
  await check('/settings/api-keys, none');
  await page.getByLabel('Name').fill('A program with a rather long name that has to be broken somewhere');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('button', { name: 'Copy the key' }).waitFor();
  await check('/settings/api-keys with a new key');
  await page.getByRole('button', { name: /^Revoke A program/ }).click();
  await page.getByRole('dialog').waitFor();
  await check('/settings/api-keys, asking before a revocation');
  await page.getByRole('button', { name: 'Revoke the key' }).click();
  await page.getByText('Revoked', { exact: true }).waitFor();
  await check('/settings/api-keys with a revoked key');
  await openSettings(page);
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Assistant' }).click();
  await page.getByText('No tokens yet.').waitFor();
  await check('/settings/assistant, none');
  await page.getByLabel('Name').fill('A computer with a rather long name that has to be broken somewhere');
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByRole('button', { name: 'Copy the token' }).waitFor();
  await check('/settings/assistant with a new token');
  await page.getByRole('button', { name: /^Revoke A computer/ }).click();
  await page.getByRole('dialog').waitFor();
  await check('/settings/assistant, asking before a revocation');
  await page.getByRole('button', { name: 'Revoke the token' }).click();
  await page.getByText('Revoked', { exact: true }).waitFor();
  await check('/settings/assistant with a revoked token');
  await openApiKeys(page);
  await page.getByText('Revoked', { exact: true }).waitFor();
  await page.context().setOffline(true);
  await page.getByText('You are offline.').waitFor();
  await check('/settings/api-keys, offline');
  await page.context().setOffline(false);
  await endSessionRemotely(page);
  await page.clock.fastForward(60_000);
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  await check('/settings/api-keys under the sign-in dialog');
}

/** Opens each page with a member's data, and the panels and dialogs that open over any page. */
async function walkAsHolder(page: Page, check: (state: string) => Promise<void>, service: TestService): Promise<void> {
  await openSampleDashboard(page, service, 'pro');
  for (const path of [
    '/portfolio',
    '/watchlist',
    '/assistant',
    '/plans',
    '/settings/connections',
    '/settings/billing',
  ]) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForFunction(() => document.querySelector('main .skeleton') === null);
    await check(`${path} of a holder`);
  }
  for (const path of ['/developers', '/developers/playground', '/privacy']) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await check(`${path} of a member`);
  }
  const dialog = page.getByRole('dialog');
  await page.goto('/portfolio?symbol=AAPL');
  await dialog.getByRole('region', { name: 'Your position' }).waitFor();
  await dialog.getByRole('region', { name: 'News about AAPL' }).getByRole('link').first().waitFor();
  await check('/portfolio with a held security');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('/');
  const field = dialog.getByRole('combobox', { name: 'Search securities, pages and actions' });
  await field.fill('a');
  await dialog.getByRole('option').first().waitFor();
  await check('/portfolio with the search');
  await field.fill('');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('main').getByRole('button', { name: 'Import', exact: true }).first().click();
  await dialog.getByLabel('Or paste rows').fill('Account,Symbol,Quantity\nBroker,AAPL,12\nBroker,KO,lots\n');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByRole('heading', { name: 'Errors (1)' }).waitFor();
  await check('/portfolio with the preview of an import');
}

/** Throws if the page is wider than the screen. A page that scrolls sideways is unreadable on a phone. */
async function assertFits(page: Page, state: string): Promise<void> {
  const [content, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(content <= screen, `${state} is ${content} pixels wide on a screen of ${screen}`);
}

async function readForcedColorMarks(page: Page): Promise<void> {
  await page.emulateMedia({ forcedColors: 'active' });
  const chosen = page.locator('.theme-option:has(:checked)');
  assert.notEqual(await chosen.evaluate((label) => getComputedStyle(label).outlineStyle), 'none');
  await assertAccessible(page, '/settings in forced colors');
  await page.emulateMedia({ forcedColors: 'none' });
}

async function assertNoMotion(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const maxDurationMs = await page.evaluate(async () => {
    // An earlier animation may still run: the change of the theme.
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
    const probe = Object.assign(document.createElement('span'), { className: 'skeleton' });
    document.body.append(probe);
    const moving = document.getAnimations();
    const times = moving.map((animation) => Number(animation.effect?.getComputedTiming().endTime ?? 0));
    probe.remove();
    return Math.max(...times);
  });
  assert.ok(maxDurationMs <= 1, `an animation runs for ${maxDurationMs} ms`);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
}

for (const scenario of a11yScenarios) {
  for (const [who, walk] of [
    ['visitors', walkAsVisitor],
    ['members', walkAsMember],
    ['holders', walkAsHolder],
  ] as const) {
    test(
      `passes axe-core and fits for ${who} from ${scenario.theme}, ${scenario.size}`,
      { tag: '@slow' },
      async ({ service, visit }) => {
        // The walk of a member goes offline, where the renewal of the session may fail.
        const page = await visit({ ...scenario, expected: [/ERR_INTERNET_DISCONNECTED/] });
        const check = async (state: string): Promise<void> => {
          await forEachVariant(page, scenario, async (variantName) => {
            await assertAccessible(page, `${state} (${variantName})`);
            await assertFits(page, state);
          });
          // A phone of 320 pixels, equal to a desktop at 400 %.
          const before = page.viewportSize()!;
          await page.setViewportSize({ width: 320, height: 640 });
          await assertFits(page, state);
          await page.setViewportSize(before);
        };
        await walk(page, check, service);
      },
    );
  }
}
