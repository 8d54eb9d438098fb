import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { allVariants, assertAccessibleInAllVariants } from '../support/browser.ts';
import { shareMember } from './fixtures.ts';
import { register } from './people.ts';
import { deleteAllInvestments } from './sample-member.ts';
import { getHoldings } from './home-holdings.ts';

const test = shareMember((page) => register(page));
const getDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Import holdings' });
const checkAccessibility = (page: Page, state: string): Promise<void> =>
  assertAccessibleInAllVariants(page, state, allVariants, getDialog(page));
/** Opens the import from the first steps, or from the card. */
const openImport = async (page: Page): Promise<Locator> => {
  await page
    .getByRole('button', { name: /^Import( a file.*)?$/ })
    .first()
    .click();
  return getDialog(page);
};

const file = {
  name: 'Portfolio_Positions.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    '\uFEFFAccount Number,Account Name,Symbol,Description,Quantity,Last Price,Current Value,Cost Basis Total\n' +
      'X12345678,Individual,AAPL,APPLE INC,10,$200.00,"$2,000.00","$1,800.10"\n' +
      'X12345678,Individual,KO,COCA-COLA CO,lots,$60.00,$60.00,$50.00\n' +
      'X12345678,Individual,-AAPL260116C150,AAPL JAN 16 2026 $150 CALL,1,$3.00,$300.00,$200.00\n' +
      'X12345678,Individual,SPAXX**,HELD IN MONEY MARKET,,,$412.15,\n',
  ),
};

test('restores the holdings on undo of an import', async ({ page, service, member }) => {
  await deleteAllInvestments(service, member);
  await page.goto('/dashboard');
  let dialog = await openImport(page);
  await checkAccessibility(page, 'choosing a file');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByRole('alert').getByText('Choose a file, or paste some rows.').waitFor();
  await dialog.getByLabel('A CSV or Excel file').setInputFiles(file);
  await dialog.getByRole('heading', { name: 'Errors (1)' }).waitFor();
  await dialog.getByRole('list', { name: 'Errors' }).getByText('Line 3, Quantity').waitFor();
  await dialog.getByRole('list', { name: 'Will not be imported' }).getByText('Options are not supported').waitFor();
  assert.equal(await dialog.getByRole('list', { name: 'New' }).getByRole('listitem').count(), 2);
  await checkAccessibility(page, 'the preview');
  await dialog.getByRole('button', { name: 'Import 1 holding' }).click();
  const result = dialog.getByText('1 holding and 1 cash balance imported into Individual …5678.');
  await result.waitFor();
  await dialog.getByText('Not imported: -AAPL260116C150 (Options are not supported)').waitFor();
  assert.equal(await result.evaluate((element) => element === document.activeElement), true);
  await checkAccessibility(page, 'the result');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  await getHoldings(page).getByText('AAPL').waitFor();
  await page.waitForFunction(() => document.activeElement !== document.body);
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).waitFor();

  // The same file again changes nothing. A pasted change replaces the quantity, and undo restores it.
  dialog = await openImport(page);
  await dialog.getByLabel('A CSV or Excel file').setInputFiles(file);
  await dialog.getByRole('heading', { name: 'The same (2)' }).waitFor();
  await dialog.getByText('There is nothing to import.').waitFor();
  await dialog.getByRole('button', { name: 'Choose another file' }).click();
  await dialog.getByLabel('Or paste rows').fill('Account,Symbol,Quantity\nIndividual …5678,AAPL,12\n');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByRole('list', { name: 'Changed' }).getByText('10 → 12').waitFor();
  await dialog.getByRole('button', { name: 'Import 1 holding' }).click();
  await dialog.getByText('1 holding imported').waitFor();
  await dialog.getByRole('button', { name: 'Undo' }).click();
  await dialog.getByText('The import was undone. Everything is as before.').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await getHoldings(page)
    .getByText(/Quantity 10$/)
    .waitFor();
});

test('undoes the last import from a new dialog after the first one closed', async ({ page, service, member }) => {
  await deleteAllInvestments(service, member);
  await page.goto('/portfolio');
  const importButton = page.getByRole('button', { name: 'Import', exact: true });
  await importButton.click();
  const dialog = page.getByRole('dialog', { name: 'Import holdings' });
  await dialog.getByLabel('A CSV or Excel file').setInputFiles(file);
  await dialog.getByRole('button', { name: 'Import 1 holding and cash' }).click();
  await dialog.getByText(/^1 holding and 1 cash balance imported/).waitFor();
  // The page behind the result shows the new holding.
  await page.getByText('Apple Inc.').first().waitFor({ state: 'attached' });
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.reload();
  await importButton.click();
  await dialog.getByText(/^Last import: /).waitFor();
  await dialog.getByRole('button', { name: 'Undo the import' }).click();
  await dialog.getByText('The import was undone. Everything is as before.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'No holdings yet' }).waitFor();
});
