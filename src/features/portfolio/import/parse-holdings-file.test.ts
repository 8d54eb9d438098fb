import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'vitest';
import type { HoldingsFile } from './holdings-file.ts';
import { parseHoldingsFile } from './parse-holdings-file.ts';

const parse = (text: string): HoldingsFile => {
  const parsed = parseHoldingsFile(text);
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return parsed.file;
};
const listPositions = ({ positions }: HoldingsFile) =>
  positions.map(({ lines, identifiers, quantity, costBasis, currency }) => [
    ...lines,
    identifiers.join(' '),
    quantity,
    costBasis,
    currency,
  ]);
const listCash = ({ cash }: HoldingsFile) => cash.map(({ line, currency, amount }) => [line, currency, amount]);
const listSkipped = ({ skipped }: HoldingsFile) => skipped.map(({ line, symbol, reason }) => [line, symbol, reason]);
const listNames = ({ accounts }: HoldingsFile) => accounts.map(({ name, currency }) => [name, currency]);
const getReason = (text: string): string => {
  const parsed = parseHoldingsFile(text);
  return parsed.ok ? 'ok' : parsed.reason;
};

test('names line, column and correction of each cell that cannot be read', () => {
  const header =
    'Account Number,Account Name,Symbol,Description,Quantity,Last Price,Last Price Change,Current Value,' +
    'Total Gain/Loss Dollar,Percent Of Account,Cost Basis Total,Average Cost Basis,Type';
  const file = parse(
    [
      header,
      'X1,Mine,AAPL,APPLE INC,1O,$1.00,,$1.00,,,$5.00,,',
      'X1,Mine,KO,COCA-COLA,,$1.00,,$1.00,,,$5.00,,',
      'X1,Mine,VOO,VANGUARD,"1.234,5",$1.00,,$1.00,,,$5.00,,',
      'X1,Mine,MSFT,MICROSOFT,5,$1.00,,$1.00,,,-$5.00,,',
      'X1,Mine,JPM,"JPMORGAN,5,$1.00,,$1.00,,,$5.00,,',
      'X1,Mine,AMZN,AMAZON,1,234,$1.00,,$1.00,,,$5.00,,x,y',
    ].join('\n'),
  );
  assert.deepEqual(
    file.errors.map(({ line, column, message }) => [line, column, message]),
    [
      [2, 'Quantity', '“1O” is not a number. Use digits, such as 1234.56.'],
      [3, 'Quantity', 'The quantity is missing. Fill it in, or delete the line.'],
      [4, 'Quantity', '“1.234,5” is not a number in the notation of this file. Write it like 1,234.56.'],
      [5, 'Cost Basis Total', 'The cost is negative. Correct it, or leave it out.'],
      [7, null, 'The line has more cells than the header. Put texts and numbers with separators in quotes.'],
    ],
  );
  assert.deepEqual(listPositions(file), [[6, 'JPM', '5', '5', 'USD']], 'an unclosed quote affects its line only');
});

