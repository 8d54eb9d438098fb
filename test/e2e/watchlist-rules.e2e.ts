import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import type { Watchlist, WatchedEarnings } from '../../src/features/watchlist/contract.ts';
import { eventually } from '../support/eventually.ts';
import { simulateTabRefocus } from './simulate-tab-refocus.ts';
import { shareMember } from './fixtures.ts';
import {
  getCard,
  waitForSavedOrder,
  WATCHLIST_URL,
  refreshAfterRemoteChange,
  rereadWatchlist,
  createMemberWith,
  replaceWatchlist,
  getRows,
  getSearchField,
  setTier,
  waitForRows,
  getCatalogSymbols,
  startTour,
  addToWatchlist,
} from './watchlist-card.ts';
import { getHoldings } from './home-holdings.ts';

// Covers what the card shows and how it behaves, except for the topics of the other files.
const test = shareMember((page, service) => createMemberWith(page, service, []));
const row = (page: Page, place: number): Locator =>
  getCard(page).getByRole('list', { name: 'Watched tickers' }).getByRole('listitem').nth(place);

/** Changes the service's response where a test cannot cause it by other means. */
async function changeItems<Answer>(
  page: Page,
  address: string | RegExp,
  change: (answer: Answer) => Answer,
): Promise<void> {
  await page.route(address, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    const response = await route.fetch();
    await route.fulfill({ response, json: change((await response.json()) as Answer) });
  });
}

test('rejects every edit in the demo with a sentence and keeps the list', async ({ page, service, member }) => {
  await startTour(page);
  await getCard(page).getByText('Start your watchlist').waitFor();
  await getCard(page).getByText('0 of 20').waitFor(); // An empty list of the Free plan.
  await getCard(page).getByRole('option', { name: /^AAPL/ }).click();
  const notice = page.getByRole('status').getByText('Could not add Apple. The sample cannot be changed.');
  await notice.waitFor();
  assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0, 'trying again would not help');
  await getCard(page).getByText('Start your watchlist').waitFor();
  await waitForSavedOrder(service, member, []);
  await page.getByRole('button', { name: 'End sample' }).click();
  await getCard(page).getByText('0 of 20').waitFor();
  assert.equal(await notice.count(), 0, 'the rejection of the tour is no longer shown');
});

test('shows the logos of the popular six and requests no missing picture', async ({ page, service, member }) => {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  await replaceWatchlist(page, service, member, []);
  const option = (symbol: string): Locator =>
    getCard(page)
      .getByRole('group', { name: 'Popular' })
      .getByRole('option', { name: new RegExp(`^${symbol}`) });
  const drawn = (symbol: string): Promise<unknown> =>
    option(symbol)
      .locator('img')
      .evaluate((image: HTMLImageElement) => image.decode());
  await drawn('AAPL');
  await drawn('VOO');
  await drawn('MSFT');
  await option('AAPL').click();
  await waitForRows(page, ['AAPL']);
  assert.equal(
    await row(page, 0).locator('img').getAttribute('src'),
    await option('AAPL').locator('img').getAttribute('src'),
    'the picture is the same',
  );
  await waitForSavedOrder(service, member, ['AAPL']);
  assert.deepEqual(faults, []);
});

