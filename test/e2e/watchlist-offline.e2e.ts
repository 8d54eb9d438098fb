import { eventuallyEquals } from '../support/eventually.ts';
import { test } from './fixtures.ts';
import {
  getCard,
  waitForSavedOrder,
  createMemberWith,
  getRows,
  getSearchField,
  waitForRows,
} from './watchlist-card.ts';

test('keeps an offline add beyond the page and shows what search and figures lack', async ({ service, visit }) => {
  const page = await visit({ expected: [/ERR_INTERNET_DISCONNECTED/] });
  const person = await createMemberWith(page, service, ['MSFT']);
  await getCard(page).getByRole('button', { name: 'Add tickers' }).click();
  await getSearchField(page).waitFor();
  await getCard(page).getByRole('option', { name: /AAPL/ }).waitFor();
  await page.context().setOffline(true);
  await page.getByText(/^You are offline\. Data as of \d+:\d\d/).waitFor();
  await getCard(page).getByRole('option', { name: /AAPL/ }).click();
  await page.getByText(/Apple will be added when you are back online/).waitFor();
  await getRows(page)
    .and(page.getByRole('link', { name: /^AAPL.*pending \(offline\)$/ }))
    .waitFor();
  await getSearchField(page).fill('nvidia');
  await getCard(page).getByRole('alert').getByText('You are offline. Search needs a network connection.').waitFor();
  // The page is closed, and another page of this browser opens when the network is back.
  const later = await page.context().newPage();
  await page.close();
  await waitForSavedOrder(service, person, ['MSFT']);
  await later.context().setOffline(false);
  await later.goto('/dashboard');
  await waitForRows(later, ['MSFT', 'AAPL']);
  await waitForSavedOrder(service, person, ['MSFT', 'AAPL']);
  // The service receives the add before the page receives its response.
  await eventuallyEquals(() => later.evaluate(() => localStorage.getItem('tally.kept-adds')), null);
});
