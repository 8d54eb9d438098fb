import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { strToU8, zipSync } from 'fflate';
import { allVariants, assertAccessibleInAllVariants } from '../support/browser.ts';
import { shareMember } from './fixtures.ts';
import { register } from './people.ts';
import { deleteAllInvestments } from './sample-member.ts';

const test = shareMember((page) => register(page));
const getDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Import holdings' });
const checkAccessibility = (page: Page, state: string): Promise<void> =>
  assertAccessibleInAllVariants(page, state, allVariants, getDialog(page));

test.beforeEach(async ({ page, service, member }) => {
  await deleteAllInvestments(service, member);
  await page.goto('/portfolio');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
});

const chooseFile = (dialog: Locator, name: string, content: string | Uint8Array): Promise<void> =>
  dialog
    .getByLabel('A CSV or Excel file')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });

const getRow = (dialog: Locator, list: string, text: string): Locator =>
  dialog.getByRole('list', { name: list, exact: true }).getByRole('listitem').filter({ hasText: text });

test('counts what makes no holding when trades are imported', async ({ page }) => {
  const dialog = getDialog(page);
  await chooseFile(
    dialog,
    'trades.csv',
    'Date,Symbol,Side,Shares,Price,Currency\n' +
      '2026-11-03,AAPL,Buy,10,200,USD\n' +
      '2026-11-05,AAPL,Sell,6,210,USD\n' +
      '2026-11-09,AAPL,Dividend,,1,USD\n' +
      '2026-11-10,NVDA,Sell,10,130,USD\n',
  );
  await getRow(dialog, 'New', 'AAPL').getByText('4', { exact: true }).waitFor();
  assert.equal(await dialog.getByRole('radio', { name: 'Transactions' }).isChecked(), true);
  await getRow(dialog, 'Will not be imported', 'NVDA')
    .getByText(/More sold than bought/)
    .waitFor();
  await dialog.getByText('4 lines: 2 will be imported, 2 will not be imported.', { exact: true }).waitFor();
  await dialog.getByText('1 dividend: will not be imported').click();
  await dialog.getByRole('list', { name: 'Transactions that will not be imported' }).getByText('Line 4').waitFor();
  await checkAccessibility(page, 'a preview of trades');
  await dialog.getByRole('button', { name: 'Import 1 holding' }).click();
  await dialog.getByText('1 dividend: not imported.').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('cell', { name: /Quantity 4$/ }).waitFor();
});

