import assert from 'node:assert/strict';
import { comeBack } from './come-back.ts';
import { test } from './fixtures.ts';
import {
  card,
  isSaved,
  memberWith,
  relist,
  rolloutIsOver,
  rows,
  search,
  showsRows,
  someSymbols,
  symbols,
} from './watchlist-card.ts';

const FIVE = ['AAPL', 'MSFT', 'NVDA', 'VOO', 'AMZN'];

test('the list, its search and its rows', async ({ page, service }) => {
  const person = await memberWith(page, service, []);
  await test.step('a new list: “Start your watchlist”, a search field that is not focused, six popular tickers', async () => {
    await card(page).getByText('Start your watchlist').waitFor();
    const options = card(page).getByRole('group', { name: 'Popular' }).getByRole('option');
    await options.first().waitFor();
    assert.equal(await options.count(), 6);
    assert.equal(await card(page).getByText('0 of 20').count(), 1);
    assert.equal(await search(page).evaluate((field) => field === document.activeElement), false);
  });
  await test.step('the first pick keeps the search open with Done, which closes it', async () => {
    await relist(page, service, person, []);
    assert.equal(await card(page).getByRole('button', { name: 'Done' }).count(), 0);
    await card(page).getByRole('option', { name: /Apple/ }).click();
    await showsRows(page, ['AAPL']);
    await card(page)
      .getByRole('option', { name: /Apple.*watching/ })
      .waitFor();
    await card(page).getByText('1 of 20', { exact: true }).waitFor();
    await card(page)
      .getByRole('option', { name: /NVIDIA/ })
      .click();
    await showsRows(page, ['AAPL', 'NVDA']);
    await card(page).getByRole('button', { name: 'Done' }).click();
    await search(page).waitFor({ state: 'detached' });
    await isSaved(service, person, ['AAPL', 'NVDA']);
  });
  await test.step('search by keyboard alone: arrows, Enter toggles, Escape clears and then closes', async () => {
    await relist(page, service, person, ['MSFT']);
    await card(page).getByRole('button', { name: 'Add tickers' }).press('Enter');
    await search(page).waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'combobox');
    await page.keyboard.type('apple');
    await card(page)
      .getByRole('option', { name: /^AAPL.*Apple Inc/ })
      .waitFor();
    await page.keyboard.press('Enter');
    await showsRows(page, ['MSFT', 'AAPL']);
    await page.keyboard.press('ArrowDown');
    const pointed = await search(page).getAttribute('aria-activedescendant');
    assert.ok(
      pointed && (await page.locator(`[id="${pointed}"]`).getAttribute('role')) === 'option',
      'the highlight is told to screen readers',
    );
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Escape');
    assert.equal(await search(page).inputValue(), '', 'Escape clears first');
    await page.keyboard.type('AAPL');
    await card(page)
      .getByRole('option', { name: /Apple.*watching/ })
      .waitFor();
    await page.keyboard.press('Enter');
    await showsRows(page, ['MSFT']);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await search(page).waitFor({ state: 'detached' });
    assert.equal(
      await card(page)
        .getByRole('button', { name: 'Add tickers' })
        .evaluate((button) => button === document.activeElement),
      true,
      'the focus is back',
    );
    await isSaved(service, person, ['MSFT']);
  });
  await test.step('a removal made from the search can be taken back, to the old place', async () => {
    await relist(page, service, person, FIVE);
    await card(page).getByRole('button', { name: 'Add tickers' }).click();
    await card(page)
      .getByRole('option', { name: /Microsoft.*watching/ })
      .click();
    await showsRows(page, ['AAPL', 'NVDA', 'VOO', 'AMZN']);
    const notice = page.getByRole('status').filter({ hasText: 'Microsoft removed.' });
    await notice.waitFor();
    await isSaved(service, person, ['AAPL', 'NVDA', 'VOO', 'AMZN']);
    await notice.getByRole('button', { name: 'Undo' }).click();
    await showsRows(page, FIVE);
    await isSaved(service, person, FIVE);
    await card(page)
      .getByRole('option', { name: /Microsoft.*watching/ })
      .waitFor();
  });
  await test.step('Enter right after typing takes the best match once it is there', async () => {
    await relist(page, service, person, ['MSFT']);
    await card(page).getByRole('button', { name: 'Add tickers' }).click();
    await search(page).fill('KO');
    await search(page).press('Enter');
    await showsRows(page, ['MSFT', 'KO']);
  });
  await test.step('results are grouped in the order Stocks, ETFs, Mutual funds, Bonds, with the count beside the first title', async () => {
    await relist(page, service, person, FIVE);
    await card(page).getByRole('button', { name: 'Add tickers' }).click();
    await search(page).fill('vanguard');
    // Spoken once what stands there belongs to what was typed.
    await card(page)
      .getByRole('status')
      .getByText(/^\d+ results$/)
      .waitFor({ state: 'attached' });
    const titles = await card(page)
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
    assert.match(await card(page).getByRole('group', { name: titles[0]! }).innerText(), /5 of 20/);
  });
  await test.step('a row says symbol, name, price and the day in one sentence, and shows a month of closes', async () => {
    await relist(page, service, person, FIVE);
    assert.match(
      (await rows(page).first().getAttribute('aria-label')) ?? '',
      /^AAPL, Apple Inc\., \$[\d,.]+, (up|down) [\d.]+% on the day, one month [+−][\d.]+%/,
    );
    assert.ok((await card(page).locator('li svg path').count()) >= 4);
    await page.getByRole('main').getByText('Sample data').waitFor();
    assert.match(await card(page).innerText(), /(Market open|Market closed|Pre-market|After hours)/);
    assert.match(await card(page).locator('time').innerText(), /^([A-Z][a-z]{2} \d+, )?\d+:\d\d [AP]M ET$/);
  });
  await test.step('a full list refuses the twenty-first, says why, and still lets rows go', async () => {
    const twenty = (await someSymbols(service, 40))
      .filter((symbol) => symbol !== 'AAPL' && symbol !== 'KO')
      .slice(0, 20);
    await relist(page, service, person, twenty);
    await card(page).getByRole('button', { name: 'Add tickers' }).click();
    await card(page).getByText('Watchlist full, 20 of 20.').waitFor();
    const apple = card(page).getByRole('option', { name: /Apple/ });
    assert.equal(await apple.getAttribute('aria-disabled'), 'true');
    await apple.click({ force: true });
    assert.equal((await symbols(page)).length, 20);
    assert.match(
      (await card(page).getByRole('link', { name: 'Upgrade' }).getAttribute('href')) ?? '',
      /entry=watchlist_limit&add=AAPL$/,
    );
    await search(page).fill(twenty[0]!);
    await card(page)
      .getByRole('option', { name: /watching/ })
      .first()
      .waitFor();
    await search(page).press('Enter');
    await showsRows(page, twenty.slice(1));
    assert.equal(await card(page).getByText('Watchlist full, 20 of 20.').count(), 0);
  });
  await test.step('sort and second line are kept in this browser, per member, and never sent', async () => {
    await relist(page, service, person, [...FIVE, 'VFIAX']);
    const sort = card(page).getByRole('combobox', { name: 'Sort' });
    assert.deepEqual(await sort.getByRole('option').allInnerTexts(), [
      'My order',
      'Top gainers',
      'Top losers',
      'Name A-Z',
    ]);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await sort.selectOption('Top gainers');
    const gainers = await symbols(page);
    await sort.selectOption('Top losers');
    const losers = await symbols(page);
    assert.equal(gainers.at(-1), 'VFIAX', 'no day change: last');
    assert.equal(losers.at(-1), 'VFIAX', 'no day change: last in the other direction too');
    assert.deepEqual(losers.slice(0, -1), gainers.slice(0, -1).reverse());
    await card(page).getByRole('button', { name: /Day %/ }).press('Enter');
    await card(page)
      .getByRole('button', { name: /Day \$/ })
      .click();
    await card(page)
      .getByRole('button', { name: /Market cap/ })
      .waitFor();
    // A row below the window has no drawn text.
    await card(page).getByRole('listitem').first().scrollIntoViewIfNeeded();
    assert.match(await card(page).getByRole('listitem').first().innerText(), /\$[\d.]+[BTM]$/);
    await page.reload();
    await showsRows(page, losers);
    await card(page)
      .getByRole('button', { name: /Market cap/ })
      .waitFor();
    assert.ok(!sent.some((call) => call.startsWith('PUT') || call.startsWith('PATCH')));
  });
  await test.step('outside the rollout there is no card, none is offered, and its list is never asked for', async () => {
    await relist(page, service, person, []);
    await service.database.owner(
      `insert into public.feature_flag_members (flag, idp_id, enabled)
       select 'dashboard-watchlist-v01', idp_id, false from public.all_users where email = $1`,
      [person.email],
    );
    await rolloutIsOver(page);
    // The page remembers its cards, to ask for what they show before it knows them.
    await page.getByRole('region', { name: 'Latest news', exact: true }).waitFor();
    await card(page).waitFor({ state: 'detached' });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.reload();
    // Once each other card is there the watchlist's would be too.
    for (const name of ['Net worth', 'Holdings', 'Upcoming earnings', 'Latest news'])
      await page.getByRole('region', { name, exact: true }).waitFor();
    await page.waitForFunction(() => document.querySelector('main .skeleton') === null);
    assert.equal(await page.getByRole('list', { name: 'Cards' }).locator('> li').count(), 4);
    assert.equal(await card(page).count(), 0);
    await comeBack(page);
    await page.getByRole('button', { name: 'Privacy mode' }).click();
    assert.ok(asked.includes('/api/dashboard'));
    assert.ok(asked.includes('/api/net-worth'), 'the other cards are read');
    assert.deepEqual(
      asked.filter((path) => path.startsWith('/api/watchlist')),
      [],
      'what is not there is not asked for',
    );
    await page.getByRole('button', { name: 'Add widget' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add widget' });
    await dialog.getByText('Every card is on your dashboard.').waitFor();
    assert.equal(await dialog.getByRole('button', { name: 'Add Watchlist' }).count(), 0);
  });
});
