import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import type { NetWorthResponse } from '../../src/features/portfolio/net-worth/contract.ts';
import type { EarningsResponse, NewsResponse } from '../../src/features/portfolio/dashboard/contract.ts';
import { seedPortfolios } from '../../src/features/portfolio/demo/seed-portfolios.ts';
import type { DividendsResponse } from '../../src/features/portfolio/dividends/contract.ts';
import { formatNewYorkDay } from '../../src/ui/kit/new-york-time.ts';
import { sizes } from '../support/browser.ts';
import { eventuallyEquals } from '../support/eventually.ts';
import type { TestService } from '../support/service.ts';
import { shareMember } from './fixtures.ts';
import { type Person, register } from './people.ts';
import { recordShifts, getLayoutShifts } from './record-shifts.ts';
import { deleteAllInvestments, openSampleDashboard } from './sample-member.ts';
import { getHoldingRows, getHoldings } from './home-holdings.ts';

const test = shareMember(async (page, service) => {
  const member = await openSampleDashboard(page, service, 'free');
  await getHoldings(page).waitFor();
  return member;
});
const emptyTest = shareMember((page) => register(page), { expected: [/503/] });

/** Opens the dashboard of a member without accounts and holdings. */
async function openEmptyDashboard(page: Page, service: TestService, member: Person): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await deleteAllInvestments(service, member);
  await page.goto('/dashboard');
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
}

/** Returns the names of the cards in their order, after the placeholders of a loading page have gone. */
async function readOrder(page: Page): Promise<string[]> {
  const cards = page.getByRole('list', { name: 'Cards' }).locator('> li');
  await page.locator('#card-net_worth').waitFor();
  return cards.evaluateAll((items) => items.map(({ id }) => id.replace('card-', '')));
}

/** Waits for the service to save the layout, so that the next action follows the save. */
const waitForSave = (page: Page) =>
  page.waitForResponse(
    (response) => response.url().endsWith('/api/dashboard') && response.request().method() === 'PUT' && response.ok(),
  );

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const names: string[] = [];
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press('Tab');
    const now = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null;
      return (
        element?.getAttribute('aria-label') ??
        element?.labels?.[0]?.innerText ??
        element?.innerText ??
        ''
      ).trim();
    });
    names.push(now);
    if (name.test(now)) return;
  }
  assert.fail(`Tab never reached ${name}: ${names.join(' | ')}`);
}

test('shows the cards in their order with the watchlist at the end', async ({ page }) => {
  assert.deepEqual(await readOrder(page), [
    'net_worth',
    'accounts',
    'movers',
    'earnings',
    'dividends',
    'news',
    'holdings',
    'watchlist',
  ]);
  for (const name of [
    'Net worth',
    'Accounts',
    'Movers',
    'Holdings',
    'Upcoming earnings',
    'Dividends',
    'Latest news',
    'Watchlist',
  ])
    await page.getByRole('region', { name, exact: true }).waitFor();
  assert.equal(await getHoldingRows(page).count(), 4);
  await page.getByRole('button', { name: 'Show all 10 holdings' }).click();
  assert.equal(await getHoldingRows(page).count(), 10);
  assert.match(await getHoldings(page).innerText(), /% of par/, 'a bond is never shown as an amount');
  // One notice applies to all cards.
  await page.getByRole('main').getByText('Sample data').waitFor();
  assert.equal(await page.getByText('Sample data').count(), 1);
});

test('shows the columns of the portfolio where the card is wide, and a list where it is narrow', async ({ page }) => {
  const table = page.getByRole('table', { name: 'Holdings' });
  await eventuallyEquals(
    () => table.getByRole('columnheader').allInnerTexts(),
    ['Holding', 'Price', 'Day', 'Value', 'Gain', '% of holdings'],
  );
  const cells = getHoldingRows(page).filter({ hasText: 'VTI' }).first().getByRole('cell');
  const [price, day, value, gain, weight] = await cells.allInnerTexts();
  assert.match(price!, /^\$\d+\.\d\d\s*×\s*Quantity\s*30$/);
  assert.match(day!, /^[+−]\$[\d,.]+\s*[+−][\d.]+%$/);
  assert.match(value!, /^\$[\d,]+\.\d\d$/);
  assert.match(gain!, /^[+−]\$[\d,.]+\s*[+−][\d.]+%$/);
  assert.match(weight!, /^[\d.]+%$/);
  await page.setViewportSize(sizes.phone);
  await page.getByRole('list', { name: 'Holdings' }).getByText('30 × $').waitFor();
  assert.equal(await table.count(), 0);
  await page.setViewportSize(sizes.desktop);
  await table.waitFor();
});

