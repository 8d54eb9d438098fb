import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { eventually } from '../support/eventually.ts';
import { getButton, listLinks, assertLayout, getPanel, getAnnouncement } from './assistant-panel.ts';
import { shareMember } from './fixtures.ts';
import { waitForAnnouncement, recordAnnouncements } from './announcements.ts';
import { openSampleDashboard } from './sample-member.ts';
import { getRows } from './watchlist-card.ts';

const test = shareMember(async (page, service) => {
  const member = await openSampleDashboard(page, service, 'pro');
  await getRows(page).first().waitFor();
  return member;
});
// Each test continues with the reports that the one before has opened.
test.describe.configure({ mode: 'serial' });

const getOpener = (page: Page) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Assistant' });

test('restores the focus on Escape when it opened at its address', { tag: '@slow' }, async ({ page }) => {
  await getOpener(page).press('Enter');
  await getButton(page, 'How did my watchlist do today?').waitFor();
  assert.match(page.url(), /\?assistant=open$/);
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Assistant');
  assert.equal(await getPanel(page).getByLabel('Your question').count(), 0);
  await page.keyboard.press('Escape');
  await getPanel(page).waitFor({ state: 'detached' });
  assert.match(page.url(), /\/dashboard$/);
  assert.ok(await getOpener(page).evaluate((one) => one === document.activeElement));
});

test('answers each report and announces it when it is complete', { tag: '@slow' }, async ({ page }) => {
  await getOpener(page).click();
  await getButton(page, 'How did my watchlist do today?').waitFor();
  await recordAnnouncements(page);
  for (const [name, title, words] of [
    ['How did my watchlist do today?', 'Your list today', /^Of \d+ tickers/],
    ['Which earnings are upcoming?', 'Upcoming earnings', /in the next \d+ days/],
    ['How has my net worth changed?', 'Net worth change', /now\. Gain [+−]/],
  ] as const) {
    await getButton(page, name).click();
    const report = getPanel(page)
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: title }) });
    await report.getByText(words).first().waitFor();
    await waitForAnnouncement(page, `${title}. `);
  }
  await getPanel(page).getByLabel('About one ticker').selectOption('AAPL');
  for (const name of ['Why is AAPL moving?', 'What’s new with AAPL?', 'How is my position in AAPL doing?']) {
    const before = await getPanel(page).getByRole('heading', { level: 3 }).count();
    await getButton(page, name).click();
    await eventually(async () => (await getPanel(page).getByRole('heading', { level: 3 }).count()) > before);
  }
  assert.equal(await getPanel(page).getByRole('alert').count(), 0);
  assert.doesNotMatch(await getPanel(page).innerText(), /ANTHROPIC|operator/i, 'members see no hint for operators');
});

test('links a report to its sources without loading them', { tag: '@slow' }, async ({ page }) => {
  const reportResponses = await page.evaluate(async () => {
    const answers = performance.getEntriesByType('resource').map(({ name }) => name);
    return answers.filter((name) => name.includes('/api/assistant/reports/'));
  });
  assert.ok(reportResponses.length >= 6);
  const links = await listLinks(page);
  assert.ok(links.every((link) => link.startsWith('https://') || link.startsWith('http://')));
  const times = (await getPanel(page).innerText()).match(/\d:\d\d\s[AP]M(?:\sET\b)?/g) ?? [];
  assert.ok(times.length > 6, times.join());
  assert.deepEqual(
    times.filter((time) => !time.endsWith('ET')),
    [],
    'all times are those of the market',
  );
  assert.equal(await getPanel(page).locator('img').count(), 0);
  await assertLayout(page, 'plain reports');
});

test(
  'hides amounts of the member in privacy mode, and leaves dates and percentages',
  { tag: '@slow' },
  async ({ page }) => {
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Privacy mode' }).click();
    await getOpener(page).click();
    const report = getPanel(page)
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'Net worth change' }) });
    await report.getByText('hidden').first().waitFor();
    const privateLines = await report.locator('p').allTextContents();
    assert.doesNotMatch(privateLines.join(' ').replaceAll('888', ''), /\$\d/);
    assert.match(privateLines.join(' '), /Gain hidden( \([+−]?[\d.]+%\))? since [A-Z][a-z]{2} \d+(, \d{4})?\./);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Privacy mode' }).click();
  },
);

test(
  'asks the neutral question of a ticker’s detail and restores the row’s focus',
  { tag: '@slow' },
  async ({ page }) => {
    const row = getRows(page).first();
    const symbol = ((await row.textContent()) ?? '').trim();
    await row.click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^(Why is it moving\?|What’s new\?)$/ })
      .click();
    const title = new RegExp(`(Why is ${symbol} moving|What’s new with ${symbol})\\?$`);
    await getPanel(page).locator('[data-question]').filter({ hasText: title }).last().waitFor();
    await eventually(async () => ((await getAnnouncement(page).textContent()) ?? '').includes(symbol));
    await page.keyboard.press('Escape');
    await getPanel(page).waitFor({ state: 'detached' });
    assert.ok(await row.evaluate((one) => one === document.activeElement));
  },
);

test('opens as a page from its address and from the tab bar of a phone', { tag: '@slow' }, async ({ page }) => {
  await page.goto('/assistant');
  await page.getByRole('heading', { name: 'Assistant', level: 1 }).waitFor();
  await page.getByText('You cannot type a question, because this server has no language model.').waitFor();
  assert.equal(await getPanel(page).count(), 0);
  await page.getByRole('button', { name: 'How has my net worth changed?' }).click();
  await page.getByRole('heading', { name: 'Net worth change', level: 3 }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('link', { name: 'Portfolio' }).click();
  await page.getByRole('heading', { name: 'Portfolio', level: 1 }).waitFor();
  await getOpener(page).click();
  await page.getByRole('heading', { name: 'Assistant', level: 1 }).waitFor();
  assert.match(page.url(), /\/assistant$/);
  assert.equal(await getPanel(page).count(), 0);
});
