import assert from 'node:assert/strict';
import { test } from './fixtures.ts';
import { register } from './people.ts';
import { addToWatchlist } from './watchlist-card.ts';

test('stores typed numbers of a German browser and shows all their digits', async ({ service, visit }) => {
  const page = await visit({ locale: 'de-DE' });
  const person = await register(page);
  await addToWatchlist(service, person, ['AAPL', 'VOO']);
  await service.database.owner(
    `with made as (insert into public.accounts (idp_id, name, balance)
       select idp_id, 'Depot', 0 from public.all_users where email = $1 returning id, idp_id)
     insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity)
     select made.idp_id, made.id, h.symbol, h.quantity
       from made, (values ('VOO', 0.01525217), ('AAPL', 0.0000001234)) h (symbol, quantity)`,
    [person.email],
  );
  const owned = async (symbol: string): Promise<unknown> =>
    (
      await service.database.owner(
        `select trim_scale(h.quantity)::text as quantity, trim_scale(h.cost_basis)::text as cost
           from public.manual_public_holdings h join public.all_users m on m.idp_id = h.idp_id
          where m.email = $1 and h.symbol = $2`,
        [person.email, symbol],
      )
    )[0];
  await page.goto('/dashboard');
  const row = (symbol: string) =>
    page.getByRole('list', { name: 'Holdings', exact: true }).getByRole('listitem').filter({ hasText: symbol });
  const dialog = page.getByRole('dialog');

  await test.step('shows quantities on the card with all their digits', async () => {
    await row('VOO')
      .getByText(/^0\.01525217 ×/)
      .waitFor();
    await row('AAPL')
      .getByText(/^0\.0000001234 ×/)
      .waitFor();
  });
  await test.step('changes nothing when a form is saved without an edit', async () => {
    await row('AAPL').getByRole('button').click();
    assert.equal(await dialog.getByLabel('Quantity').inputValue(), '0,0000001234');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual(await owned('AAPL'), { quantity: '0.0000001234', cost: null });
  });
  await test.step('reads decimal commas and grouping points as German ones', async () => {
    await row('VOO').getByRole('button').click();
    await dialog.getByLabel('Quantity').fill('1,5');
    await dialog.getByLabel(/^Total cost/).fill('1.234,56');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual(await owned('VOO'), { quantity: '1.5', cost: '1234.56' });
  });
  await test.step('asks about an ambiguous number and keeps its text in the field', async () => {
    await row('VOO').getByRole('button').click();
    await dialog.getByLabel('Quantity').fill('1.234');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('“1.234” can be two numbers. Type 1234 or 1,2340.').waitFor();
    assert.equal(await dialog.getByLabel('Quantity').inputValue(), '1.234');
    await dialog.getByRole('alert').getByRole('link').press('Enter');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('1,2340');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual(await owned('VOO'), { quantity: '1.234', cost: '1234.56' });
  });
  await test.step('keeps the sign and the decimals of an overdrawn account', async () => {
    await page.getByRole('region', { name: 'Holdings' }).getByRole('button', { name: 'Accounts' }).click();
    await dialog.getByRole('button', { name: 'Edit Depot' }).click();
    await dialog.getByLabel('Cash, USD').fill('−12,50');
    await page.keyboard.press('Enter');
    await dialog.getByText('−$12.50 in cash').waitFor();
  });
});
