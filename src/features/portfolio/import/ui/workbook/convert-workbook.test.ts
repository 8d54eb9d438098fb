import assert from 'node:assert/strict';
import { strToU8, zipSync } from 'fflate';
import { test } from 'vitest';
import { type ConvertedWorkbook, convertWorkbook } from './convert-workbook.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

type CellValue = string | number | null;
/** Cell as the XML of a spreadsheet program. Texts are inline, and style 1 is a date. */
const toCell = (value: CellValue, row: number, column: number): string => {
  const place = `r="${String.fromCharCode(65 + column)}${row + 1}"`;
  if (value === null) return `<c ${place} s="0"/>`;
  if (typeof value === 'string') return `<c ${place} t="inlineStr"><is><t>${value}</t></is></c>`;
  return `<c ${place} s="${column === 0 ? 1 : 0}"><v>${value}</v></c>`;
};
const toSheet = (rows: readonly (readonly CellValue[])[]): string =>
  `${HEAD}<worksheet ${MAIN}><sheetData>${rows
    .map(
      (cells, row) => `<row r="${row + 1}">${cells.map((value, column) => toCell(value, row, column)).join('')}</row>`,
    )
    .join('')}</sheetData></worksheet>`;

/** Workbook with sheets by their names, as the bytes of a file. */
function createWorkbook(sheets: Readonly<Record<string, string>>): ArrayBuffer {
  const names = Object.keys(sheets);
  const files: Record<string, string> = {
    'xl/workbook.xml': `${HEAD}<workbook ${MAIN} xmlns:r="${RELATIONS}"><sheets>${names
      .map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${names
      .map(
        (_, index) =>
          `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
      )
      .join('')}</Relationships>`,
    'xl/styles.xml': `${HEAD}<styleSheet ${MAIN}><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
  };
  for (const [index, name] of names.entries()) files[`xl/worksheets/sheet${index + 1}.xml`] = sheets[name]!;
  return zip(files);
}

const zip = (files: Readonly<Record<string, string>>): ArrayBuffer =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))).buffer;

const getReason = (result: ConvertedWorkbook): string => (result.ok ? 'converted' : result.reason);

test('converts numbers, dates and texts to cells of the same row numbers', async () => {
  const sheet = toSheet([
    ['Muster – Depot'],
    [],
    ['Datum', 'Stück', 'Name'],
    [46_353, 1.234, 'A, B &amp; C "x"'],
    [46_353.5, 0.0000001, null],
    [46_353, 1850.05, 'two\nlines'],
  ]);
  const result = await convertWorkbook(createWorkbook({ Depot: sheet }));
  assert.deepEqual(result, {
    ok: true,
    tables: [
      {
        name: 'Depot',
        text: [
          'Muster – Depot,,',
          ',,',
          'Datum,Stück,Name',
          '2026-11-27,1.2340,"A, B & C ""x"""',
          '2026-11-27T12:00:00,0.0000001,',
          '2026-11-27,1850.05,two lines',
        ].join('\n'),
      },
    ],
  });
});

test('returns each sheet with a table when a workbook has several', async () => {
  const table = toSheet([
    ['Symbol', 'Quantity'],
    ['AAPL', 10],
  ]);
  const workbook = createWorkbook({ Cover: toSheet([['Statement']]), Stocks: table, Funds: table });
  const result = await convertWorkbook(workbook);
  assert.ok(result.ok);
  assert.deepEqual(
    result.tables.map(({ name }) => name),
    ['Stocks', 'Funds'],
  );
});

test('converts every row when a sheet has 10,000', async () => {
  const rows = Array.from({ length: 10_000 }, (_, index): CellValue[] => [46_000, index + 0.5, `Security ${index}`]);
  const sheet = toSheet([['Date', 'Quantity', 'Name'], ...rows]);
  const result = await convertWorkbook(createWorkbook({ Depot: sheet }));
  assert.ok(result.ok);
  assert.equal(result.tables[0]!.text.split('\n').length, 10_001);
});

test.each([
  ['a workbook without a table', createWorkbook({ Cover: toSheet([['Statement']]) }), 'no_table'],
  [
    'a sheet that unpacks to 64 MB',
    createWorkbook({ Bomb: `${HEAD}<worksheet ${MAIN}>${' '.repeat(64 * 1024 * 1024)}</worksheet>` }),
    'too_large',
  ],
  [
    'a sheet with a cell far to the right and one far below',
    createWorkbook({
      Bomb: `${HEAD}<worksheet ${MAIN}><sheetData><row r="1"><c r="XFD1"><v>1</v></c></row><row r="1048576"><c r="A1048576"><v>1</v></c></row></sheetData></worksheet>`,
    }),
    'too_large',
  ],
  ['an Apple Numbers file', zip({ 'Index/Document.iwa': 'x' }), 'numbers'],
  ['an OpenDocument file', zip({ mimetype: 'x', 'content.xml': '<x/>' }), 'open_document'],
  ['a binary workbook', zip({ 'xl/workbook.bin': 'x' }), 'binary'],
  ['another archive', zip({ 'positions.csv': 'Symbol,Quantity' }), 'no_workbook'],
  ['a broken sheet', createWorkbook({ Depot: `${HEAD}<worksheet ${MAIN}><sheetData><row><c r="A1"` }), 'damaged'],
  ['an archive that ends early', createWorkbook({ Depot: toSheet([['A', 'B']]) }).slice(0, 300), 'damaged'],
])('refuses %s', async (_kind, workbook, reason) => {
  assert.equal(getReason(await convertWorkbook(workbook)), reason);
});

test('keeps formatted but empty cells out of the number of cells', async () => {
  const sheet = `${HEAD}<worksheet ${MAIN}><sheetData><row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row><row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c><c r="XFD2" s="0"/></row></sheetData></worksheet>`;
  const result = await convertWorkbook(createWorkbook({ Depot: sheet }));
  assert.deepEqual(result, { ok: true, tables: [{ name: 'Depot', text: '1,2\n1,2' }] });
});
