import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { createAlertEvaluator } from '../../src/features/alerts/evaluate-alerts.ts';
import { assertAccessible, themes } from '../support/browser.ts';
import { eventuallyEquals } from '../support/eventually.ts';
import type { TestService } from '../support/service.ts';
import { test } from './fixtures.ts';
import type { Person } from './people.ts';
import { createMemberWith, getRows } from './watchlist-card.ts';

const LIST = ['AAPL', 'MSFT', 'VOO'];

const listTerms = async ({ database }: TestService, { email }: Person): Promise<string[]> =>
  (
    await database.owner<{ terms: string }>(
      `select concat_ws(' ', a.symbol, a.kind, a.threshold, a.repeats, a.note) as terms
         from public.alerts a join public.all_users m using (idp_id) where m.email = $1 order by a.created_at`,
      [email],
    )
  ).map(({ terms }) => terms);

/** Evaluates a price of a ticker, as a refresh does. */
async function evaluate({ database }: TestService, symbol: string, price: number): Promise<void> {
  const evaluatePrices = createAlertEvaluator({ sendsMail: false, capture: () => {} });
  const priceAt = new Date(Date.now() + 60_000).toISOString();
  const written = {
    symbol,
    price,
    change_1d: 1.25,
    price_at: priceAt,
    day: priceAt.slice(0, 10),
    delayed_minutes: 0,
    sample: true,
  };
  await database.database.service.transaction((tx) => evaluatePrices(tx, { prices: [written], splits: [] }));
}

/** Adds alerts of AAPL above $1, $2 and so on, of the week before. */
async function addAlerts({ database }: TestService, { email }: Person, count: number, note?: string): Promise<void> {
  await database.owner(
    `insert into public.alert_settings (idp_id) select idp_id from public.all_users where email = $1
     on conflict do nothing`,
    [email],
  );
  await database.owner(
    `insert into public.alerts (idp_id, symbol, kind, threshold, repeats, note, priced_at)
     select m.idp_id, 'AAPL', 'above', n, 'once', $3, now() - interval '7 days'
       from public.all_users m, generate_series(1, $2::int) n where m.email = $1`,
    [email, count, note],
  );
}

const getDialog = (page: Page, symbol: string) => page.getByRole('dialog', { name: `Alert for ${symbol}` });
const getBell = (page: Page) => page.getByRole('button', { name: /^Alerts/ });

