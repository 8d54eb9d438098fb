import assert from 'node:assert/strict';
import { simulateTabRefocus } from './simulate-tab-refocus.ts';
import { shareMember } from './fixtures.ts';
import {
  getCard,
  waitForSavedOrder,
  createMemberWith,
  replaceWatchlist,
  waitForRolloutEnd,
  getRows,
  getSearchField,
  waitForRows,
  getCatalogSymbols,
  readSymbols,
} from './watchlist-card.ts';

const test = shareMember((page, service) => createMemberWith(page, service, []));
const FIVE = ['AAPL', 'MSFT', 'NVDA', 'VOO', 'AMZN'];

test('offers search and six popular tickers on a new list', async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, []);
  await getCard(page).getByText('Start your watchlist').waitFor();
  const options = getCard(page).getByRole('group', { name: 'Popular' }).getByRole('option');
  await options.first().waitFor();
  assert.equal(await options.count(), 6);
  assert.equal(await getCard(page).getByText('0 of 20').count(), 1);
  assert.equal(await getSearchField(page).evaluate((field) => field === document.activeElement), false);
});

test('keeps the search open after the first pick until Done closes it', async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, []);
  assert.equal(await getCard(page).getByRole('button', { name: 'Done' }).count(), 0);
  await getCard(page).getByRole('option', { name: /Apple/ }).click();
  await waitForRows(page, ['AAPL']);
  await getCard(page)
    .getByRole('option', { name: /Apple.*watching/ })
    .waitFor();
  await getCard(page).getByText('1 of 20', { exact: true }).waitFor();
  await getCard(page)
    .getByRole('option', { name: /NVIDIA/ })
    .click();
  await waitForRows(page, ['AAPL', 'NVDA']);
  await getCard(page).getByRole('button', { name: 'Done' }).click();
  await getSearchField(page).waitFor({ state: 'detached' });
  await waitForSavedOrder(service, member, ['AAPL', 'NVDA']);
});

test('searches by keyboard with arrows, Enter to toggle and Escape to clear', async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, ['MSFT']);
  await getCard(page).getByRole('button', { name: 'Add tickers' }).press('Enter');
  await getSearchField(page).waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'combobox');
  await page.keyboard.type('apple');
  await getCard(page)
    .getByRole('option', { name: /^AAPL.*Apple Inc/ })
    .waitFor();
  await page.keyboard.press('Enter');
  await waitForRows(page, ['MSFT', 'AAPL']);
  await page.keyboard.press('ArrowDown');
  const pointed = await getSearchField(page).getAttribute('aria-activedescendant');
  assert.ok(
    pointed && (await page.locator(`[id="${pointed}"]`).getAttribute('role')) === 'option',
    'screen readers get the highlight',
  );
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Escape');
  assert.equal(await getSearchField(page).inputValue(), '', 'Escape clears first');
  await page.keyboard.type('AAPL');
  await getCard(page)
    .getByRole('option', { name: /Apple.*watching/ })
    .waitFor();
  await page.keyboard.press('Enter');
  await waitForRows(page, ['MSFT']);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await getSearchField(page).waitFor({ state: 'detached' });
  assert.equal(
    await getCard(page)
      .getByRole('button', { name: 'Add tickers' })
      .evaluate((button) => button === document.activeElement),
    true,
    'the focus is back',
  );
  await waitForSavedOrder(service, member, ['MSFT']);
});

test('restores a row that was removed in the search to its old place', async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, FIVE);
  await getCard(page).getByRole('button', { name: 'Add tickers' }).click();
  await getCard(page)
    .getByRole('option', { name: /Microsoft.*watching/ })
    .click();
  await waitForRows(page, ['AAPL', 'NVDA', 'VOO', 'AMZN']);
  const notice = page.getByRole('status').filter({ hasText: 'Microsoft removed from your watchlist.' });
  await notice.waitFor();
  await waitForSavedOrder(service, member, ['AAPL', 'NVDA', 'VOO', 'AMZN']);
  await notice.getByRole('button', { name: 'Undo' }).click();
  await waitForRows(page, FIVE);
  await waitForSavedOrder(service, member, FIVE);
  await getCard(page)
    .getByRole('option', { name: /Microsoft.*watching/ })
    .waitFor();
});

test('adds the best match on Enter after typing once results arrive', async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, ['MSFT']);
  await getCard(page).getByRole('button', { name: 'Add tickers' }).click();
  await getSearchField(page).fill('KO');
  await getSearchField(page).press('Enter');
  await waitForRows(page, ['MSFT', 'KO']);
  await page.keyboard.type('AMZN');
  assert.equal(await getSearchField(page).inputValue(), 'AMZN', 'the next search replaces the added one');
});

test('groups results as Stocks, ETFs, Mutual funds and Bonds with one count', async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, FIVE);
  await getCard(page).getByRole('button', { name: 'Add tickers' }).click();
  await getSearchField(page).fill('vanguard');
  // The count is announced once the shown results match the typed text.
  await getCard(page)
    .getByRole('status')
    .getByText(/^\d+ results$/)
    .waitFor({ state: 'attached' });
  const titles = await getCard(page)
    .getByRole('listbox')
    .getByRole('group')
    .evaluateAll((groups) =>
      groups.map((group) => document.getElementById(group.getAttribute('aria-labelledby') ?? '')?.textContent ?? ''),
    );
  const order = ['Stocks', 'ETFs', 'Mutual funds', 'Bonds'];
  assert.ok(titles.length > 1, titles.join());
  assert.deepEqual(
    titles,
    order.filter((title) => titles.includes(title)),
  );
  assert.match(await getCard(page).getByRole('group', { name: titles[0]! }).innerText(), /5 of 20/);
});

