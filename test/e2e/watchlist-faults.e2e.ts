import assert from 'node:assert/strict';
import type { Download, Locator, Page } from '@playwright/test';
import type { TestService } from '../support/service.ts';
import { closeNotice, type Flow, testFaultFlows } from './faults.ts';
import type { Person } from './people.ts';
import {
  getCard,
  waitForSavedOrder,
  createMemberWith,
  replaceWatchlist,
  getRows,
  getSearchField,
  waitForRows,
} from './watchlist-card.ts';

const THREE = ['AAPL', 'MSFT', 'VOO'];

const edit = (page: Page): Locator => page.getByRole('dialog', { name: 'Edit watchlist' });
const handle = (page: Page, name: string): Locator =>
  edit(page).getByRole('button', { name: new RegExp(`^Reorder ${name}`) });
const importing = (page: Page): Locator => page.getByRole('dialog', { name: 'Import tickers' });
const panel = (page: Page): Locator => page.getByRole('dialog', { name: /^(MSFT|Microsoft Corporation)$/ });

async function openEdit(page: Page, service: TestService, person: Person): Promise<void> {
  await replaceWatchlist(page, service, person, THREE);
  await getCard(page).getByRole('button', { name: 'Edit watchlist' }).click();
  await handle(page, 'Apple').waitFor();
}

async function openImport(page: Page, service: TestService, person: Person): Promise<void> {
  await replaceWatchlist(page, service, person, ['MSFT']);
  await getCard(page).getByRole('button', { name: 'More' }).click();
  await getCard(page).getByRole('button', { name: 'Import tickers' }).click();
  await importing(page).waitFor();
}

/** Asserts that the import dialog still has its text and shows the error with a retry. */
async function assertImportKept(page: Page, message: string, text: string): Promise<void> {
  await importing(page).getByRole('alert').getByText(message).waitFor();
  assert.equal(await importing(page).getByRole('textbox').inputValue(), text, 'what was typed stays');
}

let exported: Promise<Download>;