test('sums currencies in the base currency, each at a dated rate', async ({ page }) => {
  const card = page.getByRole('region', { name: 'Net worth' });
  const baseCurrency = card.getByLabel('Base currency');
  const readSymbol = async (): Promise<string> => (await card.locator('p').first().innerText()).slice(0, 1);
  await eventuallyEquals(readSymbol, '$');
  await card.getByText(/^\d currencies, rates of /).click();
  const currencies = card.getByRole('list', { name: 'Currencies' }).getByRole('listitem');
  assert.match(
    (await currencies.filter({ hasText: 'GBP' }).innerText()).replace(/\s+/g, ' '),
    /^GBP £[\d,]+\.\d\d 1 GBP = 1\.\d+ USD · \w{3} \d+, \d{4}$/,
  );
  await baseCurrency.selectOption('GBP');
  await eventuallyEquals(readSymbol, '£');
  await currencies.filter({ hasText: /1 USD = 0\.\d+ GBP/ }).waitFor();
  await page.reload();
  await eventuallyEquals(readSymbol, '£');
  await baseCurrency.selectOption('USD');
  await eventuallyEquals(readSymbol, '$');
});

test(
  'shows an amount without a rate as not included, and an old rate with its date',
  { tag: '@slow' },
  async ({ page }) => {
    await page.route('**/api/net-worth*', async (route) => {
      const response = await route.fetch();
      const netWorth = (await response.json()) as NetWorthResponse;
      await route.fulfill({
        response,
        json: {
          ...netWorth,
          base: {
            ...netWorth.base,
            rates: [{ currency: 'GBP', rate: 1.3142, rate_date: '2026-01-09', stale: true }],
            excluded: [{ currency: 'TWD', amount: 6137.2, reason: 'no_rate' }],
          },
        },
      });
    });
    await page.reload();
    const card = page.getByRole('region', { name: 'Net worth' });
    await card.getByText('Not included: NT$6,137.20 (no rate)').waitFor();
    await card.getByText('2 currencies, old rate of Jan 9, 2026').click();
    await card.getByText('1 GBP = 1.3142 USD · Jan 9, 2026 (old rate)').waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  },
);

test('saves the base currency in the settings', { tag: '@slow' }, async ({ page }) => {
  await page.goto('/settings');
  const select = page.getByRole('combobox', { name: 'Base currency' });
  const saved = page.waitForResponse(
    (response) => response.request().method() === 'PATCH' && response.url().endsWith('/api/portfolio/settings'),
  );
  await select.selectOption('CHF');
  assert.equal((await saved).status(), 200);
  await page.goto('/dashboard');
  const card = page.getByRole('region', { name: 'Net worth' });
  await eventuallyEquals(async () => (await card.locator('p').first().innerText()).slice(0, 3), 'CHF');
  await card.getByLabel('Base currency').selectOption('USD');
  await eventuallyEquals(async () => (await card.locator('p').first().innerText()).slice(0, 1), '$');
});

test('reads any day of the history with the arrow keys', async ({ page }) => {
  const chart = page.getByRole('slider', { name: 'Net worth over time' });
  await chart.focus();
  const today = await chart.getAttribute('aria-valuetext');
  await page.keyboard.press('Home');
  const first = await chart.getAttribute('aria-valuetext');
  assert.match(first ?? '', /^\w{3} \d+, \d{4}: \$[\d,]+\.\d\d$/);
  assert.notEqual(first, today);
  assert.ok(
    (await page.getByRole('region', { name: 'Net worth' }).innerText()).includes(first!.split(': ')[1]!),
    'the figure shows the day that is looked at',
  );
  await page.getByRole('region', { name: 'Net worth' }).getByText('1M', { exact: true }).click();
  assert.ok(Number(await chart.getAttribute('aria-valuemax')) <= 31);
});

test('keeps the period of the chart in the address after a reload and Back', async ({ page }) => {
  await page.goto('/dashboard');
  const chart = page.getByRole('slider', { name: 'Net worth over time' });
  await chart.waitFor();
  const entries = await page.evaluate(() => history.length);
  await page.getByRole('region', { name: 'Net worth' }).getByText('3M', { exact: true }).click();
  await page.getByRole('region', { name: 'Net worth' }).getByText('1M', { exact: true }).click();
  assert.match(page.url(), /\?period=1M$/);
  assert.equal(await page.evaluate(() => history.length), entries, 'a click adds no entry');
  await page.reload();
  assert.equal(await page.getByRole('radio', { name: '1M' }).isChecked(), true);
  await page.getByRole('link', { name: 'Portfolio' }).first().click();
  await page.getByRole('heading', { name: 'Portfolio', level: 1 }).waitFor();
  await page.goBack();
  await chart.waitFor();
  assert.equal(await page.getByRole('radio', { name: '1M' }).isChecked(), true);
  await page.getByRole('region', { name: 'Net worth' }).getByText('1Y', { exact: true }).click();
  assert.match(page.url(), /\/dashboard$/);
});

