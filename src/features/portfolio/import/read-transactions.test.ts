import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { assertFates, countOthers, parseFile } from '../../../../test/support/holdings-files.ts';
import type { HoldingsFile } from './holdings-file.ts';

const HEADER = 'Date,Side,Symbol,Shares,Price,Fee';
const read = (...rows: string[]): HoldingsFile => {
  const text = [HEADER, ...rows].join('\n');
  const file = parseFile(text);
  assertFates(text, file);
  return file;
};
const listPositions = ({ positions }: HoldingsFile) =>
  positions.map(({ lines, identifiers, quantity, costBasis }) => [
    lines.join(' '),
    identifiers[0],
    quantity,
    costBasis,
  ]);
const listErrors = ({ errors }: HoldingsFile) =>
  errors.map(({ line, column, message }) => `${line} ${column}: ${message}`);
const listSkipped = ({ skipped }: HoldingsFile) =>
  skipped.map(({ line, lines, symbol, reason }) => [line, lines.join(' '), symbol, reason]);

describe('holdings of trades', () => {
  test('takes the average of what is left when shares are sold', () => {
    const file = read(
      '2026-01-02,Buy,KO,10,10,1',
      '2026-01-03,Buy,KO,10,20,1',
      '2026-01-04,Sell,KO,5,30,1',
      '2026-01-05,Buy,KO,1,8.5,',
    );
    assert.deepEqual(listPositions(file), [['2 3 4 5', 'KO', '16', '235']]);
  });

  test('begins a new cost when shares are bought after all were sold', () => {
    const file = read('2026-01-02,Buy,KO,3,10,', '2026-01-03,Sell,KO,3,30,', '2026-01-04,Buy,KO,0.1,30,');
    assert.deepEqual(listPositions(file), [['2 3 4', 'KO', '0.1', '3']]);
  });

  test('leaves a security without shares out when all were sold', () => {
    const file = read('2026-01-02,Buy,KO,0.3,10,', '2026-01-03,Sell,KO,0.1,30,', '2026-01-04,Sell,KO,0.2,30,');
    assert.deepEqual(listSkipped(file), [[4, '2 3 4', 'KO', 'zero']]);
  });

  test('names the sale that exceeds the purchases of its security alone', () => {
    const file = read('2026-01-02,Buy,KO,3,10,', '2026-01-03,Sell,KO,4,30,', '2026-01-03,Buy,VOO,1,400,');
    assert.deepEqual(listSkipped(file), [[3, '2 3', 'KO', 'oversold']]);
    assert.deepEqual(listPositions(file), [['4', 'VOO', '1', '400']]);
  });

  test('accepts a sale of all when the broker rounds fractions of shares', () => {
    const file = read('2026-01-02,Buy,KO,0.3333333,10,', '2026-01-03,Sell,KO,0.333333400,30,');
    assert.deepEqual(listSkipped(file), [[3, '2 3', 'KO', 'zero']]);
  });

  test('keeps the cost of a third of the shares exact', () => {
    const sales = Array.from({ length: 300 }, (_, index) => `2026-02-${10 + (index % 10)},Sell,KO,0.01,30,`);
    const file = read('2026-01-02,Buy,KO,9,11.11111111,', ...sales);
    assert.deepEqual(
      listPositions(file).map((row) => row.slice(1)),
      [['KO', '6', '66.6667']],
    );
  });

  test('knows no cost when a purchase has no price', () => {
    const file = read('2026-01-02,Buy,KO,3,,', '2026-01-03,Buy,KO,3,10,');
    assert.deepEqual(listPositions(file), [['2 3', 'KO', '6', null]]);
  });
});

