import assert from 'node:assert/strict';
import { test } from 'vitest';
import { findDecimalMark, parseAmount, parseQuantity } from './parse-amount.ts';

const read = (cell: string, mark: '.' | ',' | null = null): string | null => {
  const amount = parseAmount(cell, mark);
  if (amount.kind === 'unknown') return null;
  return amount.kind === 'amount' ? amount.value : amount.message;
};

test('reads signs, currencies, parentheses and separators of thousands', () => {
  const cases: [cell: string, mark: '.' | ',', value: string][] = [
    ['1,234,567.8900', '.', '1234567.89'],
    ['1.234.567,89', ',', '1234567.89'],
    ['1 234,50', ',', '1234.5'],
    ['1\u00a0234\u202f567,5', ',', '1234567.5'],
    ["1'234.50", '.', '1234.5'],
    ['1’234.50', '.', '1234.5'],
    ['($1,234.56)', '.', '-1234.56'],
    ['-$1,234.56', '.', '-1234.56'],
    ['$-1,234.56', '.', '-1234.56'],
    ['\u22121,5', ',', '-1.5'],
    ['100-', '.', '-100'],
    ['+$10.00', '.', '10'],
    ['US$ 10', '.', '10'],
    ['10 €', ',', '10'],
    ['EUR -0.56', '.', '-0.56'],
    ['USD 1234.12', '.', '1234.12'],
    ['.5', '.', '0.5'],
    ['0.0000001234', '.', '0.0000001234'],
    ['12345678901234567890.123456789', '.', '12345678901234567890.123456789'],
    ['-0.00', '.', '0'],
    ['007', '.', '7'],
    ['\u200b12\u200b', '.', '12'],
  ];
  for (const [cell, mark, value] of cases) assert.equal(read(cell, mark), value, cell);
});

test('reads dashes, n/a and empty cells as unknown', () => {
  for (const cell of ['', ' ', '--', '-', '—', 'n/a', 'N/A', 'null', 'Incomplete'])
    assert.equal(read(cell), null, cell);
});

test('rejects a number with two readings unless the decimal mark is known', () => {
  assert.equal(read('1,234', '.'), '1234');
  assert.equal(read('1,234', ','), '1.234');
  assert.equal(read('1,234'), '“1,234” can be 1234 or 1.234. Write it without separators of thousands.');
  assert.equal(read('1.234'), '“1.234” can be 1.234 or 1234. Write it without separators of thousands.');
  assert.equal(read('1,5'), '1.5');
  assert.equal(read('1.234,56'), '1234.56');
  assert.equal(read('0,123'), '0.123');
});

test('says what to do about a cell that is no number', () => {
  assert.equal(read('lots'), '“lots” is not a number. Use digits, such as 1234.56.');
  assert.equal(read('1,5', '.'), '“1,5” is not a number in the notation of this file. Write it like 1,234.56.');
  assert.equal(read('12,34.5', '.'), '“12,34.5” is not a number in the notation of this file. Write it like 1,234.56.');
  assert.equal(read('1.23E+05'), '“1.23E+05” was shortened by a spreadsheet. Format the column as a number.');
  for (const cell of ['(5', '5)', '5%', '1/2', '=1+1', '1e400', 'NaN', 'Infinity', '9'.repeat(61)])
    assert.equal(parseAmount(cell, '.').kind, 'invalid', cell);
});

test('rejects letters that could multiply or count the number', () => {
  const units = ['MIO', 'Mio.', 'TSD', 'MRD', 'MIL', 'STK', 'Stk.', 'PCS', 'pcs', 'k', 'K', 'M', 'K$', 'T€', 'M£', '%'];
  for (const unit of units)
    for (const cell of [`10 ${unit}`, `10${unit}`, `${unit} 10`])
      assert.equal(parseQuantity(cell, '.').kind, 'invalid', cell);
  for (const cell of ['1.2e3', 'USD 10 EUR', '€10 USD', '10x', '½', '10 + 5'])
    assert.equal(parseQuantity(cell, '.').kind, 'invalid', cell);
  assert.deepEqual(parseQuantity('10 MIO', '.'), {
    kind: 'invalid',
    message: '“10 MIO” is not a number. Use digits, such as 1234.56.',
  });
  for (const cell of ['10 USD', 'GBX 10', '10 EUR', '€10 EUR', 'A$10', 'HK$ 10']) assert.equal(read(cell), '10', cell);
});

test('finds the decimal mark that the numbers of a file prove', () => {
  assert.equal(findDecimalMark(['1.234', '12,5']), ',');
  assert.equal(findDecimalMark(['1,234', '12.50']), '.');
  assert.equal(findDecimalMark(['1.234', '51']), null);
  assert.equal(findDecimalMark(['1,5', '1.5']), null);
});
