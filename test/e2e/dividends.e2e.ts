import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { allVariants, assertAccessibleInAllVariants, assertLeavesAltLeftToBrowser } from '../support/browser.ts';
import { computeDividends } from '../support/figures/compute-dividends.ts';
import { toNumber } from '../support/figures/fixed-point.ts';
import { shareMember } from './fixtures.ts';
import { registerSampleMember } from './sample-member.ts';

const test = shareMember((page, service) => registerSampleMember(page, service, 'free'));

const getCard = (page: Page): Locator => page.getByRole('region', { name: 'Dividends', exact: true });
const getIncome = (page: Page): Locator => page.getByRole('region', { name: 'Dividend income', exact: true });

test('lists declared and expected payments on Home, and explains their income', async ({ page }) => {
  await page.goto('/dashboard');
  const card = getCard(page);
  const rows = card.getByRole('list', { name: 'Dividends' }).getByRole('listitem');
  await rows.first().waitFor();
  assert.ok((await rows.allInnerTexts()).every((text) => /(Declared|Expected)/.test(text)));
  for (const text of await rows.allInnerTexts())
    assert.equal(/a share$/m.test(text), text.includes('Watching'), 'an amount per share says so');
  const income = card.getByRole('button', { name: /^Dividend income, .*\$/ });
  const shown = await income.innerText();
  await income.click();
  const popover = page.getByRole('dialog', { name: 'Dividend income, next 90 days' });
  await popover.getByText('Before taxes. Expected payments are estimates.').waitFor();
  await popover.getByText(shown, { exact: true }).first().waitFor();
  await page.keyboard.press('Escape');
  await assertAccessibleInAllVariants(page, 'the card of dividends', allVariants, card);
});

test('puts the card away and back', async ({ page }) => {
  await page.goto('/dashboard');
  await getCard(page).waitFor();
  await page.getByRole('button', { name: 'Arrange' }).click();
  await page.getByRole('button', { name: 'Remove Dividends' }).click();
  await getCard(page).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Add card' }).click();
  await page.getByRole('button', { name: 'Add Dividends' }).click();
  await page.keyboard.press('Escape');
  await getCard(page).waitFor();
});

test('shows income by month as bars with arrow keys, and as a table', async ({ page }) => {
  await page.goto('/portfolio');
  const income = getIncome(page);
  await income.getByText(/^Yield \d+\.\d\d% · \d+\.\d\d% on cost$/).waitFor();
  const bars = income.getByRole('slider', { name: 'Dividend income by month' });
  await bars.press('End');
  const last = (await bars.getAttribute('aria-valuetext'))!;
  await bars.press('Home');
  const first = (await bars.getAttribute('aria-valuetext'))!;
  assert.notEqual(first, last);
  await bars.press('ArrowRight');
  await assertLeavesAltLeftToBrowser(bars);
  assert.equal(await bars.getAttribute('aria-valuenow'), '1');
  await assertAccessibleInAllVariants(page, 'the bars of dividends', allVariants, income);

  await income.getByRole('button', { name: 'As a table' }).click();
  const headings = income.getByRole('table').getByRole('rowheader');
  assert.equal(await headings.last().innerText(), 'Total');
  assert.equal(await headings.first().innerText(), first.split(':')[0]);
  assert.equal(await headings.nth(-2).innerText(), last.split(':')[0]);
  const isCut = await income
    .getByRole('region', { name: 'Dividend income by month, as a table' })
    .evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight);
  assert.equal(isCut, false);
  await assertAccessibleInAllVariants(page, 'the table of dividends', allVariants, income);
  await income.getByRole('button', { name: 'As bars' }).click();
  await bars.waitFor();
});

