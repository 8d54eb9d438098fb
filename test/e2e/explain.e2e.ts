import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { assertAccessibleInAllVariants, sizes } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { shareMember } from './fixtures.ts';
import { openSampleDashboard } from './sample-member.ts';

const test = shareMember(async (page, service) => {
  const person = await openSampleDashboard(page, service, 'free');
  await getCard(page, 'Holdings')
    .getByRole('button', { name: /^Show all/ })
    .click();
  return person;
});

const getCard = (page: Page, name: string): Locator => page.getByRole('region', { name });
const getRow = (page: Page, symbol: string): Locator =>
  getCard(page, 'Holdings').getByRole('row').filter({ hasText: symbol });
const getFigure = (part: Locator, name: string): Locator => part.getByTitle(`${name}: show how it came about`);
const getPopover = (page: Page): Locator => page.getByRole('dialog');
const waitForClosed = (page: Page): Promise<void> => getPopover(page).waitFor({ state: 'detached' });
const isFocused = (locator: Locator): Promise<boolean> => locator.evaluate((node) => node === document.activeElement);

/** Reads an amount as hundredths of a cent. */
const parseAmount = (text: string): number =>
  Math.round(Number(text.replaceAll(/[^\d.−]/g, '').replace('−', '-')) * 1e4);
const readAmounts = async (texts: Locator): Promise<number[]> => (await texts.allInnerTexts()).map(parseAmount);

/** Activates a figure and asserts that the terms in its popover add up to the total there. Returns their texts. */
async function assertTermsAddUp(page: Page, part: Locator, name: string): Promise<string[]> {
  await getFigure(part, name).first().click();
  const popover = page.getByRole('dialog', { name, exact: true });
  const terms = popover.getByRole('list', { name: 'Terms' }).getByRole('listitem');
  await terms.first().waitFor();
  const amounts = await readAmounts(terms.locator('div:first-child > span:last-child'));
  const [total] = await readAmounts(popover.getByText(/^Total: /).locator('xpath=..'));
  assert.equal(
    amounts.reduce((sum, amount) => sum + amount, 0),
    total,
    name,
  );
  const texts = await terms.allInnerTexts();
  await page.keyboard.press('Escape');
  await popover.waitFor({ state: 'detached' });
  return texts;
}

test('shows the terms of net worth, which add up to it', async ({ page }) => {
  await getFigure(getCard(page, 'Net worth'), 'Net worth').click();
  const popover = getPopover(page);
  const terms = popover.getByRole('list', { name: 'Terms' }).getByRole('listitem');
  await terms
    .filter({ hasText: 'HSBA.L in Savings in pounds' })
    .getByText(/^1 GBP = 1\.\d+ USD · /)
    .waitFor();
  await terms
    .filter({ hasText: 'AAPL in Brokerage' })
    .getByText(/^24 × \$[\d.]+$/)
    .waitFor();
  await terms
    .filter({ hasText: 'AAPL in Brokerage' })
    .getByText(/^Sample price, .* ET$/)
    .waitFor();
  await terms
    .filter({ hasText: 'Cash in Retirement' })
    .getByText(/^Entered by you, /)
    .waitFor();
  const amounts = await readAmounts(terms.locator('div:first-child > span:last-child'));
  const [total] = await readAmounts(popover.getByText(/^Total: /).locator('xpath=..'));
  assert.equal(amounts.length, await terms.count());
  assert.equal(
    amounts.reduce((sum, amount) => sum + amount, 0),
    total,
  );
  await assertAccessibleInAllVariants(page, 'the terms of net worth');
  await page.keyboard.press('Escape');
  await waitForClosed(page);
});

test('returns the focus when it closes by Escape or a press outside', async ({ page }) => {
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('explain=1')) requests.push(new URL(request.url()).pathname);
  });
  const gain = getFigure(getRow(page, 'AAPL'), 'Gain of AAPL');
  await gain.focus();
  await page.keyboard.press('Enter');
  const popover = page.getByRole('dialog', { name: 'Gain of AAPL' });
  await popover.getByText('Cost of AAPL in Brokerage').waitFor();
  assert.equal(await isFocused(popover), true);
  await page.keyboard.press('Escape');
  await waitForClosed(page);
  assert.equal(await isFocused(gain), true);
  const value = getFigure(getRow(page, 'AAPL'), 'Value of AAPL');
  await value.click();
  await page
    .getByRole('dialog', { name: 'Value of AAPL' })
    .getByText(/^24 × /)
    .waitFor();
  await value.click();
  await waitForClosed(page);
  assert.equal(await isFocused(value), true, 'a second press closes');
  await value.click();
  await getPopover(page).waitFor();
  await page.getByRole('heading', { level: 1 }).click();
  await waitForClosed(page);
  await eventually(() => isFocused(value));
  assert.deepEqual(requests, ['/api/portfolio/holdings'], 'fetched once, on first opening');
});

test('explains figures inside a dialog and hides amounts in privacy mode', async ({ page }) => {
  await page.evaluate(() => localStorage.setItem('tally.privacy', '1'));
  await page.reload();
  await getCard(page, 'Holdings').getByRole('button', { name: 'Accounts' }).click();
  const accounts = page.getByRole('dialog', { name: 'Accounts' });
  await getFigure(accounts, 'Value of USD holdings in Brokerage').click();
  const popover = page.getByRole('dialog', { name: 'Value of USD holdings in Brokerage' });
  await popover.getByText('AAPL in Brokerage').waitFor();
  // Prices are public.
  assert.doesNotMatch((await popover.innerText()).replaceAll(/ × \$[\d,.]+/g, ''), /\$\d*[1-79]/);
  assert.doesNotMatch(await popover.innerText(), /^24 ×/m);
  await page.setViewportSize({ width: 320, height: 568 });
  const box = (await popover.boundingBox())!;
  assert.ok(box.x >= 0 && box.x + box.width <= 320 && box.y >= 0 && box.y + box.height <= 568, JSON.stringify(box));
  await page.keyboard.press('Escape');
  await popover.waitFor({ state: 'detached' });
  await accounts.waitFor();
  await page.setViewportSize(sizes.desktop);
  await page.evaluate(() => localStorage.removeItem('tally.privacy'));
});