test(
  'shows the registry’s logo, else the issuer’s badge, else a monogram',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await replaceWatchlist(page, service, member, ['AAPL', 'VOO', 'CSCO', 'KO']);
    // A provider may lack a company's logo, while each sample security has one.
    const logos: Readonly<Record<string, string | null>> = { CSCO: null, KO: '/api/logos/nobody.svg' };
    await changeItems<Watchlist>(page, WATCHLIST_URL, (list) => ({
      ...list,
      items: list.items.map((item) => (item.symbol in logos ? { ...item, logo: logos[item.symbol] ?? null } : item)),
    }));
    const requestedUrls: string[] = [];
    page.on('request', (request) => requestedUrls.push(new URL(request.url()).pathname));
    await rereadWatchlist(page);
    assert.equal(await row(page, 0).locator('img').getAttribute('src'), '/api/logos/registry/AAPL');
    assert.equal(await row(page, 1).locator('img').getAttribute('src'), '/api/logos/vanguard.svg');
    await row(page, 2).getByText('CS', { exact: true }).waitFor();
    assert.equal(await row(page, 2).locator('img').count(), 0);
    await row(page, 3).scrollIntoViewIfNeeded();
    await row(page, 3).getByText('KO', { exact: true }).nth(1).waitFor();
    assert.equal(await row(page, 3).locator('img').count(), 0);
    await page.reload();
    await waitForRows(page, ['AAPL', 'VOO', 'CSCO', 'KO']);
    await row(page, 3).scrollIntoViewIfNeeded();
    await row(page, 3).getByText('KO', { exact: true }).nth(1).waitFor();
    assert.equal(
      requestedUrls.filter((path) => path.endsWith('/nobody.svg')).length,
      1,
      'one that is not there: once a day',
    );
    // Two adjacent monograms differ in more than their letters.
    const tints = await getCard(page)
      .locator('span[aria-hidden]')
      .filter({ hasText: /^(CS|KO)$/ })
      .evaluateAll((marks) => marks.map((mark) => getComputedStyle(mark).backgroundColor));
    assert.equal(new Set(tints).size, 2, tints.join());
  },
);

test('shows prices in the listing’s currency, and bonds in percent of par', async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, ['VOD.L', 'VFIAX', '91282CBL4']);
  // A row has no text before the frame in which it comes into view.
  await eventually(async () => (await row(page, 0).innerText()) !== '');
  assert.match(await row(page, 0).innerText(), /£[\d,.]+/);
  assert.match(await row(page, 1).innerText(), /\$[\d,.]+\s+–/);
  assert.match(await row(page, 2).innerText(), /[\d.]+% of par\s+–/);
  assert.doesNotMatch(await row(page, 2).innerText(), /[$£€]/);
  assert.equal(await row(page, 0).locator('svg[preserveAspectRatio=none] path').count(), 1);
  for (const place of [1, 2])
    assert.equal(await row(page, place).locator('svg[preserveAspectRatio=none] path').count(), 0);
});

test('shows the list with a notice when status, charts or fresh prices are missing', async ({
  page,
  service,
  member,
}) => {
  await replaceWatchlist(page, service, member, ['AAPL', 'MSFT']);
  await changeItems<Watchlist>(page, WATCHLIST_URL, (list) => ({
    ...list,
    market: null,
    history: 'unavailable',
    tier_stale: true,
    items: list.items.map((item) => (item.locked ? item : { ...item, closes: null, delayed_minutes: 15 })),
  }));
  await rereadWatchlist(page);
  await getCard(page).getByText('Charts are temporarily unavailable.').waitFor();
  await getCard(page).getByText('delayed up to 15 min').waitFor();
  await getCard(page).getByText('We cannot check your plan right now').waitFor();
  assert.doesNotMatch(await getCard(page).innerText(), /Market (open|closed)|Pre-market|After hours/);
});

test('adds at +, marks watched rows and removes at the minus under the pointer', async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, ['MSFT']);
  await getCard(page).getByRole('button', { name: 'Add tickers' }).click();
  const apple = getCard(page).getByRole('option', { name: /^AAPL/ });
  await apple.waitFor();
  assert.equal(await apple.getAttribute('aria-selected'), 'false');
  await apple.click();
  await getCard(page)
    .getByRole('option', { name: /^AAPL.*watching/ })
    .waitFor();
  assert.equal(await apple.getAttribute('aria-selected'), 'true');
  await waitForSavedOrder(service, member, ['MSFT', 'AAPL']);
  const readShownSymbols = (): Promise<string[]> =>
    apple
      .locator('svg path')
      .evaluateAll((minusSigns) =>
        minusSigns.filter((sign) => sign.getClientRects().length > 0).map((sign) => sign.getAttribute('d') ?? ''),
      );
  await apple.hover();
  const [minus] = await readShownSymbols();
  await getSearchField(page).hover();
  await page.waitForFunction(
    (sign) =>
      ![...document.querySelectorAll('[role=option][aria-selected=true] svg path')].some(
        (path) => path.getClientRects().length > 0 && path.getAttribute('d') === sign,
      ),
    minus,
  );
  const [check] = await readShownSymbols();
  assert.notEqual(check, minus);
  await apple.click();
  await waitForSavedOrder(service, member, ['MSFT']);
});