describe('order of trades', () => {
  test('sorts by date when the rows are in no order', () => {
    const file = read('2026-01-09,Sell,KO,5,30,', '2026-01-02,Buy,KO,10,10,', '2026-01-05,Buy,KO,10,20,');
    assert.deepEqual(listPositions(file), [['2 3 4', 'KO', '15', '225']]);
  });

  test('reverses the trades of a day when the file begins with the newest', () => {
    const file = read(
      '2026-01-09,Buy,VOO,1,1,',
      '2026-01-05,Buy,KO,10,20,',
      '2026-01-05,Sell,KO,10,30,',
      '2026-01-05,Buy,KO,10,10,',
    );
    assert.deepEqual(listPositions(file)[1], ['3 4 5', 'KO', '10', '200']);
  });

  test('finds the order of a single day when only one makes a holding', () => {
    const file = read('2026-01-05,Sell,KO,10,30,', '2026-01-05,Buy,KO,15,10,');
    assert.deepEqual(listPositions(file), [['2 3', 'KO', '5', '50']]);
  });

  test('sorts by the time when the dates have one', () => {
    const file = read(
      '01/05/2026 3:30 PM,Sell,KO,10,30,',
      '01/05/2026 9:30 AM,Buy,KO,10,10,',
      '01/05/2026 12:30 PM,Buy,KO,10,20,',
      '01/31/2026 12:30 PM,Buy,VOO,10,20,',
    );
    assert.deepEqual(listPositions(file)[0], ['2 3 4', 'KO', '10', '150']);
  });

  test('reads day and month in the order that one date of the column proves', () => {
    const rows = ['03/04/2026,Buy,KO,10,10,', '04/03/2026,Sell,KO,5,12,', '01/02/2026,Buy,KO,10,20,'];
    assert.deepEqual(listPositions(read(...rows, '25/12/2026,Buy,VOO,1,1,'))[0], ['2 3 4', 'KO', '15', '200']);
    assert.deepEqual(listPositions(read(...rows, '12/25/2026,Buy,VOO,1,1,'))[0], ['2 3 4', 'KO', '15', '225']);
  });

  test('names the column when day and month can be exchanged and that changes the holding', () => {
    const file = read(
      '03/04/2026,Buy,KO,10,10,',
      '04/03/2026,Sell,KO,5,12,',
      '01/02/2026,Buy,KO,10,20,',
      '05/06/2026,Buy,VOO,1,1,',
    );
    const message =
      'Day and month of this date can be exchanged, which changes the holding. Write dates like 2026-11-27.';
    assert.deepEqual(
      listErrors(file),
      [2, 3, 4].map((line) => `${line} Date: ${message}`),
    );
    assert.deepEqual(listPositions(file), [['5', 'VOO', '1', '1']]);
  });

  test('asks for dates when there are none and the order changes the holding', () => {
    const text = 'Side,Symbol,Shares,Price\nBuy,KO,10,10\nSell,KO,5,12\nBuy,KO,10,20\nBuy,VOO,1,5\n';
    const file = parseFile(text);
    assertFates(text, file);
    assert.deepEqual(
      [...new Set(file.errors.map(({ message }) => message))],
      ['The file has no dates, so the order of purchases and sales is not known. Add a column of dates.'],
    );
    assert.deepEqual(listPositions(file), [['5', 'VOO', '1', '5']]);
  });

  test('rejects a day that no calendar has with the other trades of the security', () => {
    const file = read(
      '31.02.2026,Buy,KO,10,10,',
      '04.03.2026,Sell,KO,5,12,',
      '01.02.2026,Buy,VOO,1,20,',
      ',Buy,T,1,1,',
    );
    assert.deepEqual(listErrors(file), [
      '2 Date: “31.02.2026” is no date. Write it like 2026-11-27.',
      '5 Date: The date is missing. Fill it in, or delete the line.',
      '3 null: Line 2 of the same security has an error. Correct it to import the security.',
    ]);
    assert.deepEqual(listPositions(file), [['4', 'VOO', '1', '20']]);
  });
});