const flows: readonly Flow[] = [
  {
    name: 'add',
    everyFault: true,
    call: { method: 'POST', path: /^\/api\/watchlist$/ },
    async prepare(page, service, person) {
      await replaceWatchlist(page, service, person, ['MSFT']);
      await getCard(page).getByRole('button', { name: 'Add tickers' }).click();
      await getSearchField(page).fill('AAPL');
      await getCard(page).getByRole('option', { name: /^AAPL/ }).waitFor();
    },
    perform: (page) => getSearchField(page).press('Enter'),
    async assertLost(page, words) {
      await closeNotice(page, `Could not add Apple. ${words}`);
      await waitForRows(page, ['MSFT']);
      assert.equal(await getSearchField(page).inputValue(), 'AAPL', 'what was typed stays');
    },
    async assertDone(page, service, person) {
      await waitForRows(page, ['MSFT', 'AAPL']);
      await waitForSavedOrder(service, person, ['MSFT', 'AAPL']);
    },
  },
  {
    name: 'remove',
    call: { method: 'DELETE', path: /^\/api\/watchlist\// },
    prepare: openEdit,
    perform: (page) => edit(page).getByRole('button', { name: 'Remove Microsoft' }).click(),
    async assertLost(page, words, service, person) {
      await closeNotice(page, `Could not remove Microsoft from your watchlist. ${words}`);
      await handle(page, 'Microsoft, position 2 of 3').waitFor();
      await waitForSavedOrder(service, person, THREE);
    },
    async assertDone(page, service, person) {
      await waitForSavedOrder(service, person, ['AAPL', 'VOO']);
      await handle(page, 'Microsoft').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'move a row',
    call: { method: 'PATCH', path: /^\/api\/watchlist\/[0-9a-f-]{36}$/ },
    prepare: openEdit,
    perform: (page) => handle(page, 'Apple').press('Alt+ArrowDown'),
    async assertLost(page, words, service, person) {
      await closeNotice(page, `Could not save the order. ${words}`);
      await handle(page, 'Apple, position 1 of 3').waitFor();
      await waitForSavedOrder(service, person, THREE);
    },
    async assertDone(page, service, person) {
      await waitForSavedOrder(service, person, ['MSFT', 'AAPL', 'VOO']);
      await handle(page, 'Apple, position 2 of 3').waitFor();
    },
  },
  {
    name: 'take a removal back',
    call: { method: 'POST', path: /^\/api\/watchlist$/ },
    async prepare(page, service, person) {
      await openEdit(page, service, person);
      await edit(page).getByRole('button', { name: 'Remove Microsoft' }).click();
      await waitForSavedOrder(service, person, ['AAPL', 'VOO']);
    },
    perform: (page) => edit(page).getByRole('button', { name: 'Undo' }).click(),
    async assertLost(page, words, service, person) {
      await closeNotice(page, `Could not add Microsoft. ${words}`);
      await edit(page).getByRole('button', { name: 'Undo' }).waitFor();
      await waitForSavedOrder(service, person, ['AAPL', 'VOO']);
      assert.equal(
        await edit(page)
          .getByText(/is back at position/)
          .count(),
        0,
        'no false announcement',
      );
    },
    async assertDone(page, service, person) {
      await edit(page).getByText('Microsoft is back at position 2').waitFor({ state: 'attached' });
      await waitForSavedOrder(service, person, THREE);
    },
  },
  {
    name: 'export',
    call: { method: 'GET', path: /^\/api\/watchlist\/export\.csv$/ },
    async prepare(page, service, person) {
      exported = new Promise((resolve) => page.once('download', resolve));
      await replaceWatchlist(page, service, person, THREE);
    },
    async perform(page) {
      await getCard(page).getByRole('button', { name: 'More' }).click();
      await getCard(page).getByRole('button', { name: 'Download CSV' }).click();
    },
    assertLost: (page, words) => closeNotice(page, `Could not download the list. ${words}`),
    async assertDone() {
      assert.match((await exported).suggestedFilename(), /\.csv$/);
    },
  },
  {
    name: 'preview a pasted list',
    call: { method: 'POST', path: /^\/api\/watchlist\/import$/ },
    async prepare(page, service, person) {
      await openImport(page, service, person);
      await importing(page).getByRole('textbox').fill('AAPL\nMSFT');
    },
    perform: (page) => importing(page).getByRole('button', { name: 'Preview' }).click(),
    assertLost: (page, words) => assertImportKept(page, words, 'AAPL\nMSFT'),
    async assertDone(page) {
      await importing(page).getByRole('region', { name: 'Preview' }).getByText('will be added').waitFor();
    },
  },
  {
    name: 'import a file',
    call: { method: 'POST', path: /^\/api\/watchlist\/import$/ },
    async prepare(page, service, person) {
      await openImport(page, service, person);
      await importing(page)
        .getByLabel('A CSV or text file')
        .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from('symbol\nAAPL\n') });
      await page.waitForFunction(() => document.querySelector('textarea')?.value === 'symbol\nAAPL\n');
      await importing(page).getByRole('button', { name: 'Preview' }).click();
      await importing(page).getByRole('button', { name: 'Add 1 ticker' }).waitFor();
    },
    perform: (page) => importing(page).getByRole('button', { name: 'Add 1 ticker' }).click(),
    async assertLost(page, words, service, person) {
      await assertImportKept(page, words, 'symbol\nAAPL\n');
      await waitForSavedOrder(service, person, ['MSFT']);
    },
    async assertDone(page, service, person) {
      await waitForRows(page, ['MSFT', 'AAPL']);
      await waitForSavedOrder(service, person, ['MSFT', 'AAPL']);
    },
  },
  {
    name: 'search',
    call: { method: 'GET', path: /^\/api\/investments\/search$/ },
    async prepare(page, service, person) {
      await replaceWatchlist(page, service, person, ['MSFT']);
      await getCard(page).getByRole('button', { name: 'Add tickers' }).click();
      await getSearchField(page).waitFor();
    },
    async perform(page) {
      // The words must be new, since the same words reuse the failed search. Its retry button then repeats the search.
      const retryButton = getCard(page).getByRole('button', { name: 'Try again' });
      if (await retryButton.isVisible()) await retryButton.click();
      else await getSearchField(page).fill('TSLA');
    },
    async assertLost(page, words) {
      await getCard(page).getByRole('alert').getByText(words).waitFor();
      assert.equal(await getSearchField(page).inputValue(), 'TSLA', 'what was typed stays');
      await waitForRows(page, ['MSFT']);
    },
    async assertDone(page) {
      await getCard(page).getByRole('option', { name: /^TSLA/ }).waitFor();
      assert.equal(await getSearchField(page).inputValue(), 'TSLA');
    },
  },
  {
    name: 'open the detail panel',
    call: { method: 'GET', path: /^\/api\/securities\// },
    prepare: (page, service, person) => replaceWatchlist(page, service, person, THREE),
    async perform(page) {
      const retryButton = panel(page).getByRole('button', { name: 'Try again' });
      if (await retryButton.isVisible()) await retryButton.click();
      else await getRows(page).nth(1).click();
    },
    async assertLost(page, words) {
      await panel(page).getByRole('alert').getByText(words).waitFor();
      assert.match(page.url(), /\?symbol=MSFT$/, 'the address stays');
    },
    async assertDone(page) {
      await panel(page).getByText('52-week range').waitFor();
    },
  },
];

testFaultFlows('the list', (page, service) => createMemberWith(page, service, THREE), flows);