test('shows a row for adding under a list of up to five, which opens the search', async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, ['AAPL', 'MSFT', 'NVDA', 'VOO', 'KO']);
  const addRow = getCard(page).getByRole('button', { name: 'Add a ticker' });
  await addRow.click();
  await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'combobox');
  assert.equal(await addRow.count(), 0, 'the search is there');
  await page.keyboard.press('Escape');
  await addRow.waitFor();
  await addToWatchlist(service, member, ['PEP']);
  await refreshAfterRemoteChange(page, ['AAPL', 'MSFT', 'NVDA', 'VOO', 'KO', 'PEP']);
  assert.equal(await addRow.count(), 0, 'the list is no longer short');
});

test('shows a chip in market days when a company reports within seven days', async ({ page, service, member }) => {
  const watched = ['AAPL', 'MSFT', 'NVDA', 'KO', 'VOO'];
  await replaceWatchlist(page, service, member, watched);
  const getDateInDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  await changeItems<WatchedEarnings>(page, '**/api/watchlist/earnings', (answer) => ({
    ...answer,
    earnings: (
      [
        ['AAPL', 0, 0, 'Today'],
        ['MSFT', 1, 1, 'Tmrw'],
        ['NVDA', 5, 3, '3d'],
        ['KO', 12, 8, null],
      ] as const
    ).map(([symbol, days, marketDays, chip]) => ({
      symbol,
      name: symbol,
      date: getDateInDays(days),
      when: null,
      eps_estimate: null,
      eps_currency: null,
      estimated: true,
      sample: false,
      held: false,
      watching: true,
      market_days: marketDays,
      chip,
    })),
  }));
  await page.reload();
  await waitForRows(page, watched);
  await row(page, 0).getByText('Today', { exact: true }).waitFor();
  await row(page, 1).getByText('Tmrw', { exact: true }).waitFor();
  await row(page, 2).getByText('3d', { exact: true }).waitFor();
  for (const place of [3, 4]) assert.doesNotMatch(await row(page, place).innerText(), /\dd\b|Today|Tmrw/);
  assert.match((await getRows(page).nth(2).getAttribute('aria-label')) ?? '', /reports in 3 market days/);
});

test('opens Add investment from “I bought this” until the security is held', async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, ['MSFT', 'AAPL']);
  await getRows(page).first().click();
  const panel = page.getByRole('dialog', { name: 'Microsoft Corporation' });
  await panel.getByText('52-week range').waitFor();
  assert.equal(await panel.getByRole('button', { name: /assistant/i }).count(), 0);
  await panel.getByRole('button', { name: 'I bought this' }).click();
  await panel.waitFor({ state: 'detached' });
  const form = page.getByRole('dialog', { name: 'Add investment' });
  await form.getByRole('group', { name: 'Security' }).getByText('MSFT').waitFor();
  await page.waitForFunction(() => document.activeElement?.id === 'quantity');
  await page.keyboard.type('2');
  await page.keyboard.press('Enter');
  await form.waitFor({ state: 'detached' });
  await getHoldings(page).getByText('MSFT').waitFor();
  await getRows(page).first().click();
  await panel
    .getByRole('region', { name: 'Your position' })
    .getByText(/^2 · \$/)
    .waitFor();
  assert.equal(await panel.getByRole('button', { name: 'I bought this' }).count(), 0);
});

test('announces one locked ticker in the singular and unlocks it after an upgrade', async ({
  page,
  service,
  member,
}) => {
  const many = await getCatalogSymbols(service, 21);
  await replaceWatchlist(page, service, member, many, many.slice(0, 20));
  await getCard(page).getByText('1 more saved ticker is locked').waitFor();
  await setTier(service, member, 'pro');
  await refreshAfterRemoteChange(page, many);
  assert.equal(
    await getCard(page)
      .getByText(/saved tickers? (is|are) locked/)
      .count(),
    0,
  );
});