test('keeps the columns for the next file when the header names none', async ({ page }) => {
  const dialog = getDialog(page);
  const header = 'Instrument,Held,Paid in total,Ccy\n';
  await chooseFile(dialog, 'mine.csv', `${header}AAPL,12,1800,USD\nMSFT,3,900,USD\n`);
  const select = (name: string): Locator => dialog.getByRole('combobox', { name, exact: true });
  await select('Held').waitFor();
  await checkAccessibility(page, 'columns to choose');
  for (const [column, meaning] of [
    ['Instrument', 'Symbol'],
    ['Held', 'Quantity'],
    ['Paid in total', 'Cost'],
    ['Ccy', 'Currency'],
  ] as const) {
    await select(column).focus();
    await page.keyboard.type(meaning);
    assert.equal(await select(column).locator('option:checked').textContent(), meaning);
  }
  await dialog.getByRole('button', { name: 'Preview' }).focus();
  await page.keyboard.press('Enter');
  await getRow(dialog, 'New', 'AAPL').getByText('12', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Import 2 holdings' }).focus();
  await page.keyboard.press('Enter');
  await dialog.getByText(/^2 holdings imported/).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await chooseFile(dialog, 'mine.csv', `${header}AAPL,15,2400,USD\n`);
  await getRow(dialog, 'Changed', 'AAPL').getByText('12 → 15').waitFor();
  await dialog.getByText('As you chose before').waitFor();

  // The way back, which the next file has, too.
  await dialog.locator('summary').filter({ hasText: 'Columns' }).focus();
  await page.keyboard.press('Enter');
  const reset = dialog.getByRole('button', { name: 'Use detected columns' });
  await checkAccessibility(page, 'columns as chosen before');
  await reset.focus();
  await page.keyboard.press('Enter');
  await dialog.getByText('Missing: Quantity').waitFor();
  await reset.waitFor({ state: 'detached' });
  assert.equal(await dialog.locator('summary:focus').textContent(), 'ColumnsMissing: Quantity');
  await dialog.getByRole('button', { name: 'Choose another file' }).click();
  await chooseFile(dialog, 'mine.csv', `${header}AAPL,15,2400,USD\n`);
  await dialog.getByText('Missing: Quantity').waitFor();
});

test('asks what a file lists when its rows do not say it', async ({ page }) => {
  const dialog = getDialog(page);
  await chooseFile(dialog, 'unclear.csv', 'Date,Symbol,Quantity\n2026-11-03,AAPL,10\n2026-11-05,MSFT,6\n');
  await dialog.getByText('Choose what the file lists.', { exact: true }).waitFor();
  await checkAccessibility(page, 'a file of an unknown kind');
  await dialog.getByRole('radio', { name: 'Positions' }).focus();
  await page.keyboard.press('Space');
  await dialog.getByRole('button', { name: 'Import 2 holdings' }).waitFor();
});

test('offers the search, filled in, for a security that the file names in words', async ({ page }) => {
  const dialog = getDialog(page);
  await chooseFile(
    dialog,
    'depot.csv',
    '"Stück/Nom.";"Bezeichnung";"WKN";"Währung";"Kaufwert in EUR"\n"10";"Apple";"865985";"USD";"1.500,00"\n"3";"Microsoft";"870747";"USD";"900,00"\n',
  );
  const search = dialog.getByRole('combobox', { name: 'Security of Apple' });
  await dialog.getByRole('option', { name: /AAPL/ }).waitFor();
  assert.equal(await search.inputValue(), 'Apple');
  await checkAccessibility(page, 'a security to choose');
  await search.focus();
  await page.keyboard.press('Enter');
  // The next search takes the focus.
  const next = dialog.getByRole('combobox', { name: 'Security of Microsoft' });
  await next.waitFor();
  await dialog.getByRole('option', { name: /MSFT/ }).waitFor();
  assert.equal(await next.evaluate((element) => element === document.activeElement), true);
  await page.keyboard.press('Enter');
  await dialog.getByText('Microsoft is MSFT').waitFor();
  await dialog.getByRole('button', { name: 'Import 2 holdings' }).waitFor();
  await dialog.getByRole('button', { name: 'Change the security of Apple' }).click();
  await search.waitFor();
  await dialog.getByRole('button', { name: 'Import 1 holding' }).waitFor();
});

test('shows all of many unknown securities on request', async ({ page }) => {
  const dialog = getDialog(page);
  const rows = Array.from({ length: 1_200 }, (_, index) => `Depot,ZQ${index},1,10,USD\n`).join('');
  await chooseFile(dialog, 'many.csv', `Account,Symbol,Quantity,Cost basis,Currency\n${rows}`);
  await dialog.getByRole('heading', { name: 'Choose the security (1,200)' }).waitFor();
  const items = dialog.getByRole('list', { name: 'Choose the security' }).locator(':scope > li');
  assert.equal(await items.count(), 20);
  const button = dialog.getByRole('button', { name: /^Show/ });
  await button.focus();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Show fewer' }).waitFor();
  assert.equal(await items.count(), 1_200);
  assert.equal(await button.evaluate((element) => element === document.activeElement), true);
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Show all 1,200' }).waitFor();
});

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Workbook with one sheet, whose rows hold texts and numbers. */
function createWorkbook(rows: readonly (readonly (string | number)[])[]): Uint8Array {
  const toCell = (value: string | number, place: string): string =>
    typeof value === 'number'
      ? `<c r="${place}"><v>${value}</v></c>`
      : `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const sheet = rows.map((cells, row) => {
    const written = cells.map((value, column) => toCell(value, `${String.fromCharCode(65 + column)}${row + 1}`));
    return `<row r="${row + 1}">${written.join('')}</row>`;
  });
  return zipSync({
    'xl/workbook.xml': strToU8(
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="Depot" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    ),
    'xl/worksheets/sheet1.xml': strToU8(
      `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${sheet.join('')}</sheetData></worksheet>`,
    ),
  });
}

test('reads an Excel file, whose code loads for it alone', async ({ page }) => {
  const dialog = getDialog(page);
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('workbook')) scripts.push(request.url());
  });
  await chooseFile(dialog, 'positions.csv', 'Symbol,Quantity,Cost basis\nAAPL,10,1800\n');
  await getRow(dialog, 'New', 'AAPL').waitFor();
  assert.deepEqual(scripts, []);
  await dialog.getByRole('button', { name: 'Choose another file' }).click();
  // More than 512 kB of XML, which the library alone would unpack in workers that the policy refuses.
  const notes = Array.from({ length: 10_000 }, (_, index) => [
    '',
    '',
    '',
    `A note on a line of its own, number ${index}`,
  ]);
  await chooseFile(
    dialog,
    'positions.xlsx',
    createWorkbook([['Symbol', 'Quantity', 'Cost basis', 'Note'], ['AAPL', 10.125, 1800, 'kept'], ...notes]),
  );
  await getRow(dialog, 'New', 'AAPL').getByText('10.125', { exact: true }).waitFor();
  assert.equal(scripts.length, 1);
});

test('says what to do about a file that holds no table', async ({ page }) => {
  const dialog = getDialog(page);
  for (const [name, content, message] of [
    ['positions.pdf', '%PDF-1.7', /^This is a PDF/],
    ['positions.xls', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0]), /^This Excel file is old or has a password/],
    ['positions.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47]), /^This is a picture/],
    ['positions.numbers', zipSync({ 'Index/Document.iwa': strToU8('x') }), /^This is a Numbers file/],
    ['bomb.xlsx', createWorkbook([[' '.repeat(40 * 1024 * 1024)]]), /^The Excel file is too large/],
  ] as const) {
    await chooseFile(dialog, name, content);
    await dialog.getByRole('alert').getByText(message).waitFor();
  }
  await checkAccessibility(page, 'a refused file');
});
