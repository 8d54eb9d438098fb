import assert from 'node:assert/strict';
import type { Download, Locator, Page } from '@playwright/test';
import type { TestService } from '../support/service.ts';
import { closeNotice, type Flow, testFlows } from './faults.ts';
import type { Person } from './people.ts';
import { card, isSaved, memberWith, relist, rows, search, showsRows, someSymbols } from './watchlist-card.ts';

const THREE = ['AAPL', 'MSFT', 'VOO'];

const edit = (page: Page): Locator => page.getByRole('dialog', { name: 'Edit watchlist' });
const handle = (page: Page, name: string): Locator =>
  edit(page).getByRole('button', { name: new RegExp(`^Reorder ${name}`) });
const importing = (page: Page): Locator => page.getByRole('dialog', { name: 'Import tickers' });
const panel = (page: Page): Locator => page.getByRole('dialog', { name: 'Microsoft Corporation' });

async function openEdit(page: Page, service: TestService, person: Person): Promise<void> {
  await relist(page, service, person, THREE);
  await card(page).getByRole('button', { name: 'Edit watchlist' }).click();
  await handle(page, 'Apple').waitFor();
}

async function openImport(page: Page, service: TestService, person: Person): Promise<void> {
  await relist(page, service, person, ['MSFT']);
  await card(page).getByRole('button', { name: 'More' }).click();
  await card(page).getByRole('button', { name: 'Import tickers' }).click();
  await importing(page).waitFor();
}

/** What stands in the import dialog after a fault: the words, the text, and the way to try again. */
async function importKept(page: Page, words: string, text: string): Promise<void> {
  await importing(page).getByRole('alert').getByText(words).waitFor();
  assert.equal(await importing(page).getByRole('textbox').inputValue(), text, 'what was typed stays');
}

let exported: Promise<Download>;

