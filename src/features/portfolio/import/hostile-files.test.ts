import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { assertFates, parseFile } from '../../../../test/support/holdings-files.ts';
import { columnRole } from './contract.ts';
import { hasTooManyRows, readHeaderKey } from './holdings-file.ts';
import { parseHoldingsFile } from './parse-holdings-file.ts';

const cell = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('AAPL', 'US0378331005', '10', '-2.5', '1.234,5', 'USD', '2026-11-03') },
  { weight: 3, arbitrary: fc.constantFrom('Buy', 'Sell', 'Dividend', 'Split 2:1', 'Total', 'CASH', 'SPAXX**', '') },
  { weight: 2, arbitrary: fc.constantFrom('03/04/2026', '31.02.2026', '1,234', '--', 'Apple Inc.', '9'.repeat(61)) },
  { weight: 1, arbitrary: fc.string({ maxLength: 12 }).map((text) => text.replace(/[\s,;\t"\0]/gu, 'x')) },
);
const NAMES =
  'Symbol|ISIN|Name|Quantity|Cost|Price|Value|Currency|Account|Date|Action|Type|Amount|Fee|Betrag in EUR||Other';
const name = fc.constantFrom(...NAMES.split('|'));
const record = fc.array(cell, { minLength: 1, maxLength: 8 });
const header = fc.oneof(
  fc.array(name, { minLength: 1, maxLength: 8 }),
  fc.constantFrom(['Date', 'Action', 'Symbol', 'Quantity', 'Price', 'Fee'], ['Symbol', 'Quantity', 'Cost', 'Currency']),
);

test('gives each line of random tables one fate', () => {
  const files = fc.record({
    separator: fc.constantFrom(',', ';', '\t'),
    records: fc.array(fc.oneof({ weight: 8, arbitrary: record }, { weight: 2, arbitrary: header }), { maxLength: 30 }),
    first: header,
    kind: fc.constantFrom(null, 'positions' as const, 'transactions' as const),
    columns: fc.option(fc.array(fc.constantFrom(...columnRole.options), { minLength: 1, maxLength: 8 })),
  });
  fc.assert(
    fc.property(files, ({ separator, records, first, kind, columns }) => {
      const text = [first, ...records].map((cells) => cells.join(separator)).join('\n');
      const parsed = parseHoldingsFile(text, { kind, columns });
      if (parsed.ok) assertFates(text, parsed.file);
      else assert.equal(parsed.reason, 'no_table');
    }),
    { numRuns: 1000 },
  );
});

describe('large and hostile files', () => {
  // Each takes a moment. With a pattern of quadratic time, each would exceed the time limit of a test.
  const long = 1_000_000;
  const trades = 'Date,Action,Symbol,Quantity,Price\n';
  const files: Record<string, string> = {
    'one long cell of each kind': [' ', '(', '1 ', '*', 'a-', '.', ',,', '""', 'Split 1', "'", '９', 'buy 1 '].reduce(
      (text, part) => `${text}2026-01-02,${part.repeat(long / 12 / part.length)},KO,1,1\n`,
      trades,
    ),
    'long actions in all rows':
      trades + `2026-01-02,${'split for '.repeat(24)},KO,${'1 '.repeat(100)}x,1\n`.repeat(2000),
    'a header of long names': `${'('.repeat(long / 2)},${'in '.repeat(long / 6)}\n1,2\n`,
    'unclosed quotes': 'Symbol,Quantity\n' + '"KO,1\n'.repeat(10_000),
    'headers alone': 'Symbol,Quantity\n'.repeat(60_000),
    'two hundred columns': `Symbol,Quantity${',x'.repeat(198)}\n` + `KO,1${',1'.repeat(198)}\n`.repeat(1400),
    'a statement of one section': `Trades,Header,Symbol,Quantity,Date/Time\n${'Trades,Data,KO,1,2026-01-02\n'.repeat(10_000)}`,
    'sales of one security': `${trades}2026-01-02,Buy,KO,9999,3\n${'2026-01-03,Sell,KO,0.7,1\n'.repeat(9000)}`,
  };
  test.for(Object.entries(files))('reads %s at once', ([, text]) => {
    const parsed = parseHoldingsFile(text);
    if (parsed.ok) assert.ok(hasTooManyRows(parsed.file) || parsed.file.lines.size > 0);
  });

  test('reads no table with more columns than a header may have', () => {
    const header = `Symbol,Quantity${',x'.repeat(199)}`;
    assert.deepEqual(parseHoldingsFile(`${header}\nKO,1\n`), { ok: false, reason: 'no_table' });
  });
});

describe('choices of the member', () => {
  const text = 'Thing,Held,Day,What\nAAPL,12,2026-01-02,in\nAAPL,2,2026-01-03,out\n';

  test('asks for the columns that no name and no cell shows', () => {
    const file = parseFile(text);
    assertFates(text, file);
    assert.deepEqual(file.table.missing, ['symbol', 'quantity']);
    assert.deepEqual(file.table.header, ['Thing', 'Held', 'Day', 'What']);
    assert.deepEqual(file.table.sample[0], ['AAPL', '12', '2026-01-02', 'in']);
    assert.deepEqual([...file.lines.values()], ['header', 'not_imported', 'not_imported']);
  });

  test('reads the columns that the member chose as the kind that the member chose', () => {
    const columns = ['symbol', 'quantity', 'ignore', 'ignore'] as const;
    assert.equal(parseFile(text, { columns }).positions.length, 2);
    const trades = parseFile(text, { columns: ['symbol', 'quantity', 'date', 'ignore'], kind: 'transactions' });
    assert.deepEqual(
      trades.positions.map(({ lines, quantity }) => [lines, quantity]),
      [[[2, 3], '14']],
    );
    assert.deepEqual(trades.table.columns, ['symbol', 'quantity', 'date', 'ignore']);
  });

  test('ignores columns of another table', () => {
    assert.deepEqual(parseFile(text, { columns: ['symbol'] }).table.missing, ['symbol', 'quantity']);
  });

  test('reads a table without a header', () => {
    const file = parseFile('AAPL,12,1800\nMSFT,3,900\n', { columns: ['symbol', 'quantity', 'cost'] });
    assert.deepEqual(
      file.positions.map(({ lines, costBasis }) => [lines, costBasis]),
      [
        [[1], '1800'],
        [[2], '900'],
      ],
    );
    assert.deepEqual(file.table.header, []);
  });

  test('splits at the semicolon when a file without a header has decimal commas', () => {
    for (const separator of [';', '\t']) {
      const text = 'AAPL;12,5;1800,50\nMSFT;3,5;900,25\n'.replaceAll(';', separator);
      const file = parseFile(text, { columns: ['symbol', 'quantity', 'cost'] });
      assert.deepEqual(
        file.positions.map(({ quantity, costBasis }) => [quantity, costBasis]),
        [
          ['12.5', '1800.5'],
          ['3.5', '900.25'],
        ],
      );
    }
  });

  test('finds a table without a header when only its first or its last record has a number', () => {
    for (const text of ['AAPL,10\nMSFT,\n', 'MSFT,\nAAPL,10\n', 'Thing,Held\nMSFT,\nAAPL,10\n'])
      assert.ok(parseHoldingsFile(text).ok, text);
  });

  test('does not decide when dates and quantities could be lots or a list of a day', () => {
    const file = parseFile('Date;ISIN;Shares\n02.01.2026;US0378331005;10\n05.02.2026;IE00B3RBWM25;3\n');
    assert.deepEqual([file.kind, file.positions], [null, []]);
    assert.deepEqual([...file.lines.values()], ['header', 'not_imported', 'not_imported']);
  });

  test('decides for positions when all dates are those of the list', () => {
    const file = parseFile('Date;ISIN;Shares\n02.01.2026;US0378331005;10\n02.01.2026;IE00B3RBWM25;-3\n');
    assert.deepEqual([file.kind, file.skipped[0]?.reason], ['positions', 'short']);
  });

  test('decides for transactions when one security has several dates', () => {
    const file = parseFile('Date;ISIN;Shares\n02.01.2026;US0378331005;10\n03.01.2026;US0378331005;3\n');
    assert.deepEqual([file.kind, file.positions[0]?.quantity], ['transactions', '13']);
  });
});

test('has one key for headers that differ in case and spaces alone', () => {
  assert.match(readHeaderKey(['Symbol', 'Quantity']), /^[0-9a-f]{64}$/);
  assert.equal(readHeaderKey([' symbol', 'QUANTITY ']), readHeaderKey(['Symbol', 'Quantity']));
  assert.notEqual(readHeaderKey(['SymbolQuantity']), readHeaderKey(['Symbol', 'Quantity']));
});

test('counts the line that names the separator', () => {
  const text = 'sep=;\nSymbol;Quantity\nKO;1\n';
  assert.deepEqual(
    [...parseFile(text).lines],
    [
      [1, 'text'],
      [2, 'header'],
      [3, 'imported'],
    ],
  );
});