test('shows date, value and gain beside the crosshair over a chart of at least 260 px', async ({ page }) => {
  const chart = page.getByRole('slider', { name: 'Net worth over time' });
  const { width, height } = (await chart.boundingBox())!;
  assert.ok(height >= 260, `${height} px`);
  await chart.hover({ position: { x: width / 2, y: 20 } });
  const details = (await page.locator('[data-chart-details]').innerText()).split('\n').filter(Boolean);
  assert.match(details[0]!, /^\w{3} \d+, \d{4}$/);
  assert.match(details[1]!, /^\$[\d,]+\.\d\d$/);
  assert.match(details[2]!, /^[+−]?\$[\d,.]+ since \w{3} \d+, \d{4}$/);
  await page.getByRole('heading', { name: 'Home' }).hover();
  await page.locator('[data-chart-details]').waitFor({ state: 'detached' });
});

test('compares net worth with a fund in words until the comparison ends', async ({ page }) => {
  const card = page.getByRole('region', { name: 'Net worth' });
  const isFocused = (control: Locator) => control.evaluate((element) => element === document.activeElement);
  await card.getByRole('button', { name: 'Compare with a fund' }).press('Enter');
  await eventuallyEquals(() => isFocused(card.getByRole('combobox', { name: 'Fund to compare with' })), true);
  await card
    .getByText(/net worth [+−]?[\d.]+%, time-weighted.* VOO [+−]?[\d.]+%, its price in USD with splits/)
    .waitFor();
  await card.getByRole('combobox', { name: 'Fund to compare with' }).selectOption('QQQ');
  await card.getByText(/ QQQ [+−]?[\d.]+%, its price/).waitFor();
  await page.reload();
  const chart = card.getByRole('slider', { name: 'Return of net worth and QQQ' });
  await chart.press('ArrowLeft');
  assert.match((await chart.getAttribute('aria-valuetext')) ?? '', /: net worth [+−]?[\d.]+%, QQQ [+−]?[\d.]+%$/);
  await card.getByRole('button', { name: 'End the comparison' }).press('Enter');
  await card.getByRole('slider', { name: 'Net worth over time' }).waitFor();
  await eventuallyEquals(() => isFocused(card.getByRole('button', { name: 'Compare with a fund' })), true);
  assert.match(page.url(), /\/dashboard$/);
});

test('tags watched companies in the earnings and names them in the news', async ({ page }) => {
  // News change daily, so the stub fixes the companies: the first article is about a held and a watched one.
  await page.route('**/api/news**', async (route) => {
    const response = await route.fetch();
    const { articles, ...more } = (await response.json()) as NewsResponse;
    await route.fulfill({
      response,
      json: {
        ...more,
        articles: articles.map((one, place) =>
          place === 0 ? { ...one, related_held: ['MSFT'], related_watched: ['MSFT', 'AMZN'] } : one,
        ),
      },
    });
  });
  await recordShifts(page);
  await page.reload();
  const reports = page.getByRole('list', { name: 'Upcoming earnings' }).getByRole('listitem');
  await reports.filter({ hasText: 'AMZN' }).getByText('Watching').waitFor();
  // Microsoft is held and watched, and held companies have no tag.
  await reports.filter({ hasText: 'MSFT' }).waitFor();
  assert.equal(await reports.filter({ hasText: 'MSFT' }).getByText('Watching').count(), 0);
  const article = page.getByRole('list', { name: 'Latest news' }).getByRole('link').first();
  assert.match((await article.getAttribute('href')) ?? '', /^https?:/);
  assert.equal(await article.getAttribute('rel'), 'noopener noreferrer');
  const first = page.getByRole('list', { name: 'Latest news' }).getByRole('listitem').first();
  await first.getByText('Watching AMZN', { exact: true }).waitFor();
  await first.getByText('MSFT', { exact: true }).waitFor();
  assert.equal(await first.getByText('Watching MSFT').count(), 0, 'what is held needs no tag');
  await getHoldings(page).waitFor();
  await page.getByRole('list', { name: 'Watched tickers' }).waitFor();
  assert.deepEqual(await getLayoutShifts(page), []);
});

