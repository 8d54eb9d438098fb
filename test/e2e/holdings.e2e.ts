import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { assertAccessibleInAllVariants, allVariants } from '../support/browser.ts';
import type { TestService } from '../support/service.ts';
import { shareMember } from './fixtures.ts';
import { type Person, register } from './people.ts';
import { deleteAllInvestments } from './sample-member.ts';
import { getHoldingRows } from './home-holdings.ts';

const test = shareMember((page) => register(page), { expected: [/503/] });
const row = (page: Page, symbol: string): Locator => getHoldingRows(page).filter({ hasText: symbol });
/** Checks a dialog in each variant. Other tests check the page below the dialog. */
const checkAccessibility = (page: Page, state: string): Promise<void> =>
  assertAccessibleInAllVariants(page, state, allVariants, page.getByRole('dialog').last());
const waitForClosed = (dialog: Locator): Promise<void> => dialog.waitFor({ state: 'detached' });

/** Opens the holdings of a security from its panel. */
async function openHoldings(page: Page, symbol: string): Promise<Locator> {
  await row(page, symbol).getByRole('link').press('Enter');
  await page.getByRole('region', { name: 'Your position' }).getByRole('button', { name: 'Edit' }).press('Enter');
  return page.getByRole('dialog', { name: `${symbol} in your accounts` });
}

/** Closes the panel below the form that has closed. The focus returns to the row. */
async function closePanel(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

interface Owned {
  account: string;
  symbol: string;
  quantity: string;
  cost: string | null;
}

const listOwned = (service: TestService, { email }: Person): Promise<Owned[]> =>
  service.database.owner<Owned & Record<string, unknown>>(
    `select a.name as account, h.symbol, trim_scale(h.quantity)::text as quantity,
            trim_scale(h.cost_basis)::text as cost
       from public.manual_public_holdings h join public.accounts a on a.id = h.account_id
       join public.all_users m on m.idp_id = h.idp_id
      where m.email = $1 order by a.created_at, h.symbol`,
    [email],
  );

/** Gives a member Apple in two accounts and Coca-Cola in one, nothing else, and loads the dashboard. */
async function restoreHoldings(page: Page, service: TestService, person: Person): Promise<void> {
  await deleteAllInvestments(service, person);
  await service.database.owner(
    `with made as (
       insert into public.accounts (idp_id, name, balance, created_at)
       select m.idp_id, a.name, a.balance, now() + a.place * interval '1 second' from public.all_users m,
              (values ('Brokerage', 100, 1), ('Retirement', 0, 2)) a (name, balance, place)
        where m.email = $1 returning id, idp_id, name
     )
     insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity, cost_basis)
     select m.idp_id, m.id, h.symbol, h.quantity, h.cost from made m
       join (values ('Brokerage', 'AAPL', 10, 1500), ('Retirement', 'AAPL', 5, null), ('Brokerage', 'KO', 40, 2000))
         h (account, symbol, quantity, cost) on h.account = m.name`,
    [person.email],
  );
  await page.goto('/dashboard');
  await row(page, 'KO').waitFor();
}

test('changes a holding by keyboard and shows problems at their fields', async ({ page, service, member }) => {
  await restoreHoldings(page, service, member);
  const dialog = await openHoldings(page, 'KO');
  await page.waitForFunction(() => document.activeElement?.id === 'quantity');
  assert.equal(await dialog.getByLabel('Quantity').inputValue(), '40');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('lots');
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').getByText('“lots” is not a number. Use digits, such as 1,234.56.').waitFor();
  await checkAccessibility(page, 'a holding with a problem');
  assert.equal(await dialog.getByLabel('Quantity').inputValue(), 'lots', 'what was typed stays');
  await dialog.getByRole('alert').getByRole('link').press('Enter');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('1,040.5');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Enter');
  await waitForClosed(dialog);
  await page
    .getByRole('region', { name: 'Your position' })
    .getByText(/^1,040\.5 · /)
    .waitFor();
  await closePanel(page);
  await row(page, 'KO')
    .getByText(/Quantity 1,040\.5$/)
    .waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('KO'));
  assert.deepEqual(
    (await listOwned(service, member)).find(({ symbol }) => symbol === 'KO'),
    { account: 'Brokerage', symbol: 'KO', quantity: '1040.5', cost: null },
  );
});

test('restores a removed holding with its values on undo', async ({ page, service, member }) => {
  await restoreHoldings(page, service, member);
  const before = await listOwned(service, member);
  const dialog = await openHoldings(page, 'KO');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('KO removed from Brokerage.').waitFor();
  await row(page, 'KO').waitFor({ state: 'detached' });
  assert.equal((await listOwned(service, member)).length, 2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await row(page, 'KO').waitFor();
  assert.deepEqual(await listOwned(service, member), before);
});

test(
  'changes a holding in the chosen account when several hold the security',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await restoreHoldings(page, service, member);
    const dialog = await openHoldings(page, 'AAPL');
    await dialog.getByRole('button', { name: 'Edit AAPL in Retirement' }).waitFor();
    await checkAccessibility(page, 'choosing a holding');
    await dialog.getByRole('button', { name: 'Edit AAPL in Retirement' }).click();
    await dialog.getByText('In Retirement').waitFor();
    await dialog.getByLabel('Quantity').fill('6');
    await dialog.getByLabel(/^Total cost/).fill('900');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog
      .getByRole('list', { name: 'Your holdings of AAPL' })
      .getByText(/^6 · \$/)
      .waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Your holdings of AAPL');
    await page.keyboard.press('Escape');
    await waitForClosed(dialog);
    await closePanel(page);
    await row(page, 'AAPL')
      .getByText(/Quantity 16$/)
      .waitFor();
    assert.deepEqual(
      (await listOwned(service, member))
        .filter(({ symbol }) => symbol === 'AAPL')
        .map(({ quantity, cost }) => [quantity, cost]),
      [
        ['10', '1500'],
        ['6', '900'],
      ],
    );
  },
);

