import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { allVariants, assertAccessibleInAllVariants } from '../support/browser.ts';
import { disableRollout } from '../support/watchlist.ts';
import { shareMember } from './fixtures.ts';
import { registerSampleMember } from './sample-member.ts';
import { getCatalogSymbols, getRows, replaceWatchlist, waitForSavedOrder } from './watchlist-card.ts';

const test = shareMember((page, service) => registerSampleMember(page, service, 'free'));
const getPanel = (page: Page): Locator => page.getByRole('dialog');

/** Opens the dashboard and waits for its list. A refocus does not repeat a request that is still running. */
async function openDashboard(page: Page): Promise<void> {
  await page.goto('/dashboard');
  await getRows(page).first().waitFor();
}

/** Opens a ticker, goes back, and asserts that the focus is on the ticker again. */
async function openAndGoBack(page: Page, ticker: Locator): Promise<void> {
  const symbol = /[?&]symbol=([^&]+)/.exec((await ticker.getAttribute('href'))!)![1]!;
  await ticker.press('Enter');
  await getPanel(page).getByText(decodeURIComponent(symbol), { exact: true }).waitFor();
  assert.match(page.url(), new RegExp(`[?]symbol=${symbol}$`));
  await page.goBack();
  await getPanel(page).waitFor({ state: 'detached' });
  assert.equal(new URL(page.url()).search, '');
  assert.equal(await ticker.evaluate((element) => element === document.activeElement), true, symbol);
}

test('goes back to the tickers that it opened', async ({ page }) => {
  await page.goto('/dashboard');
  for (const card of ['Holdings', 'Upcoming earnings', 'Latest news'])
    await openAndGoBack(
      page,
      page.getByRole('region', { name: card, exact: true }).locator('a[href*="symbol="]').first(),
    );
  await page.goto('/settings?symbol=AAPL&range=1Y');
  const panel = page.getByRole('dialog', { name: 'Apple Inc.' });
  await panel.getByRole('slider', { name: 'Daily closes of AAPL, 1Y' }).waitFor();
  const position = panel.getByRole('region', { name: 'Your position' });
  await position.getByText(/gain/).first().waitFor();
  await panel.getByRole('region', { name: 'News about AAPL' }).getByRole('link').first().waitFor();
  await panel.getByRole('region', { name: 'About Apple Inc.' }).waitFor();
  await assertAccessibleInAllVariants(page, 'a held security', allVariants, panel);
});

test('keeps the focus on a security that it watches', { tag: '@slow' }, async ({ page, service, member }) => {
  await openDashboard(page);
  await replaceWatchlist(page, service, member, ['MSFT']);
  await page.goto('/settings?symbol=KO');
  const panel = getPanel(page);
  await panel.getByRole('button', { name: 'Add investment' }).waitFor();
  await panel.getByRole('button', { name: 'Watch', exact: true }).press('Enter');
  await panel.getByRole('button', { name: 'Remove' }).waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent === 'I bought this');
  await waitForSavedOrder(service, member, ['MSFT', 'KO']);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  assert.match(page.url(), /\/settings$/);
});

test('shows only name and notice of a symbol that is locked and not held', async ({ page, service, member }) => {
  const symbols = (await getCatalogSymbols(service, 21)).filter((symbol) => symbol !== 'KO').slice(0, 20);
  await openDashboard(page);
  await replaceWatchlist(page, service, member, [...symbols, 'KO'], symbols);
  await page.goto('/settings?symbol=ko');
  const panel = page.getByRole('dialog', { name: 'The Coca-Cola Company' });
  await panel.getByText('KO is locked on your plan').waitFor();
  await panel.getByRole('link', { name: 'Upgrade' }).waitFor();
  assert.doesNotMatch(await panel.innerText(), /\$|%|P\/E|News|Volume/);
  assert.equal(await panel.getByRole('slider').count(), 0);
  await assertAccessibleInAllVariants(page, 'a locked security', allVariants, panel);
});

test(
  'offers no Watch and reads no watchlist outside the rollout',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    const [row] = await service.database.owner<{ idp_id: string }>(
      'select idp_id from public.all_users where email = $1',
      [member.email],
    );
    await disableRollout(service.database, row!.idp_id);
    const paths: string[] = [];
    page.on('request', (request) => paths.push(new URL(request.url()).pathname));
    // The service may know the flag for a few seconds longer.
    let isOffered = true;
    for (let attempt = 0; isOffered && attempt < 60; attempt += 1) {
      paths.length = 0;
      const response = page.waitForResponse('**/api/securities/KO');
      await page.goto('/settings?symbol=KO');
      isOffered = 'watched' in ((await (await response).json()) as object);
    }
    const panel = page.getByRole('dialog', { name: 'The Coca-Cola Company' });
    await panel.getByRole('button', { name: 'Add investment' }).waitFor();
    assert.equal(await panel.getByRole('button', { name: 'Watch', exact: true }).count(), 0);
    assert.deepEqual(
      paths.filter((path) => path.startsWith('/api/watchlist')),
      [],
    );
  },
);