describe('template and other tables', () => {
  test('reads accounts, cash and costs, also with semicolons and decimal commas', () => {
    const file = parse(
      'sep=;\nAccount;Symbol;Quantity;Cost basis;Currency\nDepot;AAPL;1,5;1.234,56;USD\nDepot;CASH;250,10;;EUR\n;BRK B;2;;\n',
    );
    assert.equal(file.format, 'template');
    assert.deepEqual(listNames(file), [
      ['Depot', null],
      ['Imported holdings', null],
    ]);
    assert.deepEqual(listPositions(file), [
      [3, 'AAPL', '1.5', '1234.56', 'USD'],
      [5, 'BRK B', '2', null, null],
    ]);
    assert.deepEqual(listCash(file), [[4, 'EUR', '250.1']]);
  });

  test('asks about a number with two readings and about a missing symbol or an unknown currency', () => {
    const { errors, positions } = parse(
      'Account,Symbol,Quantity,Cost basis,Currency\nA,AAPL,"1,234",,USD\nA,,5,,USD\nA,KO,5,,Dollars\nA,VOO\n',
    );
    assert.deepEqual(positions, []);
    assert.deepEqual(
      errors.map(({ line, column, message }) => `${line} ${column}: ${message}`),
      [
        '2 Quantity: “1,234” can be 1234 or 1.234. Write it without separators of thousands.',
        '3 null: The symbol is missing. Fill it in, or delete the line.',
        '4 Currency: “Dollars” is no currency. Write a code, such as USD.',
        '5 Quantity: The quantity is missing. Fill it in, or delete the line.',
      ],
    );
  });

  test('names the line of a number with letters, without reading its digits alone', () => {
    const { errors, positions, cash } = parse(
      'Symbol,Quantity,Cost\nAAPL,10 MIO,1\nKO,3 PCS,1\nVOO,10k,1\nSAP,2,5 MIO\nMSFT,2,5 K$\nCash,1 MIO,\nDIS,2,5 USD\n',
    );
    assert.deepEqual(
      errors.map(({ line, column, message }) => `${line} ${column}: ${message}`),
      [
        '2 Quantity: “10 MIO” is not a number. Use digits, such as 1234.56.',
        '3 Quantity: “3 PCS” is not a number. Use digits, such as 1234.56.',
        '4 Quantity: “10k” is not a number. Use digits, such as 1234.56.',
        '5 currency: “MIO” is no currency. Write a code, such as USD.',
        '6 Cost: “5 K$” is not a number. Use digits, such as 1234.56.',
        '7 currency: “MIO” is no currency. Write a code, such as USD.',
      ],
    );
    assert.deepEqual(
      positions.flatMap(({ lines }) => lines),
      [8],
    );
    assert.deepEqual(cash, []);
  });

  test('reads any table with symbols or ISINs and quantities', () => {
    assert.deepEqual(listPositions(parse('Ticker\tShares\tAvg cost\nAAPL\t3\t10.5\n')), [
      [2, 'AAPL', '3', '31.5', null],
    ]);
    assert.deepEqual(listPositions(parse('ISIN;Anzahl;Einstandskurs\nUS0378331005;3;10,5\n')), [
      [2, 'US0378331005', '3', '31.5', null],
    ]);
    const real = parse('Symbol,Name,Quantity\nCASH,Pathward Financial,3\nTTE,TotalEnergies SE,2\n');
    assert.deepEqual(listPositions(real).length, 2, 'a company is neither cash nor a total');
    const pence = parse('Symbol,Quantity,Cost,Currency\nVOD.L,100,7050,GBX\n');
    assert.deepEqual(listPositions(pence), [[2, 'VOD.L', '100', '70.5', 'GBP']]);
  });

  test('takes the currency of a cost from its cell when it is beside the number', () => {
    const file = parse(
      'Symbol,Quantity,Cost basis,Avg cost,Currency\nAAPL,3,10.5 EUR,,\nKO,2,,5.5 USD,EUR\nSAP,1,€9.5,,\nVOO,1,9.5 XQX,,\n',
    );
    assert.deepEqual(listPositions(file), [
      [2, 'AAPL', '3', '10.5', 'EUR'],
      [3, 'KO', '2', '11', 'USD'],
      [4, 'SAP', '1', '9.5', 'EUR'],
    ]);
    assert.deepEqual(
      file.errors.map(({ line, message }) => [line, message]),
      [[5, '“XQX” is no currency. Write a code, such as USD.']],
    );
  });

  test('reads the holdings of an account when it is named Total', () => {
    const file = parse('Account,Symbol,Quantity\nTotal,AAPL,3\nTotal,,3\nDepot,Total,3\n');
    assert.deepEqual(listPositions(file), [[2, 'AAPL', '3', null, null]]);
    assert.deepEqual(file.errors, []);
  });

  test('leaves out coins, no shares and quantities beyond the limit', () => {
    const file = parse(
      'Symbol,Name,Quantity\nBTC,Bitcoin,1\nBINANCE:ETHUSDT,,1\nAAPL,,0\nKO,,0.00000000001\nVOO,,1000000000001\n',
    );
    assert.deepEqual(listSkipped(file), [
      [2, 'BTC', 'crypto'],
      [3, 'BINANCE:ETHUSDT', 'crypto'],
      [4, 'AAPL', 'zero'],
      [5, 'KO', 'zero'],
    ]);
    assert.deepEqual(
      file.errors.map(({ line }) => line),
      [6],
    );
  });
});

test('tells another kind of file and a text without a table apart', () => {
  assert.equal(getReason('PK\u0003\u0004…'), 'not_csv');
  assert.equal(getReason('%PDF-1.7'), 'not_csv');
  assert.equal(getReason('a\u0000b'), 'not_csv');
  assert.equal(getReason('<!doctype html><table>'), 'not_csv');
  assert.equal(getReason(','.repeat(10_000)), 'no_table');
  assert.equal(getReason('One sentence, and another.\nA second line, without a number.'), 'no_table');
});

test('reads the template', () => {
  const file = parse(readFileSync('src/ui/shell/public/holdings-template.csv', 'utf8'));
  assert.deepEqual([file.format, file.errors], ['template', []]);
  assert.deepEqual(listPositions(file), [
    [2, 'AAPL', '10', '1850.5', 'USD'],
    [3, 'VOO', '2.5', null, 'USD'],
  ]);
  assert.deepEqual(listCash(file), [[4, 'USD', '250']]);
});

test('stops reading a file with more rows than one import may have', () => {
  const header = 'Symbol,Quantity\n';
  assert.equal(parse(header + 'AAPL,1\n'.repeat(10_000)).rowCount, 10_000);
  assert.equal(parse(header + '"x\n'.repeat(11_000)).rowCount, 10_001);
  assert.ok(parse(header.repeat(10_000)).rowCount === 0);
});

test('removes control characters and lone surrogates from names of accounts', () => {
  const file = parse('Account,Symbol,Quantity\n"My\u202E\u0007 depot\uD800",AAPL,1\n');
  assert.deepEqual(listNames(file), [['My depot', null]]);
});

test('reads a file at once when one cell is as long as a file may be', () => {
  const header = 'Account Number,Symbol,Description,Quantity,Last Price\n';
  const [position] = parse(`${header}1,,${'*'.repeat(1_000_000)}x,1,1\n`).positions;
  assert.equal(position?.name?.length, 250);
  assert.equal(parse(`${header}1,${'*'.repeat(1_000_000)}x,A,1,1\n`).rowCount, 1);
  assert.equal(parse(`Symbol,Quantity\nsymbol,${'.'.repeat(1_000_000)}x\n`).rowCount, 1);
});

test('stops reading cash when a statement has more rows than one import may have', () => {
  const headers = 'Open Positions,Header,Symbol,Quantity\nCash Report,Header,Currency Summary,Currency,Total,Account\n';
  const { rowCount, cash } = parse(headers + 'Cash Report,Data,Ending Cash,USD,1,U1\n'.repeat(11_000));
  assert.deepEqual([rowCount, cash.length], [10_001, 10_000]);
});