describe('actions', () => {
  test('multiplies the shares by the ratio of a split and keeps the cost', () => {
    const header = 'Date,Action,Symbol,Quantity,Price,Description\n';
    const split = (text: string): unknown[] => {
      const buy = '2026-01-02,Buy,KO,10,100,Coca-Cola\n';
      return listPositions(parseFile(`${header}${buy}2026-01-03,Stock split,KO,,,${text}\n`))[0]!.slice(2);
    };
    assert.deepEqual(split('SPLIT 4 FOR 1'), ['40', '1000']);
    assert.deepEqual(split('Split 1:4'), ['40', '1000']);
    assert.deepEqual(split('4:1 split'), ['40', '1000']);
    assert.deepEqual(split('Reverse split 1:10'), ['1', '1000']);
    assert.deepEqual(split('split 1 for 3'), ['3.3333333333', '1000']);
  });

  test('adds or takes away the shares that a split without a ratio changes', () => {
    const file = read(
      '2026-01-02,Buy,KO,10,100,',
      '2026-01-03,Stock split close,KO,10,,',
      '2026-01-03,Stock split open,KO,40,,',
      '2026-01-04,Buy,VOO,10,100,',
      '2026-01-04,Stock Split,VOO,10,,',
      '2026-01-05,Split,T,,,',
    );
    assert.deepEqual(listPositions(file), [
      ['2 3 4', 'KO', '40', '1000'],
      ['5 6', 'VOO', '20', '1000'],
    ]);
    assert.deepEqual(listErrors(file), [
      '7 Shares: The split has no ratio. Write it like 4 for 1, or delete the line.',
    ]);
  });

  test('counts what makes no holding by kind', () => {
    const file = read(
      '2026-01-02,Dividend,KO,10,0.1,',
      '2026-01-02,Withholding Tax,KO,,,',
      '2026-01-02,Zinsen,,,,',
      '2026-01-02,Einzahlung,,,,',
      '2026-01-02,Withdrawal,,,,',
      '2026-01-02,Custody fee,,,,',
      '2026-01-02,Transfer of shares,KO,5,,',
      '2026-01-02,FX conversion,,,,',
      '2026-01-02,Something else,,,,',
      '2026-01-02,Cancel Buy,KO,5,10,',
    );
    assert.deepEqual(countOthers(file), {
      dividend: 1,
      tax: 1,
      interest: 1,
      deposit: 1,
      withdrawal: 1,
      fee: 1,
      transfer: 1,
      exchange: 1,
      other: 2,
    });
    assert.deepEqual([file.positions, file.errors], [[], []]);
  });

  test('counts a transaction without a security when its text is a sentence', () => {
    const header = 'Date,Type,Symbol,Shares,Amount,Text\n';
    const text = `${header}2026-01-02,Fee,,,USD 1.00,Custody of your shares in the first quarter\n2026-01-02,Buy,KO,1,USD 9.00,\n`;
    assert.deepEqual(countOthers(parseFile(text)), { fee: 1 });
  });

  test('leaves out what no order carried out in a security', () => {
    const header = 'Date,Side,Status,Symbol,Shares,Price\n';
    const rows = [
      'Buy,Filled,KO,10,10',
      'Sell,Cancelled,KO,10,12',
      'Buy,Filled,EUR.USD,100,1.1',
      'Buy,Filled,BAC/PRK,1,25',
    ];
    const file = parseFile(header + rows.map((row) => `2026-01-02,${row}\n`).join(''));
    assert.deepEqual(countOthers(file), { other: 1, exchange: 1 });
    assert.deepEqual(
      listPositions(file).map(([lines]) => lines),
      ['2', '5'],
    );
  });

  test('rejects an unknown action with shares, since it may change them', () => {
    const file = read('2026-01-02,Buy,KO,10,10,', '2026-01-03,Frobnicate,KO,5,12,');
    assert.deepEqual(listErrors(file), [
      '3 Side: “Frobnicate” is no known transaction. Write Buy or Sell.',
      '2 null: Line 3 of the same security has an error. Correct it to import the security.',
    ]);
  });

  test('names quantities that cannot be', () => {
    const file = read('2026-01-02,Buy,KO,10 MIO,10,', '2026-01-02,Buy,VOO,-3,10,', '2026-01-02,Buy,T,,10,');
    assert.deepEqual(listErrors(file), [
      '2 Shares: “10 MIO” is not a number. Use digits, such as 1234.56.',
      '3 Shares: The quantity of a purchase is negative. Correct it, or delete the line.',
      '4 Shares: The quantity is missing. Fill it in, or delete the line.',
    ]);
  });

  test('rejects trades that add up to more than can be stored', () => {
    const file = read(
      '2026-01-02,Buy,KO,1000000000000,1,',
      '2026-01-03,Buy,KO,1,1,',
      '2026-01-03,Buy,VOO,1000000,1000000000.1,',
    );
    assert.deepEqual(listErrors(file), [
      '3 null: The trades add up to more than can be stored. Correct their quantities and costs.',
      '2 null: Line 3 of the same security has an error. Correct it to import the security.',
      '4 null: The trades add up to more than can be stored. Correct their quantities and costs.',
    ]);
  });

  test('reads signs when there is no action', () => {
    const signed = parseFile('Trade Date,Symbol,Quantity,Price\n2026-01-02,KO,10,10\n2026-01-03,KO,(4),12\n');
    assert.deepEqual(listPositions(signed), [['2 3', 'KO', '6', '60']]);
    const moved = parseFile('Date,Symbol,Quantity,Amount\n2026-01-02,KO,10,-100\n2026-01-03,KO,4,48\n');
    assert.deepEqual([moved.kind, listPositions(moved)], ['transactions', [['2 3', 'KO', '6', '60']]]);
  });
});