test('adds the yields as a column when the member chooses it, and sorts by it', async ({ page }) => {
  await page.goto('/portfolio');
  const table = page.getByRole('table', { name: 'Holdings' });
  await table.waitFor();
  assert.equal(await table.getByRole('columnheader', { name: 'Yield' }).count(), 0);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Yield', exact: true }).check();
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Group holdings' }).selectOption('none');
  await table.getByRole('columnheader', { name: 'Yield', exact: true }).getByRole('button').click();
  const cells = await table.getByRole('cell', { name: / on cost$/ }).allInnerTexts();
  const yields = cells.map((text) => Number.parseFloat(text));
  assert.ok(yields.length > 4);
  assert.deepEqual(
    yields,
    [...yields].sort((a, b) => b - a),
  );
  await page.reload();
  await table.getByRole('columnheader', { name: 'Yield', exact: true }).waitFor();
  const holdings = page.getByRole('region', { name: 'Holdings', exact: true });
  await assertAccessibleInAllVariants(page, 'the column of yields', allVariants, holdings);
});

test('shows the last payments per share of a security, and hides the income in privacy mode', async ({ page }) => {
  await page.goto('/portfolio?symbol=AAPL');
  const dividends = page.getByRole('dialog').getByRole('region', { name: 'Dividends' });
  const rows = dividends.getByRole('listitem');
  await rows.first().waitFor();
  assert.ok((await rows.count()) <= 8);
  assert.ok((await rows.allInnerTexts()).every((text) => /^(Declared|Paid) \w{3} \d/.test(text)));
  await page.keyboard.press('Escape');

  await getIncome(page).waitFor();
  await page.getByRole('button', { name: 'Privacy mode' }).click();
  assert.doesNotMatch(await getIncome(page).innerText(), /\$\d(?!8,888)/);
  await page.getByRole('button', { name: 'Privacy mode' }).click();
});

test('shows the income and the yields that the stored rows give, on Home and in the portfolio', async ({
  page,
  service,
  member,
}) => {
  const [found] = await service.database.owner<{ id: string }>(
    'select idp_id as id from public.all_users where email = $1',
    [member.email],
  );
  const expected = await computeDividends(service.database, found!.id);
  const parse = (text: string): number => Number.parseFloat(text.replace(/[$,]/g, ''));
  const isEqual = (text: string, amount: number, what: string): void =>
    assert.ok(Math.abs(parse(text) - amount) <= 0.0051, `${what}: ${text} is not ${amount}`);
  await page.goto('/dashboard');
  const card = getCard(page);
  isEqual(
    await card.getByRole('button', { name: /^Dividend income, .*\$/ }).innerText(),
    toNumber(expected.next90Days),
    'next 90 days',
  );
  await card.getByRole('button', { name: /^Show all/ }).click();
  const rows = await card.getByRole('listitem').allInnerTexts();
  const held = rows
    .filter((text) => /(Declared|Expected), /.test(text))
    .map((text) => parse(/^\$\S+$/m.exec(text)![0]));
  assert.equal(held.reduce((sum, income) => sum + income, 0).toFixed(2), toNumber(expected.next90Days).toFixed(2));

  await page.goto('/portfolio');
  const income = getIncome(page);
  isEqual(
    await income.getByRole('button', { name: /^Dividend income, .*\$/ }).innerText(),
    toNumber(expected.next12Months),
    'next 12 months',
  );
  const [onValue, onCost] = (await income.getByText(/ on cost$/).innerText()).replace('Yield ', '').split(' · ');
  isEqual(onValue!, toNumber(expected.yieldOnValue!), 'yield on value');
  isEqual(onCost!, toNumber(expected.yieldOnCost!), 'yield on cost');
  await income.getByRole('button', { name: 'As a table' }).click();
  const months = await income.getByRole('table').getByRole('row').allInnerTexts();
  const shown = months.slice(1, -1).flatMap((text) => {
    const amounts = text
      .split('\t')
      .slice(2)
      .filter((cell) => cell.trim() !== '');
    return amounts.length === 0 ? [] : [amounts.reduce((sum, cell) => sum + parse(cell), 0).toFixed(2)];
  });
  const computed = [...expected.months]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([, sum]) => toNumber(sum).toFixed(2));
  assert.deepEqual(shown, computed);
});
