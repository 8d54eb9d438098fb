import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import type { TestService } from '../support/service.ts';
import { shareMember } from './fixtures.ts';
import { type Person, register } from './people.ts';
import { addToWatchlist } from './watchlist-card.ts';
import { getHoldingRows } from './home-holdings.ts';

const test = shareMember(
  async (page, service) => {
    const member = await register(page);
    await addToWatchlist(service, member, ['AAPL', 'VOO']);
    await addHoldings(service, member);
    await page.goto('/dashboard');
    return member;
  },
  { locale: 'de-DE' },
);
// Each test continues with the holdings of the one before.
test.describe.configure({ mode: 'serial' });

/** Adds an account with holdings of many decimals. */
async function addHoldings(service: TestService, { email }: Person): Promise<void> {
  await service.database.owner(
    `with made as (insert into public.accounts (idp_id, name, balance)
       select idp_id, 'Depot', 0 from public.all_users where email = $1 returning id, idp_id)
     insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity)
     select made.idp_id, made.id, h.symbol, h.quantity
       from made, (values ('VOO', 0.01525217), ('AAPL', 0.0000001234)) h (symbol, quantity)`,
    [email],
  );
}

async function readHolding(service: TestService, { email }: Person, symbol: string): Promise<unknown> {
  const [holding] = await service.database.owner(
    `select trim_scale(h.quantity)::text as quantity, trim_scale(h.cost_basis)::text as cost
       from public.manual_public_holdings h join public.all_users m on m.idp_id = h.idp_id
      where m.email = $1 and h.symbol = $2`,
    [email, symbol],
  );
  return holding;
}

const getRow = (page: Page, symbol: string): Locator => getHoldingRows(page).filter({ hasText: symbol });
const getDialog = (page: Page): Locator =>
  page.getByRole('dialog').filter({ hasNot: page.getByRole('region', { name: 'Your position' }) });

/** Opens the form of a holding from the panel of its security. */
async function openHolding(page: Page, symbol: string): Promise<void> {
  await getRow(page, symbol).getByRole('link').click();
  await page.getByRole('region', { name: 'Your position' }).getByRole('button', { name: 'Edit' }).click();
}

/** Waits until the form has closed and closes the panel below it. */
async function closePanel(page: Page): Promise<void> {
  await getDialog(page).waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

test('shows quantities on the card with all their digits', async ({ page }) => {
  await getRow(page, 'VOO')
    .getByText(/Quantity 0,01525217$/)
    .waitFor();
  await getRow(page, 'AAPL')
    .getByText(/Quantity 0,0000001234$/)
    .waitFor();
});

test('changes nothing when a form is saved without an edit', async ({ page, service, member }) => {
  await openHolding(page, 'AAPL');
  assert.equal(await getDialog(page).getByLabel('Quantity').inputValue(), '0,0000001234');
  await getDialog(page).getByRole('button', { name: 'Save' }).click();
  await closePanel(page);
  assert.deepEqual(await readHolding(service, member, 'AAPL'), { quantity: '0.0000001234', cost: null });
});

test('reads decimal commas and grouping points as German ones', async ({ page, service, member }) => {
  await openHolding(page, 'VOO');
  await getDialog(page).getByLabel('Quantity').fill('1,5');
  await getDialog(page)
    .getByLabel(/^Total cost/)
    .fill('1.234,56');
  await page.keyboard.press('Enter');
  await closePanel(page);
  assert.deepEqual(await readHolding(service, member, 'VOO'), { quantity: '1.5', cost: '1234.56' });
});

test('asks about an ambiguous number and keeps its text in the field', async ({ page, service, member }) => {
  await openHolding(page, 'VOO');
  await getDialog(page).getByLabel('Quantity').fill('1.234');
  await page.keyboard.press('Enter');
  await getDialog(page).getByRole('alert').getByText('“1.234” can be two numbers. Type 1234 or 1,2340.').waitFor();
  assert.equal(await getDialog(page).getByLabel('Quantity').inputValue(), '1.234');
  await getDialog(page).getByRole('alert').getByRole('link').press('Enter');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('1,2340');
  await page.keyboard.press('Enter');
  await closePanel(page);
  assert.deepEqual(await readHolding(service, member, 'VOO'), { quantity: '1.234', cost: '1234.56' });
});

test('keeps the sign and the decimals of an overdrawn account', async ({ page }) => {
  await page.getByRole('region', { name: 'Holdings' }).getByRole('button', { name: 'Accounts' }).click();
  await getDialog(page).getByRole('button', { name: 'Edit Depot' }).click();
  await getDialog(page).getByLabel('Cash, USD').fill('−12,50');
  await page.keyboard.press('Enter');
  await getDialog(page).getByText('12,50\u00a0$ owed').waitFor();
});