describe('fees', () => {
  const readCost = (text: string): string | null | undefined => parseFile(text).positions[0]?.costBasis;

  test('adds fees to a price and to an amount without them, not to one that contains them', () => {
    const header = 'Date,Side,Symbol,Shares,Price,Fee';
    assert.equal(readCost(`${header}\n2026-01-02,Buy,KO,10,10,2.5\n`), '102.5');
    assert.equal(readCost(`${header},Amount\n2026-01-02,Buy,KO,10,10,2.5,100\n`), '102.5');
    assert.equal(readCost(`${header},Amount\n2026-01-02,Buy,KO,10,10,2.5,-102.50\n`), '102.5');
    assert.equal(readCost('Date,Side,Symbol,Shares,Fee,Amount\n2026-01-02,Buy,KO,10,2.5,-100\n'), '100');
    assert.equal(readCost('Date,Side,Symbol,Shares,Fee,Amount\n2026-01-02,Buy,KO,10,-2.5,-100\n'), '102.5');
    assert.equal(readCost('Date,Side,Symbol,Shares,Fee,Gross amount\n2026-01-02,Buy,KO,10,2.5,100\n'), '102.5');
    assert.equal(readCost('Date,Side,Symbol,Shares,Fee,Tax,Net amount\n2026-01-02,Buy,KO,10,2.5,1,103.5\n'), '103.5');
  });

  test('takes the currency of the price when the money was moved in another', () => {
    const [position] = parseFile(
      'Date,Side,Symbol,Shares,Price,Currency (Price),Fee,Currency (Fee),Total,Currency (Total)\n' +
        '2026-01-02,Buy,KO,10,20,USD,2,EUR,182,EUR\n',
    ).positions;
    assert.deepEqual([position?.costBasis, position?.currency], ['202.2222', 'USD']);
  });

  test('knows no cost when purchases of one ISIN are in two currencies', () => {
    const header = 'Date,Side,ISIN,Shares,Price,Currency\n';
    const [position] = parseFile(
      `${header}2026-01-02,Buy,US0378331005,10,20,USD\n2026-01-03,Buy,US0378331005,5,18,EUR\n`,
    ).positions;
    assert.deepEqual([position?.quantity, position?.costBasis, position?.currency], ['15', null, null]);
  });

  test('keeps listings of a symbol apart when they have two currencies', () => {
    const header = 'Date,Side,Symbol,Shares,Price,Currency\n';
    const { positions } = parseFile(`${header}2026-01-02,Buy,RY,10,100,USD\n2026-01-03,Buy,RY,5,140,CAD\n`);
    assert.deepEqual(
      positions.map(({ quantity, costBasis, currency }) => [quantity, costBasis, currency]),
      [
        ['10', '1000', 'USD'],
        ['5', '700', 'CAD'],
      ],
    );
  });

  test('joins the trades of a security whose rows name it by symbol or ISIN', () => {
    const header = 'Date,Side,Symbol,ISIN,Shares,Price\n';
    const { positions } = parseFile(
      `${header}2026-01-02,Buy,AAPL,US0378331005,10,100\n2026-01-03,Sell,AAPL,,4,140\n2026-01-04,Buy,,US0378331005,1,140\n`,
    );
    assert.deepEqual(
      positions.map(({ lines, quantity }) => [lines, quantity]),
      [[[2, 3, 4], '7']],
    );
  });
});