test('describes a row in one sentence and shows a month of closes', async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, FIVE);
  assert.match(
    (await getRows(page).first().getAttribute('aria-label')) ?? '',
    /^AAPL, Apple Inc\., \$[\d,.]+, (up|down) [\d.]+% on the day, one month [+−][\d.]+%/,
  );
  assert.ok((await getCard(page).locator('li svg[preserveAspectRatio=none] path').count()) >= 4);
  await page.getByRole('main').getByText('Sample data').waitFor();
  assert.match(await getCard(page).innerText(), /(Market open|Market closed|Pre-market|After hours)/);
  assert.match(await getCard(page).locator('time').innerText(), /^([A-Z][a-z]{2} \d+, )?\d+:\d\d [AP]M ET$/);
});

test('rejects the twenty-first ticker with the reason and still allows removals', async ({ page, service, member }) => {
  const twenty = (await getCatalogSymbols(service, 40))
    .filter((symbol) => symbol !== 'AAPL' && symbol !== 'KO')
    .slice(0, 20);
  await replaceWatchlist(page, service, member, twenty);
  await getCard(page).getByRole('button', { name: 'Add tickers' }).click();
  await getCard(page)
    .getByText('Watchlist full, 20 of 20. Remove a ticker to add another. Upgrade for 100 tickers.')
    .waitFor();
  const apple = getCard(page).getByRole('option', { name: /Apple/ });
  assert.equal(await apple.getAttribute('aria-disabled'), 'true');
  await apple.click({ force: true });
  assert.equal((await readSymbols(page)).length, 20);
  assert.match(
    (await getCard(page).getByRole('link', { name: 'Upgrade' }).getAttribute('href')) ?? '',
    /entry=watchlist_limit&add=AAPL$/,
  );
  await getSearchField(page).fill(twenty[0]!);
  await getCard(page)
    .getByRole('option', { name: /watching/ })
    .first()
    .waitFor();
  await getSearchField(page).press('Enter');
  await waitForRows(page, twenty.slice(1));
  assert.equal(await getCard(page).getByText('Watchlist full, 20 of 20.').count(), 0);
});

test(
  'stores sort and second line per member in this browser without sending them',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await replaceWatchlist(page, service, member, [...FIVE, 'VFIAX']);
    const sort = getCard(page).getByRole('combobox', { name: 'Sort' });
    assert.deepEqual(await sort.getByRole('option').allInnerTexts(), [
      'My order',
      'Top gainers',
      'Top losers',
      'Name A-Z',
    ]);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await sort.selectOption('Top gainers');
    const gainers = await readSymbols(page);
    await sort.selectOption('Top losers');
    const losers = await readSymbols(page);
    assert.equal(gainers.at(-1), 'VFIAX', 'no day change: last');
    assert.equal(losers.at(-1), 'VFIAX', 'no day change: last in the other direction too');
    assert.deepEqual(losers.slice(0, -1), gainers.slice(0, -1).reverse());
    await getCard(page).getByRole('button', { name: /Day %/ }).press('Enter');
    await getCard(page)
      .getByRole('button', { name: /Day \$/ })
      .click();
    await getCard(page)
      .getByRole('button', { name: /Market cap/ })
      .waitFor();
    // A row outside the window has no rendered text.
    // A fund has no market capitalization.
    const stock = getCard(page).getByRole('listitem').filter({ hasText: 'MSFT' });
    await stock.scrollIntoViewIfNeeded();
    assert.match(await stock.innerText(), /\$[\d.]+[BTM]$/);
    await page.reload();
    await waitForRows(page, losers);
    await getCard(page)
      .getByRole('button', { name: /Market cap/ })
      .waitFor();
    assert.ok(!sent.some((call) => call.startsWith('PUT') || call.startsWith('PATCH')));
  },
);

test('shows no card, offers none and requests no list outside the rollout', async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, []);
  await service.database.owner(
    `insert into public.feature_flag_members (flag, idp_id, enabled)
     select 'dashboard-watchlist-v01', idp_id, false from public.all_users where email = $1`,
    [member.email],
  );
  await waitForRolloutEnd(page);
  await page.getByRole('button', { name: 'Not now' }).click();
  // The page stores its cards, so that it can request their data before it reads the layout.
  await page.getByRole('region', { name: 'Latest news', exact: true }).waitFor();
  await getCard(page).waitFor({ state: 'detached' });
  const requestedPaths: string[] = [];
  page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
  await page.reload();
  // The watchlist card would appear together with each of the other cards.
  const others = ['Net worth', 'Accounts', 'Movers', 'Holdings', 'Upcoming earnings', 'Dividends', 'Latest news'];
  for (const name of others) await page.getByRole('region', { name, exact: true }).waitFor();
  await page.waitForFunction(() => document.querySelector('main .skeleton') === null);
  assert.equal(await page.getByRole('list', { name: 'Cards' }).locator('> li').count(), others.length);
  assert.equal(await getCard(page).count(), 0);
  await simulateTabRefocus(page);
  await page.getByRole('button', { name: 'Privacy mode' }).click();
  assert.ok(requestedPaths.includes('/api/home'), 'the other cards are read');
  assert.deepEqual(
    requestedPaths.filter((path) => path.startsWith('/api/watchlist')),
    [],
    'what is not there is not asked for',
  );
  await page.getByRole('button', { name: 'Arrange' }).click();
  await page.getByRole('button', { name: 'Remove Net worth' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Add card' }).count(), 0);
});