const flows: readonly Flow[] = [
  {
    name: 'add',
    everyFault: true,
    call: { method: 'POST', path: /^\/api\/watchlist$/ },
    async prepare(page, service, person) {
      await relist(page, service, person, ['MSFT']);
      await card(page).getByRole('button', { name: 'Add tickers' }).click();
      await search(page).fill('AAPL');
      await card(page).getByRole('option', { name: /^AAPL/ }).waitFor();
    },
    act: (page) => search(page).press('Enter'),
    async lost(page, words) {
      await closeNotice(page, `Apple was not added. ${words}`);
      await showsRows(page, ['MSFT']);
      assert.equal(await search(page).inputValue(), 'AAPL', 'what was typed stays');
    },
    async done(page, service, person) {
      await showsRows(page, ['MSFT', 'AAPL']);
      await isSaved(service, person, ['MSFT', 'AAPL']);
    },
  },
  {
    name: 'remove',
    call: { method: 'DELETE', path: /^\/api\/watchlist\// },
    prepare: openEdit,
    act: (page) => edit(page).getByRole('button', { name: 'Remove Microsoft' }).click(),
    async lost(page, words, service, person) {
      await closeNotice(page, `Microsoft was not removed. ${words}`);
      await handle(page, 'Microsoft, position 2 of 3').waitFor();
      await isSaved(service, person, THREE);
    },
    async done(page, service, person) {
      await isSaved(service, person, ['AAPL', 'VOO']);
      await handle(page, 'Microsoft').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'move a row',
    call: { method: 'PATCH', path: /^\/api\/watchlist\/[0-9a-f-]{36}$/ },
    prepare: openEdit,
    act: (page) => handle(page, 'Apple').press('Alt+ArrowDown'),
    async lost(page, words, service, person) {
      await closeNotice(page, `The order was not saved. ${words}`);
      await handle(page, 'Apple, position 1 of 3').waitFor();
      await isSaved(service, person, THREE);
    },
    async done(page, service, person) {
      await isSaved(service, person, ['MSFT', 'AAPL', 'VOO']);
      await handle(page, 'Apple, position 2 of 3').waitFor();
    },
  },
  {
    name: 'choose which are active',
    call: { method: 'PATCH', path: /^\/api\/watchlist\/[0-9a-f-]{36}$/ },
    async prepare(page, service, person) {
      const twenty = (await someSymbols(service, 40)).filter((symbol) => symbol !== 'KO').slice(0, 20);
      await relist(page, service, person, [...twenty, 'KO'], twenty);
      await card(page).getByRole('button', { name: 'Choose which 20' }).click();
      await edit(page).getByText('Active above this line (20)').waitFor();
    },
    act: (page) => handle(page, '.*Coca-Cola').press('Alt+ArrowUp'),
    async lost(page, words) {
      await closeNotice(page, `The order was not saved. ${words}`);
      await handle(page, '.*Coca-Cola Company, position 21 of 21').waitFor();
      assert.equal(
        await edit(page).getByRole('listitem').filter({ hasText: 'Locked' }).filter({ hasText: 'KO' }).count(),
        1,
        'locked as before',
      );
    },
    async done(page) {
      await handle(page, '.*Coca-Cola Company, position 20 of 21').waitFor();
      await edit(page).getByRole('button', { name: 'Done' }).click();
      await rows(page).filter({ hasText: 'KO' }).waitFor();
      await page.waitForFunction(() =>
        /\$/.test(document.querySelector('a[aria-label^="KO,"]')?.getAttribute('aria-label') ?? ''),
      );
    },
  },
  {
    name: 'take a removal back',
    call: { method: 'POST', path: /^\/api\/watchlist$/ },
    async prepare(page, service, person) {
      await openEdit(page, service, person);
      await edit(page).getByRole('button', { name: 'Remove Microsoft' }).click();
      await isSaved(service, person, ['AAPL', 'VOO']);
    },
    act: (page) => edit(page).getByRole('button', { name: 'Undo' }).click(),
    async lost(page, words, service, person) {
      await closeNotice(page, `Microsoft was not added. ${words}`);
      await edit(page).getByRole('button', { name: 'Undo' }).waitFor();
      await isSaved(service, person, ['AAPL', 'VOO']);
      assert.equal(
        await edit(page)
          .getByText(/is back at position/)
          .count(),
        0,
        'nothing is said that is not so',
      );
    },
    async done(page, service, person) {
      await edit(page).getByText('Microsoft is back at position 2').waitFor({ state: 'attached' });
      await isSaved(service, person, THREE);
    },
  },
  {
    name: 'add from the editor',
    call: { method: 'POST', path: /^\/api\/watchlist$/ },
    async prepare(page, service, person) {
      await openEdit(page, service, person);
      await edit(page)
        .getByRole('combobox', { name: /^Search/ })
        .fill('NVDA');
      await edit(page).getByRole('option', { name: /^NVDA/ }).waitFor();
    },
    act: (page) =>
      edit(page)
        .getByRole('combobox', { name: /^Search/ })
        .press('Enter'),
    async lost(page, words, service, person) {
      await closeNotice(page, `NVIDIA was not added. ${words}`);
      await handle(page, 'NVIDIA').waitFor({ state: 'detached' });
      assert.equal(
        await edit(page)
          .getByRole('combobox', { name: /^Search/ })
          .inputValue(),
        'NVDA',
        'what was typed stays',
      );
      await isSaved(service, person, THREE);
    },
    async done(page, service, person) {
      await handle(page, 'NVIDIA, position 4 of 4').waitFor();
      await isSaved(service, person, [...THREE, 'NVDA']);
    },
  },
  {
    name: 'export',
    call: { method: 'GET', path: /^\/api\/watchlist\/export\.csv$/ },
    async prepare(page, service, person) {
      exported = new Promise((resolve) => page.once('download', resolve));
      await relist(page, service, person, THREE);
    },
    async act(page) {
      await card(page).getByRole('button', { name: 'More' }).click();
      await card(page).getByRole('button', { name: 'Export as CSV' }).click();
    },
    lost: (page, words) => closeNotice(page, `The list was not exported. ${words}`),
    async done() {
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
    act: (page) => importing(page).getByRole('button', { name: 'Preview' }).click(),
    lost: (page, words) => importKept(page, words, 'AAPL\nMSFT'),
    async done(page) {
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
    act: (page) => importing(page).getByRole('button', { name: 'Add 1 ticker' }).click(),
    async lost(page, words, service, person) {
      await importKept(page, words, 'symbol\nAAPL\n');
      await isSaved(service, person, ['MSFT']);
    },
    async done(page, service, person) {
      await showsRows(page, ['MSFT', 'AAPL']);
      await isSaved(service, person, ['MSFT', 'AAPL']);
    },
  },
  {
    name: 'search',
    call: { method: 'GET', path: /^\/api\/investments\/search$/ },
    async prepare(page, service, person) {
      await relist(page, service, person, ['MSFT']);
      await card(page).getByRole('button', { name: 'Add tickers' }).click();
      await search(page).waitFor();
    },
    async act(page) {
      // No flow before has asked for these words. The same again are the same question: it is asked again from where
      // the fault is said.
      const again = card(page).getByRole('button', { name: 'Try again' });
      if (await again.isVisible()) await again.click();
      else await search(page).fill('TSLA');
    },
    async lost(page, words) {
      await card(page).getByRole('alert').getByText(words).waitFor();
      assert.equal(await search(page).inputValue(), 'TSLA', 'what was typed stays');
      await showsRows(page, ['MSFT']);
    },
    async done(page) {
      await card(page).getByRole('option', { name: /^TSLA/ }).waitFor();
      assert.equal(await search(page).inputValue(), 'TSLA');
    },
  },
  {
    name: 'open the detail panel',
    call: { method: 'GET', path: /^\/api\/watchlist\/ticker\// },
    prepare: (page, service, person) => relist(page, service, person, THREE),
    async act(page) {
      const again = panel(page).getByRole('button', { name: 'Try again' });
      if (await again.isVisible()) await again.click();
      else await rows(page).nth(1).click();
    },
    async lost(page, words) {
      await panel(page).getByRole('alert').getByText(words).waitFor();
      assert.match(page.url(), /\?ticker=MSFT$/, 'the address stays');
    },
    async done(page) {
      await panel(page).getByText('52-week range').waitFor();
    },
  },
];

testFlows('what is done with the list', (page, service) => memberWith(page, service, THREE), flows);