test('adds up random trades as exact fractions do', () => {
  const trade = fc.record({
    isSale: fc.boolean(),
    shares: fc.integer({ min: 1, max: 500 }),
    cents: fc.integer({ min: 1, max: 99_999 }),
    security: fc.constantFrom('KO', 'VOO', 'T'),
  });
  fc.assert(
    fc.property(fc.array(trade, { minLength: 1, maxLength: 40 }), fc.boolean(), (trades, isNewestFirst) => {
      const rows = trades.map(({ isSale, shares, cents, security }, index) => {
        const day = new Date(Date.UTC(2026, 0, 2 + Math.floor(index / 3))).toISOString().slice(0, 10);
        return `${day},${isSale ? 'Sell' : 'Buy'},${security},${shares / 10},${cents / 100},`;
      });
      // Two dates show the direction of the file.
      const dated = ['2026-01-01,Deposit,,,,', ...rows, '2027-01-01,Deposit,,,,'];
      const file = read(...(isNewestFirst ? dated.toReversed() : dated));
      for (const security of ['KO', 'VOO', 'T']) {
        const expected = addUpFractions(trades.filter((row) => row.security === security));
        const position = file.positions.find(({ identifiers }) => identifiers[0] === security);
        const isOversold = file.skipped.some(({ symbol, reason }) => symbol === security && reason === 'oversold');
        assert.equal(isOversold, expected === 'oversold');
        const holding = expected === 'oversold' || expected.shares === 0n ? undefined : expected;
        assert.equal(position?.quantity, holding && String(Number(holding.shares) / 10));
        if (holding) assertRounded(position!.costBasis!, holding.cost, holding.divisor);
      }
    }),
    { numRuns: 200 },
  );
});

interface Fraction {
  /** Tenths of shares. */
  shares: bigint;
  /** Thousandths of the currency, multiplied by the divisor. */
  cost: bigint;
  divisor: bigint;
}

function addUpFractions(trades: readonly { isSale: boolean; shares: number; cents: number }[]): Fraction | 'oversold' {
  let shares = 0n;
  let cost = 0n;
  let divisor = 1n;
  for (const trade of trades) {
    const traded = BigInt(trade.shares);
    if (!trade.isSale) {
      shares += traded;
      cost += traded * BigInt(trade.cents) * divisor;
      continue;
    }
    if (traded > shares) return 'oversold';
    cost *= shares - traded;
    divisor *= shares;
    shares -= traded;
    if (shares > 0n) continue;
    cost = 0n;
    divisor = 1n;
  }
  return { shares, cost, divisor };
}

/** Asserts that the amount is the fraction within half a unit of its fourth decimal. */
function assertRounded(amount: string, cost: bigint, divisor: bigint): void {
  const [integer, decimals = ''] = amount.split('.');
  const tenThousandths = BigInt(`${integer}${decimals.padEnd(4, '0')}`);
  const difference = tenThousandths * divisor - cost * 10n;
  assert.ok((difference < 0n ? -difference : difference) * 2n <= divisor, `${amount} is not ${cost}/${divisor}`);
}