test(
  'sorts and cycles a long list as a whole, including rows off screen',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    const watched = await getCatalogSymbols(service, 90);
    await setTier(service, member, 'max');
    await replaceWatchlist(page, service, member, watched);
    const list = getCard(page).getByRole('list', { name: 'Watched tickers' });
    await list.evaluate((element) => element.scrollTo(0, 3_000));
    const sorted = await service.database.owner<{ symbol: string }>(
      `select symbol from public.tracked_tickers_latest where symbol = any($1)
      order by lower(name) collate "und-x-icu", symbol`,
      [watched],
    );
    await getCard(page).getByRole('combobox', { name: 'Sort' }).selectOption('Name A-Z');
    await waitForRows(
      page,
      sorted.map(({ symbol }) => symbol),
    );
    const percents = list.getByRole('button', { includeHidden: true }).filter({ hasText: '%' });
    assert.ok((await percents.count()) > 60);
    await getCard(page).getByRole('button', { name: /Day %/ }).click();
    await eventually(async () => (await percents.count()) === 0);
  },
);

test(
  'hides an earnings chip of yesterday in New York and reads the list again',
  { tag: '@slow' },
  async ({ visit, service }) => {
    const page = await visit();
    await createMemberWith(page, service, ['AAPL']);
    const { promise: midnightAnswer, resolve: answerAfterMidnight } = Promise.withResolvers<void>();
    let chip: 'Tmrw' | 'Today' = 'Tmrw';
    await page.route('**/api/watchlist/earnings', async (route) => {
      if (chip === 'Today') await midnightAnswer;
      const report = { symbol: 'AAPL', name: 'Apple Inc.', date: '2026-11-24', when: null };
      const rest = {
        eps_estimate: null,
        eps_currency: null,
        estimated: true,
        sample: true,
        held: false,
        watching: true,
        market_days: chip === 'Today' ? 0 : 1,
      };
      const answer: WatchedEarnings = { earnings: [{ ...report, ...rest, chip }], complete: true, sample_data: true };
      await route.fulfill({ json: answer });
    });
    await page.reload();
    await row(page, 0).getByText('Tmrw', { exact: true }).waitFor();
    chip = 'Today';
    await page.clock.setFixedTime(Date.now() + 24 * 3_600_000);
    await simulateTabRefocus(page);
    await row(page, 0).getByText('Tmrw', { exact: true }).waitFor({ state: 'detached' });
    answerAfterMidnight();
    await row(page, 0).getByText('Today', { exact: true }).waitFor();
  },
);

test('separates the choices of two members in one browser', { tag: '@slow' }, async ({ visit, service }) => {
  const page = await visit();
  const person = await createMemberWith(page, service, ['VOO', 'AAPL', 'MSFT']);
  const sort = getCard(page).getByRole('combobox', { name: 'Sort' });
  await sort.selectOption('Name A-Z');
  await waitForRows(page, ['AAPL', 'MSFT', 'VOO']);
  await getCard(page).getByRole('button', { name: /Day %/ }).click();
  await getCard(page)
    .getByRole('button', { name: /Day \$/ })
    .waitFor();
  await page.getByRole('button', { name: 'Arrange' }).click();
  await page.getByRole('button', { name: 'Remove Watchlist' }).click();
  await getCard(page).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Add card' }).click();
  const preview = page.getByRole('dialog', { name: 'Add card' }).locator('[inert]').filter({ hasText: 'My order' });
  await preview.getByText('Day %').waitFor();
  await preview.getByText('MSFT').waitFor();
  assert.match(await preview.innerText(), /VOO[\s\S]*AAPL[\s\S]*MSFT/);
  await page.getByRole('button', { name: 'Add Watchlist' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: `Account of ${person.email}` }).click();
  // The test leaves the page at once. The session has ended when its call returns.
  const ended = page.waitForResponse(
    (response) => response.url().includes('/_idp/') && response.request().method() !== 'GET',
  );
  await page.getByRole('button', { name: 'Sign out' }).click();
  await (await ended).finished();
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  await createMemberWith(page, service, ['VOO', 'AAPL']);
  assert.equal(await sort.locator('option:checked').innerText(), 'My order');
  await getCard(page).getByRole('button', { name: /Day %/ }).waitFor();
});