test('explains the cards of Home and the change of net worth', async ({ page }) => {
  await page.goto('/dashboard');
  const netWorth = getCard(page, 'Net worth');
  const gain = await netWorth
    .getByTitle(/^Gain of net worth, .*: show how it came about$/)
    .last()
    .getAttribute('title');
  const period = gain!.replace(/^Gain of net worth, (.*): .*$/, '$1');
  const terms = await assertTermsAddUp(page, netWorth, `Gain of net worth, ${period}`);
  assert.ok(
    terms.some((text) => text.startsWith('Market prices in GBP')),
    terms.join(),
  );
  await assertTermsAddUp(page, netWorth, `Market change, ${period}`);
  await assertTermsAddUp(page, netWorth, `Currency change, ${period}`);
  const accounts = await assertTermsAddUp(page, getCard(page, 'Accounts'), 'Value of Brokerage');
  assert.ok(
    accounts.some((text) => text.startsWith('Cash in Brokerage')) &&
      accounts.some((text) => text.startsWith('AAPL in Brokerage')),
    accounts.join(),
  );
  const movers = getCard(page, 'Movers').getByTitle(/^Day change of .*: show how it came about$/);
  const title = await movers.first().getAttribute('title');
  await assertTermsAddUp(page, getCard(page, 'Movers'), title!.replace(/: show how it came about$/, ''));
});

test('shows accounts, parts of net worth and of its change that add up', async ({ page }) => {
  await page.goto('/dashboard');
  const netWorth = getCard(page, 'Net worth');
  await getCard(page, 'Accounts')
    .getByTitle(/^Value of /)
    .first()
    .waitFor();
  await netWorth.getByTitle(/^Market change, /).waitFor();
  const accounts = await readAmounts(getCard(page, 'Accounts').getByTitle(/^Value of /));
  const parts = await readAmounts(netWorth.getByTitle(/^(Investments|Cash|Liabilities): /));
  const [total] = await readAmounts(netWorth.getByTitle('Net worth: show how it came about'));
  const add = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);
  assert.ok(accounts.length > 1 && parts.length > 1);
  assert.deepEqual([add(accounts), add(parts)], [total, total]);
  const changes = await readAmounts(netWorth.getByTitle(/^(Market|Currency) change, /));
  const gainText = await netWorth
    .getByTitle(/^Gain of net worth, /)
    .last()
    .innerText();
  assert.equal(add(changes), parseAmount(gainText.replace(/ \(.*/, '')));
});

test('leads from the day of the holdings to the day of net worth, with its sign and in cents', async ({ page }) => {
  await page.goto('/dashboard');
  const title = await getCard(page, 'Net worth')
    .getByTitle(/^Gain of net worth, /)
    .first()
    .getAttribute('title');
  const terms = await assertTermsAddUp(
    page,
    getCard(page, 'Net worth'),
    title!.replace(/: show how it came about$/, ''),
  );
  const day = terms.find((text) => text.startsWith('Day change of holdings'))!;
  const total = await getCard(page, 'Holdings')
    .getByTitle('Day change of investments: show how it came about')
    .innerText();
  // Both have a sign and the same cents, such as +$536.11.
  assert.match(day, /[+−]\$[\d,]+\.\d\d$/);
  assert.equal(day.replace(/^.*\s/s, ''), total.replace(/ \(.*/s, ''));
});

test('explains the position in the panel of a security', async ({ page }) => {
  await page.goto('/dashboard?symbol=AAPL');
  const position = page.getByRole('region', { name: 'Your position' });
  for (const name of ['Value of AAPL', 'Gain of AAPL', 'Day change of AAPL', 'Value of AAPL in Brokerage'])
    await assertTermsAddUp(page, position, name);
});

test('explains the figures of the portfolio page', async ({ page }) => {
  await page.goto('/portfolio');
  const summary = page.getByRole('region', { name: 'Summary' });
  const terms = await assertTermsAddUp(page, summary, 'Value of investments');
  assert.ok(
    terms.some((text) => text.includes('1 GBP = ')),
    terms.join(),
  );
  await assertTermsAddUp(page, summary, 'Day change of investments');
  await assertTermsAddUp(page, summary, 'Gain of investments');
  await assertTermsAddUp(page, page.getByRole('table'), 'Value of HSBA.L in Savings in pounds');
  await getFigure(page.getByRole('table'), 'Weight of AAPL in Brokerage').click();
  await page.getByRole('dialog', { name: 'Weight of AAPL in Brokerage' }).getByText('Value of all holdings').waitFor();
  await page.keyboard.press('Escape');
  await waitForClosed(page);
  const name = 'Gain of AAPL in Brokerage';
  await page.getByTitle(`${name}: show how it came about`).first().click();
  await page.getByRole('dialog', { name }).getByText('Cost of AAPL in Brokerage').waitFor();
  await page.keyboard.press('Escape');
  await waitForClosed(page);
});