test('makes, renames and deletes accounts, with a question before a deletion', async ({ page, service, member }) => {
  await restoreHoldings(page, service, member);
  const dialog = page.getByRole('dialog');
  await page.getByRole('region', { name: 'Holdings' }).getByRole('button', { name: 'Accounts' }).click();
  await dialog.getByRole('button', { name: 'Edit Brokerage' }).waitFor();
  await checkAccessibility(page, 'accounts');
  await dialog.getByRole('button', { name: 'New account' }).click();
  await dialog.getByRole('button', { name: 'Add account' }).click();
  await dialog.getByRole('alert').getByText('Enter a name for the account.').waitFor();
  await dialog.getByLabel('Name of the account').fill('Savings');
  await dialog.getByLabel('Cash').fill('-12.50');
  await dialog.getByLabel('Currency').selectOption('GBP');
  await dialog.getByRole('button', { name: 'Add account' }).click();
  await dialog.getByText(/^£12\.50 owed/).waitFor();
  await dialog.getByRole('button', { name: 'Edit Brokerage' }).click();
  await dialog.getByLabel('Cash, USD').waitFor();
  await checkAccessibility(page, 'an account');
  await dialog.getByLabel('Name of the account').fill('Old broker');
  await dialog.getByLabel('Cash, USD').fill('250');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText(/^\$250\.00 in cash · 2 holdings/).waitFor();
  await dialog.getByRole('button', { name: 'Edit Old broker' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByText('Its 2 holdings are deleted too.').waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent === 'Cancel');
  await checkAccessibility(page, 'asking before a deletion');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete the account' }).click();
  await dialog.getByRole('button', { name: 'Edit Old broker' }).waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Done' }).click();
  await waitForClosed(dialog);
  await row(page, 'KO').waitFor({ state: 'detached' });
  await page.getByText(/^\d currenc(y|ies), rates of /).click();
  await page.getByRole('list', { name: 'Currencies' }).getByText('GBP', { exact: true }).waitFor();
  assert.deepEqual(
    (await listOwned(service, member)).map(({ account, symbol }) => [account, symbol]),
    [['Retirement', 'AAPL']],
  );
});

test(
  'shows no amount to edit in privacy mode and keeps an amount that is left empty',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await restoreHoldings(page, service, member);
    const before = await listOwned(service, member);
    await page.getByRole('button', { name: 'Privacy mode' }).click();
    const dialog = await openHoldings(page, 'KO');
    await dialog.getByText('Hidden. Leave empty to keep the current value.').first().waitFor();
    assert.deepEqual(
      [await dialog.getByLabel('Quantity').inputValue(), await dialog.getByLabel(/^Total cost/).inputValue()],
      ['', ''],
    );
    await dialog.getByLabel(/^Total cost/).fill('2100');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await waitForClosed(dialog);
    await closePanel(page);
    assert.deepEqual(
      await listOwned(service, member),
      before.map((candidate) => (candidate.symbol === 'KO' ? { ...candidate, cost: '2100' } : candidate)),
    );
    await page.getByRole('region', { name: 'Holdings' }).getByRole('button', { name: 'Accounts' }).click();
    await page.getByRole('dialog').getByText('hidden').first().waitFor();
    assert.doesNotMatch(await page.getByRole('dialog').innerText(), /\$100/);
  },
);

test('keeps the chosen order of holdings after a reload', { tag: '@slow' }, async ({ page, service, member }) => {
  await restoreHoldings(page, service, member);
  const readOrder = async (): Promise<(string | undefined)[]> =>
    (await getHoldingRows(page).allInnerTexts()).map((text) => /AAPL|KO/.exec(text)?.[0]);
  assert.deepEqual(await readOrder(), ['AAPL', 'KO']);
  await service.database.owner(
    `update public.manual_public_holdings h set cost_basis = null from public.all_users m
      where m.email = $1 and h.idp_id = m.idp_id and h.symbol = 'AAPL'`,
    [member.email],
  );
  await page.reload();
  // Only Coca-Cola has a known cost.
  await row(page, 'AAPL').getByTitle('Cost unknown').waitFor();
  await page.getByLabel('Sort holdings').selectOption('Gain');
  assert.deepEqual(await readOrder(), ['KO', 'AAPL']);
  await page.reload();
  await row(page, 'KO').waitFor();
  assert.deepEqual(await readOrder(), ['KO', 'AAPL']);
  await page.getByLabel('Sort holdings').selectOption('Name');
  assert.deepEqual(await readOrder(), ['AAPL', 'KO']);
});