test('hides the member’s amounts from sight and speech in privacy mode', async ({ page }) => {
  const worth = await page.getByRole('region', { name: 'Net worth' }).locator('p').first().innerText();
  await page.getByRole('button', { name: 'Privacy mode' }).click();
  for (const round of ['at once', 'after a reload']) {
    assert.equal(await page.getByRole('button', { name: 'Privacy mode' }).getAttribute('aria-pressed'), 'true');
    const main = await page.getByRole('main').innerText();
    assert.ok(!main.includes(worth), `${worth} is nowhere on the page ${round}`);
    assert.equal(await page.getByRole('slider').count(), 0, 'the chart cannot be read');
    const snapshot = await getHoldings(page).ariaSnapshot();
    assert.doesNotMatch(snapshot, /8,888|88,888/, 'what is blurred is not spoken');
    assert.match(snapshot, /hidden/);
    if (round === 'at once') {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.reload();
      await getHoldings(page).waitFor();
    }
  }
  await page.getByRole('button', { name: 'Privacy mode' }).click();
  await page.getByRole('slider').waitFor();
});

test('moves cards by keyboard and keeps the focus', async ({ page }) => {
  await page.getByRole('button', { name: 'Arrange' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Move Net worth later' }).waitFor();
  await tabTo(page, /^Move Net worth later$/);
  let save = waitForSave(page);
  await page.keyboard.press('Enter');
  await save;
  await page.getByText('Net worth is now 2 of 8').waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Move Net worth later');
  save = waitForSave(page);
  await page.keyboard.press('Enter');
  await save;
  assert.deepEqual(await readOrder(page), [
    'accounts',
    'movers',
    'net_worth',
    'earnings',
    'dividends',
    'news',
    'holdings',
    'watchlist',
  ]);
});

test('places cards by their order alone when one is moved there and back', async ({ page }) => {
  const readPlaces = (): Promise<string[]> =>
    page.getByRole('list', { name: 'Cards' }).evaluate((list) =>
      [...list.children].map((card) => {
        const { x, y, width } = card.getBoundingClientRect();
        return `${card.id} ${x},${y + scrollY} ${width}`;
      }),
    );
  const move = async (name: string): Promise<string[]> => {
    const save = waitForSave(page);
    await page.getByRole('button', { name, exact: true }).press('Enter');
    await save;
    return readPlaces();
  };
  const before = await readPlaces();
  const later = await move('Move Accounts later');
  const getPlace = (places: readonly string[], id: string) => places.find((place) => place.startsWith(`${id} `));
  assert.notEqual(getPlace(later, 'card-accounts'), getPlace(before, 'card-accounts'));
  assert.equal(new Set(later.map((place) => place.split(' ')[1])).size, later.length, 'no card is above another');
  assert.deepEqual(await move('Move Accounts earlier'), before);
});

test('hides removed cards after a reload until they are added again', async ({ page }) => {
  await page.reload();
  await page.getByRole('button', { name: 'Arrange' }).click();
  const others = (await readOrder(page)).filter((card) => !['holdings', 'watchlist'].includes(card));
  let save = waitForSave(page);
  await page.getByRole('button', { name: 'Remove Holdings' }).click();
  await save;
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Remove Watchlist');
  save = waitForSave(page);
  await page.getByRole('button', { name: 'Remove Watchlist' }).click();
  await save;
  await page.reload();
  await page.getByRole('region', { name: 'Latest news' }).waitFor();
  assert.deepEqual(await readOrder(page), others);
  await page.getByRole('button', { name: 'Arrange' }).click();
  // The dialog shows a live preview of each card.
  await page.getByRole('button', { name: 'Add card' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add card' });
  const previews = dialog.locator('[inert]');
  await previews.nth(1).waitFor();
  assert.equal(await previews.count(), 2);
  await previews.filter({ hasText: 'NVDA' }).first().waitFor();
  await previews.filter({ hasText: 'My order' }).filter({ hasText: 'Day %' }).waitFor();
  save = waitForSave(page);
  await dialog.getByRole('button', { name: 'Add Holdings' }).click();
  await save;
  save = waitForSave(page);
  await dialog.getByRole('button', { name: 'Add Watchlist' }).click();
  await save;
  await dialog.getByText('All cards are on Home.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  assert.deepEqual(await readOrder(page), [...others, 'holdings', 'watchlist']);
});

emptyTest(
  'adds an investment by keyboard and announces each problem at its field',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await openEmptyDashboard(page, service, member);
    await page.getByRole('heading', { name: 'Add what you own' }).waitFor();
    await tabTo(page, /^Add investment$/);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add investment' });
    await page.waitForFunction(() => document.activeElement?.id === 'security');
    await tabTo(page, /^Add investment$/);
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('Choose a security from the list.').waitFor();
    await dialog.getByRole('alert').getByText('Enter a quantity greater than 0').waitFor();
    await dialog.getByRole('link', { name: 'Choose a security from the list.' }).press('Enter');
    await page.keyboard.type('nvidia');
    await dialog.getByRole('option', { name: /NVDA/ }).waitFor();
    await page.keyboard.press('Escape');
    assert.equal(
      await dialog.getByRole('combobox', { name: 'Security' }).inputValue(),
      '',
      'Escape clears the search first',
    );
    await page.keyboard.type('nvidia');
    await dialog.getByRole('option', { name: /NVDA/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.id === 'quantity');
    await page.keyboard.type('1,200.5');
    await page.keyboard.press('Tab');
    await page.keyboard.type('twelve');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('“twelve” is not a number.').waitFor();
    assert.equal(await dialog.getByLabel('Quantity').inputValue(), '1,200.5', 'what was typed is kept');
    await dialog.getByLabel(/^Total cost/).fill('12,000');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const holding = getHoldingRows(page).filter({ hasText: 'NVDA' });
    await holding.getByText(/Quantity 1,200\.5$/).waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent === 'Add investment');
  },
);

emptyTest(
  'shows watched news at once and asks for no investment when a member only watches',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await openEmptyDashboard(page, service, member);
    await page.getByRole('heading', { name: 'Add what you own' }).waitFor();
    await page.getByRole('region', { name: 'Watchlist' }).getByRole('option', { name: /AAPL/ }).click();
    await page.getByRole('list', { name: 'Latest news' }).getByText('Watching AAPL').first().waitFor();
    await page.getByRole('region', { name: 'Upcoming earnings' }).waitFor();
    assert.equal(await page.getByRole('main').getByRole('button', { name: 'Add investment' }).count(), 1);
  },
);

emptyTest('restores a removed card to its old place on undo', { tag: '@slow' }, async ({ page, service, member }) => {
  await openEmptyDashboard(page, service, member);
  await page.getByRole('button', { name: 'Arrange' }).click();
  const save = waitForSave(page);
  await page.getByRole('button', { name: 'Remove Holdings' }).click();
  await save;
  const undone = waitForSave(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  await undone;
  assert.deepEqual((await readOrder(page)).slice(-3), ['news', 'holdings', 'watchlist']);
});

emptyTest('says that nothing is due when a member only holds', { tag: '@slow' }, async ({ page, service, member }) => {
  await openEmptyDashboard(page, service, member);
  const [row] = await service.database.owner<{ idp_id: string }>(
    'select idp_id from public.all_users where email = $1',
    [member.email],
  );
  // Another test may have watched a ticker.
  await service.database.owner('delete from public.watchlist_items where idp_id = $1', [row!.idp_id]);
  await seedPortfolios(service.database.database.service, [row!.idp_id], formatNewYorkDay(new Date()));
  await page.route('**/api/home', (route) =>
    route.fulfill({ status: 503, json: { code: 'UNAVAILABLE', message: 'Try again.' } }),
  );
  await page.route('**/api/earnings', (route) =>
    route.fulfill({ json: { earnings: [], complete: false, sample_data: false } satisfies EarningsResponse }),
  );
  await page.route('**/api/news?*', (route) =>
    route.fulfill({ json: { articles: [], sample_data: false } satisfies NewsResponse }),
  );
  await page.route('**/api/dividends', async (route) => {
    const dividends = (await (await route.fetch()).json()) as DividendsResponse;
    await route.fulfill({ json: { ...dividends, payments: [], complete: false } satisfies DividendsResponse });
  });
  await page.reload();
  const readTexts = async (card: string): Promise<string[]> => {
    const region = page.getByRole('region', { name: card });
    await region.getByRole('paragraph').first().waitFor();
    return region.getByRole('paragraph').allInnerTexts();
  };
  await page.getByRole('region', { name: 'Latest news' }).getByText('There is no news').waitFor({ timeout: 15_000 });
  assert.deepEqual(await readTexts('Latest news'), ['There is no news about your companies right now.']);
  assert.deepEqual(await readTexts('Upcoming earnings'), [
    'None of your companies reports earnings in the next 90 days.',
    'Some companies could not be looked up right now.',
  ]);
  assert.deepEqual(await readTexts('Dividends'), [
    'No dividends known for the next 90 days.',
    'Some securities could not be looked up right now.',
  ]);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