test('sets an alert from a row with the pointer, and lists and removes it there', async ({ page, service }) => {
  const member = await createMemberWith(page, service, LIST);
  await getRows(page).first().hover();
  await page.getByRole('button', { name: 'Set alert for AAPL' }).click();
  const dialog = getDialog(page, 'AAPL');
  const price = dialog.getByLabel('Price in USD');
  assert.equal(await price.inputValue(), '', 'a price that does not fire at once');
  await dialog.getByText(/^Last price \$/).waitFor();
  await dialog.getByRole('button', { name: 'Set alert' }).click();
  await dialog.getByRole('alert').getByText('Type a price.').waitFor();
  await price.fill('0');
  await dialog.getByRole('button', { name: 'Set alert' }).click();
  await dialog.getByRole('alert').getByText('Type a number above zero.').waitFor();
  await dialog.getByText('Falls to').click();
  await dialog.getByText('Each day').click();
  await price.fill('1.5');
  await dialog.getByLabel('Note (optional)').fill('Buy more');
  await dialog.getByRole('button', { name: 'Set alert' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Alert set. AAPL: At $1.50 or below.').waitFor();
  assert.deepEqual(await listTerms(service, member), ['AAPL below 1.5 daily Buy more']);

  await getRows(page).first().hover();
  await page.getByRole('button', { name: 'Set alert for AAPL' }).click();
  await dialog.getByRole('button', { name: 'Remove alert: AAPL, At $1.50 or below' }).click();
  await page.getByText('Alert removed.').first().waitFor();
  await eventuallyEquals(() => listTerms(service, member), []);
});

test('says that the threshold is already met, and sets the alert', async ({ page, service }) => {
  const member = await createMemberWith(page, service, LIST);
  await getRows(page).first().focus();
  await page.keyboard.press('a');
  const dialog = getDialog(page, 'AAPL');
  const price = dialog.getByLabel('Price in USD');
  await price.fill('1');
  await dialog
    .getByText(/^AAPL is at \$[\d.,]+, already above \$1\.00: the alert fires at the next price\.$/)
    .waitFor();
  await dialog.getByText('Falls to').click();
  await dialog.getByText(/^Last price \$/).waitFor();
  await dialog.getByText('Moves by').click();
  await dialog.getByLabel('Percent in a day, up or down').fill('0.001');
  await dialog
    .getByText(
      /^AAPL has moved [+−][\d.]+%, already 0\.001% or more: the alert fires at the next price of the same day\.$/,
    )
    .waitFor();
  await dialog.getByText('Rises to').click();
  await price.press('Enter');
  await page.getByText('Alert set. AAPL: At $1.00 or above. It fires at the next price.').waitFor();
  assert.deepEqual(await listTerms(service, member), ['AAPL above 1 once']);
});

test('reads the threshold in the chosen number format', async ({ visit, service }) => {
  const page = await visit({ locale: 'de-DE' });
  const member = await createMemberWith(page, service, LIST);
  await getRows(page).first().focus();
  await page.keyboard.press('a');
  const dialog = getDialog(page, 'AAPL');
  const price = dialog.getByLabel('Price in USD');
  await price.fill('1.234,56');
  await page.keyboard.press('Enter');
  await page.getByText(/^Alert set\. AAPL: At 1\.234,56\s\$ or above\./).waitFor();
  assert.deepEqual(await listTerms(service, member), ['AAPL above 1234.56 once']);
});

test('sets an alert from a row with the keyboard alone', async ({ page, service }) => {
  const member = await createMemberWith(page, service, LIST);
  await getRows(page).first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('a');
  const dialog = getDialog(page, 'MSFT');
  await dialog.waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Tab');
  await page.keyboard.type('7.5');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  assert.deepEqual(await listTerms(service, member), ['MSFT move 7.5 once']);
  await page.waitForFunction(() => (document.activeElement as HTMLElement).dataset['symbol'] === 'MSFT');
});

test('sets an alert from the panel of a security', async ({ page, service }) => {
  const member = await createMemberWith(page, service, LIST);
  await page.goto('/dashboard?symbol=KO');
  const panel = page.getByRole('dialog', { name: /Coca/ });
  await panel.getByRole('button', { name: 'Set alert' }).click();
  const dialog = getDialog(page, 'KO');
  await dialog.getByLabel('Price in USD').fill('999');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  assert.deepEqual(await listTerms(service, member), ['KO above 999 once']);
  await panel.waitFor();
});

test('counts a fired alert at the bell of an open tab, and lists it as new until it was seen', async ({
  page,
  service,
}) => {
  await page.clock.install();
  const member = await createMemberWith(page, service, LIST);
  await addAlerts(service, member, 1, 'Sell half');
  await page.getByRole('button', { name: 'Alerts', exact: true }).waitFor();
  await evaluate(service, 'AAPL', 250);
  await page.clock.fastForward(61_000);
  await page.getByRole('button', { name: 'Alerts, 1 new' }).click();
  const list = page.getByRole('dialog', { name: 'Alerts', exact: true });
  const row = list.getByRole('listitem').filter({ hasText: 'AAPL rose to $1.00 or above' });
  await row.getByText('New').waitFor();
  await row.getByText('Sample price').waitFor();
  await row.getByText('Sell half').waitFor();
  await page.getByRole('button', { name: 'Alerts', exact: true, includeHidden: true }).waitFor();
  await page.goBack();
  await list.waitFor({ state: 'detached' });
  await getBell(page).click();
  await row.waitFor();
  assert.equal(await row.getByText('New').count(), 0);
});

test('opens the security of a fired and of a waiting alert in place of the list', async ({ page, service }) => {
  const member = await createMemberWith(page, service, LIST);
  await addAlerts(service, member, 1);
  await evaluate(service, 'AAPL', 250);
  await addAlerts(service, member, 1);
  for (const name of ['Fired alerts', 'Waiting alerts']) {
    await page.goto('/dashboard?alerts=open');
    const list = page.getByRole('dialog', { name: 'Alerts', exact: true });
    const section = name === 'Fired alerts' ? list.getByRole('region', { name }) : list.getByRole('list', { name });
    await section.getByRole('link', { name: 'AAPL' }).click();
    await page.getByRole('dialog', { name: /Apple/ }).waitFor();
    assert.equal(await list.count(), 0, name);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
});

test('says that the plan has no room for another alert', async ({ page, service }) => {
  const member = await createMemberWith(page, service, LIST);
  await addAlerts(service, member, 20);
  await getRows(page).first().focus();
  await page.keyboard.press('a');
  const dialog = getDialog(page, 'AAPL');
  await dialog.getByText('You have 20 alerts, as many as your plan has tickers.').waitFor();
  await dialog.getByLabel('Price in USD').fill('500');
  await dialog.getByRole('button', { name: 'Set alert' }).click();
  await dialog.getByRole('alert').getByText('as many alerts as your plan has tickers').waitFor();
});

test('shows what is missing when the alerts cannot be read', async ({ visit, service }) => {
  const page = await visit({ expected: [/503|Failed to load resource/] });
  await createMemberWith(page, service, LIST);
  const unavailable = { code: 'UNAVAILABLE', message: 'This is not available right now; try again later.' };
  await page.route('**/api/alerts', (route) => route.fulfill({ status: 503, json: unavailable }));
  await getBell(page).click();
  const list = page.getByRole('dialog', { name: 'Alerts', exact: true });
  await list.getByRole('alert').getByText('This is not available right now').waitFor();
  await page.unroute('**/api/alerts');
  await list.getByRole('button', { name: 'Try again' }).click();
  await list.getByText('You have no alerts.').waitFor();
});

for (const theme of themes)
  test(`has accessible alerts in the ${theme} theme`, async ({ visit, service }) => {
    const page = await visit({ theme });
    await createMemberWith(page, service, LIST);
    await getBell(page).click();
    await page.getByText('You have no alerts.').waitFor();
    await assertAccessible(page, 'no alerts');
    await page.keyboard.press('Escape');
    await getRows(page).first().focus();
    await page.keyboard.press('a');
    await getDialog(page, 'AAPL').waitFor();
    await assertAccessible(page, 'the form');
    await getDialog(page, 'AAPL').getByLabel('Price in USD').fill('1');
    await page.keyboard.press('Enter');
    await getDialog(page, 'AAPL').waitFor({ state: 'detached' });
    await evaluate(service, 'AAPL', 250);
    await page.goto('/dashboard?alerts=open');
    await page.getByText('AAPL rose to $1.00 or above').waitFor();
    await assertAccessible(page, 'a fired alert');
  });
