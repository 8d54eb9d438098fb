import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { themes } from '../support/browser.ts';
import { expectedOnEntryTour, tourEntryPage } from '../e2e/demo-entry-tour.ts';
import { test } from '../e2e/fixtures.ts';
import { openSampleDashboard } from '../e2e/sample-member.ts';
import { getRows } from '../e2e/watchlist-card.ts';
import { expectedOnTour, tourWatchlist } from '../e2e/watchlist-tour.ts';
import { getHoldings } from '../e2e/home-holdings.ts';

// `npm run screens` saves a screenshot of every screen at four widths in both themes to .tmp/screens, which git
// ignores.

const FOLDER = fileURLToPath(new URL('../../.tmp/screens/', import.meta.url));
const WIDTHS = [320, 768, 1280, 1920];
const DESKTOP = { width: 1280, height: 900 };

/**
 * Saves screenshots of the page at each width in each theme. Resets the page to the desktop width and the light theme.
 */
async function takeScreens(page: Page, name: string): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ ...DESKTOP, width });
      // A dialog fits the window, and the page of the API is too long for one image.
      const fullPage = !page.url().endsWith('/docs') && (await page.locator('dialog[open]').count()) === 0;
      // The browser does not render rows below the window until they are scrolled into view.
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      if (fullPage) await page.setViewportSize({ width, height });
      // Logos are loaded when their row is in view, and in some states a logo never loads.
      const isComplete = () => [...document.images].every((image) => image.complete);
      await page.waitForFunction(isComplete, null, { timeout: 2_000 }).catch(() => {});
      await page.screenshot({ path: `${FOLDER}${name}-${width}-${colorScheme}.png`, fullPage, animations: 'disabled' });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(DESKTOP);
}

const toFileName = (path: string): string => path.slice(1).replaceAll(/\W+/g, '-') || 'landing';

async function takePages(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForFunction(() => document.querySelector('main .skeleton') === null);
    await takeScreens(page, toFileName(path));
  }
}

test('captures the pages of visitors and operators', async ({ page, service }) => {
  await takePages(page, ['/', '/sign-in', '/sign-up', '/sign-up?ref=Qm7XvT3kWz9B', '/no/such/page', '/docs']);
  await takePages(page, ['/developers', '/developers/playground', '/privacy', '/terms', '/operator/revenue']);
  const token = page.getByRole('textbox', { name: 'Operator’s token' });
  await token.fill(service.firstRun.revenue_operator_token!);
  await token.press('Enter');
  await page.getByRole('heading', { name: 'Movements by month' }).waitFor();
  await takeScreens(page, 'operator-revenue-report');
});

test('captures the pages of a member', async ({ page, service }) => {
  await openSampleDashboard(page, service, 'pro');
  await getHoldings(page).waitFor();
  await getRows(page).first().waitFor();
  await takeScreens(page, 'dashboard');
  const dialog = page.locator('dialog[open]');
  const dialogs = {
    'Add investment': dialog.getByRole('combobox', { name: 'Security' }),
    Accounts: dialog.getByRole('list', { name: 'Your accounts' }),
  };
  for (const [name, content] of Object.entries(dialogs)) {
    await page.getByRole('button', { name, exact: true }).first().click();
    await content.waitFor();
    await takeScreens(page, `dashboard-${toFileName(`/${name.toLowerCase()}`)}`);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
  const settings = ['', '/connections', '/billing', '/api-keys', '/assistant', '/invite'];
  await takePages(page, [
    '/portfolio',
    '/watchlist',
    '/assistant',
    '/settings?symbol=VOO',
    '/plans',
    '/plans/return',
    '/connections/return',
    ...settings.map((screenPath) => `/settings${screenPath}`),
  ]);
});

test('captures the states of the watchlist', async ({ visit, service }) => {
  const page = await visit({ expected: expectedOnTour });
  await tourWatchlist(page, service, (state) => takeScreens(page, `watchlist-${state}`));
});

test('captures the states of the sign-in link page', async ({ visit, service }) => {
  const page = await visit({ expected: expectedOnEntryTour });
  await tourEntryPage(page, service, (state) => takeScreens(page, `demo-access-${state}`));
});
