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
  positions.map(({ line, identifiers, quantity, costBasis, currency }) => [
    line,
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

describe('Schwab', () => {
  const header =
    '"Symbol","Description","Qty (Quantity)","Price","Mkt Val (Market Value)","Cost Basis","Gain $ (Gain/Loss $)","Asset Type",';

  test('reads positions, cash, options and totals of one account', () => {
    const file = parse(
      [
        '"Positions for account Individual ...123 as of 09:30 AM ET, 2026/11/20"',
        '',
        header,
        '"BRK/B","BERKSHIRE HATHAWAY CLASS B","12","$480.10","$5,761.20","$4,120.55","$1,640.65","Equity",',
        '"SWPPX","SCHWAB S&P 500 INDEX","1,204.331","$15.02","$18,089.05","Incomplete","N/A","Mutual Fund",',
        '"91282CJZ5","US TREASURY 4% 34","10,000","98.125","$9,812.50","$9,900.00","-$87.50","Fixed Income",',
        '"AAPL 01/16/2026 150.00 C","CALL APPLE INC $150","(2)","$3.10","($620.00)","$500.00","$120.00","Option",',
        '"TSLA","TESLA INC","-5","$250.00","-$1,250.00","$1,300.00","$50.00","Equity",',
        '"Cash & Cash Investments","--","--","--","$2,000.75","--","--","Cash and Money Market",',
        '"Positions Total","","--","--","$35,662.75","$14,020.55","$1,693.40","--",',
      ].join('\r\n'),
    );
    assert.equal(file.format, 'schwab');
    assert.deepEqual(listNames(file), [['Individual …123', 'USD']]);
    assert.deepEqual(listPositions(file), [
      [4, 'BRK/B', '12', '4120.55', 'USD'],
      [5, 'SWPPX', '1204.331', null, 'USD'],
      [6, '91282CJZ5', '10000', '9900', 'USD'],
    ]);
    assert.deepEqual(listSkipped(file), [
      [7, 'AAPL 01/16/2026 150.00 C', 'option'],
      [8, 'TSLA', 'short'],
    ]);
    assert.deepEqual(listCash(file), [[9, 'USD', '2000.75']]);
    assert.deepEqual(file.errors, []);
  });

  test('reads one account per section', () => {
    const row = '"KO","COCA-COLA CO","40","$61.50","$2,460.00","$2,000.00","$460.00","Equity",';
    const file = parse(
      [
        '"Positions for All-Accounts as of 09:30 AM ET, 2026/11/20"',
        '',
        '"Roth IRA ...456"',
        header,
        row,
        '"Account Total","","--","--","$2,460.00","$2,000.00","$460.00","--",',
        '',
        '"Individual ...123"',
        header,
        row,
      ].join('\n'),
    );
    assert.deepEqual(listNames(file), [
      ['Roth IRA …456', 'USD'],
      ['Individual …123', 'USD'],
    ]);
    assert.deepEqual(
      file.positions.map(({ line }) => line),
      [5, 10],
    );
  });
});

describe('Fidelity', () => {
  const header =
    'Account Number,Account Name,Symbol,Description,Quantity,Last Price,Last Price Change,Current Value,' +
    'Total Gain/Loss Dollar,Percent Of Account,Cost Basis Total,Average Cost Basis,Type';

  test('reads several accounts, core positions, pending activity and the notice at the end', () => {
    const file = parse(
      [
        `\uFEFF${header}`,
        'X12345678,Individual - TOD,VOO,VANGUARD S&P 500 ETF,18.5,$512.40,+$3.10,"$9,479.40",+$1003.20,60%,"$8,476.20",$458.17,Cash,',
        'X12345678,Individual - TOD,SPAXX**,HELD IN MONEY MARKET,,,,$412.15,,2%,,,Cash,',
        'X12345678,Individual - TOD,Pending Activity,,,,,$201.00,,,,,',
        'X12345678,Individual - TOD, -AAPL260116C150,AAPL JAN 16 2026 $150 CALL,-1,$3.10,--,-$310.00,,,$200.00,$2.00,Margin,',
        '98765,"Employer 401(k), Plan",VOO,VANGUARD S&P 500 ETF,2,$512.40,+$3.10,$1024.80,n/a,100%,--,n/a,Cash,',
        '98765,"Employer 401(k), Plan",FXAIX,FIDELITY 500 INDEX FUND,10,$200.00,--,$2000.00,--,,,$150.123456,Cash,',
        '',
        '"The data and information in this spreadsheet is provided to you solely for your use, as is."',
        '',
        'Date downloaded Nov-20-2026 4:05 p.m ET',
      ].join('\n'),
    );
    assert.equal(file.format, 'fidelity');
    assert.deepEqual(listNames(file), [
      ['Individual - TOD …5678', 'USD'],
      ['Employer 401(k), Plan …8765', 'USD'],
    ]);
    assert.deepEqual(listPositions(file), [
      [2, 'VOO', '18.5', '8476.2', 'USD'],
      [6, 'VOO', '2', null, 'USD'],
      [7, 'FXAIX', '10', '1501.2346', 'USD'],
    ]);
    assert.deepEqual(listCash(file), [[3, 'USD', '412.15']]);
    assert.deepEqual(listSkipped(file), [
      [4, 'Pending Activity', 'pending'],
      [5, '-AAPL260116C150', 'option'],
    ]);
    assert.deepEqual(file.errors, []);
  });

  test('names line, column and correction of each cell that cannot be read', () => {
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
});

test('Vanguard: reads holdings and leaves out the transactions below them', () => {
  const file = parse(
    [
      'Account Number,Investment Name,Symbol,Shares,Share Price,Total Value,',
      '12345678,VANGUARD TOTAL STOCK MARKET ETF,VTI,18.1817,300.10,5456.33,',
      '12345678,VANGUARD FEDERAL MONEY MARKET INVESTOR CL,VMFXX,120.5,1,120.5,',
      '87654321,U S TREASURY NOTE,null,5000,100.00,5000.00,',
      '',
      '',
      'Account Number,Trade Date,Settlement Date,Transaction Type,Transaction Description,Investment Name,Symbol,Shares,Share Price,Principal Amount,Commissions and Fees,Net Amount,Accrued Interest,Account Type,',
      '12345678,2026-11-19,2026-11-20,Buy,Buy,VANGUARD TOTAL STOCK MARKET ETF,VTI,3,300,-900,0,-900,0,CASH,',
    ].join('\n'),
  );
  assert.equal(file.format, 'vanguard');
  assert.deepEqual(listNames(file), [
    ['Vanguard …5678', 'USD'],
    ['Vanguard …4321', 'USD'],
  ]);
  assert.deepEqual(listPositions(file), [[2, 'VTI', '18.1817', null, 'USD']]);
  assert.deepEqual(listCash(file), [[3, 'USD', '120.5']]);
  assert.deepEqual(listSkipped(file), [[4, 'U S TREASURY NOTE', 'unknown']]);
});

describe('Interactive Brokers', () => {
  test('reads open positions and cash of an activity statement in its currencies', () => {
    const positions =
      'Open Positions,Header,DataDiscriminator,Asset Category,Currency,Symbol,Quantity,Mult,Cost Price,Cost Basis,Close Price,Value,Unrealized P/L,Code';
    const file = parse(
      [
        'Statement,Header,Field Name,Field Value',
        'Statement,Data,Title,Activity Statement',
        'Account Information,Header,Field Name,Field Value',
        'Account Information,Data,Account,U1234567',
        'Account Information,Data,Base Currency,CHF',
        positions,
        'Open Positions,Data,Summary,Stocks,USD,AAPL,50,1,150.5,7525.12345,175.25,8762.5,1237.37655,',
        'Open Positions,Data,Lot,Stocks,USD,AAPL,30,1,150,4500,175.25,5257.5,757.5,LT',
        'Open Positions,Total,,Stocks,USD,,,,,7525.12345,,8762.5,1237.37655,',
        'Open Positions,Data,Summary,Stocks,GBP,VOD,"1,000",1,0.7,700,0.75,750,50,',
        positions,
        'Open Positions,Data,Summary,Equity and Index Options,USD,SPY 31MAR27 570 C,1,100,0.83,83.16,0,0,-83.16,',
        'Open Positions,Data,Summary,Bonds,USD,T 4 02/15/34,10000,1,99,9900,98.125,9812.5,-87.5,',
        'Cash Report,Header,Currency Summary,Currency,Total,Securities,Futures,',
        'Cash Report,Data,Starting Cash,USD,1,1,0,',
        'Cash Report,Data,Ending Cash,Base Currency Summary,3000,3000,0,',
        'Cash Report,Data,Ending Cash,CHF,3185.392,3185.392,0,',
        'Cash Report,Data,Ending Cash,USD,-498.71249,-498.71249,0,',
        'Financial Instrument Information,Header,Asset Category,Symbol,Description,Conid,Security ID,Listing Exch,Multiplier,Type,Code',
        'Financial Instrument Information,Data,Stocks,"VOD, VODL",VODAFONE GROUP PLC,1,GB00BH4HKS39,LSE,1,COMMON,',
        'Financial Instrument Information,Data,Bonds,T 4 02/15/34,US TREASURY 4%,2,US91282CJZ59,,1,Govt,',
      ].join('\n'),
    );
    assert.equal(file.format, 'interactive_brokers');
    assert.deepEqual(listNames(file), [['Interactive Brokers …4567', 'CHF']]);
    assert.deepEqual(listPositions(file), [
      [7, 'AAPL', '50', '7525.1235', 'USD'],
      [10, 'VOD GB00BH4HKS39', '1000', '700', 'GBP'],
      [13, 'T 4 02/15/34 US91282CJZ59', '10000', '9900', 'USD'],
    ]);
    assert.deepEqual(listSkipped(file), [[12, 'SPY 31MAR27 570 C', 'option']]);
    assert.deepEqual(listCash(file), [
      [17, 'CHF', '3185.392'],
      [18, 'USD', '-498.7125'],
    ]);
    assert.deepEqual(file.errors, []);
  });

  test('reads a flex query of open positions', () => {
    const file = parse(
      '"ClientAccountID","CurrencyPrimary","AssetClass","Symbol","Description","ISIN","Quantity","CostBasisMoney"\n' +
        '"U1234567","USD","STK","KO","COCA-COLA","US1912161007","40","2000.5"\n' +
        '"U1234567","USD","OPT","KO    270115C00070000","KO CALL","","1","100"\n',
    );
    assert.deepEqual(listPositions(file), [[2, 'KO US1912161007', '40', '2000.5', 'USD']]);
    assert.deepEqual(listSkipped(file), [[3, 'KO 270115C00070000', 'option']]);
  });
});

describe('Degiro', () => {
  test('reads the English and the Dutch form with their decimal marks', () => {
    const english = parse(
      [
        'Product,Symbol/ISIN,Amount,Closing,Local value,,Value in EUR',
        'CASH & CASH FUND & FTX CASH (EUR),,,,EUR,"1,000.50","1,000.50"',
        'CASH & CASH FUND & FTX CASH (USD),,,,USD,2.24,1.97',
        'APPLE INC,US0378331005,"1,204",189.50,USD,"228,158.00","200,000.10"',
      ].join('\n'),
    );
    assert.equal(english.format, 'degiro');
    assert.deepEqual(listNames(english), [['Degiro', 'EUR']]);
    assert.deepEqual(listPositions(english), [[4, 'US0378331005', '1204', null, 'USD']]);
    assert.deepEqual(listCash(english), [
      [2, 'EUR', '1000.5'],
      [3, 'USD', '2.24'],
    ]);
    const dutch = parse(
      [
        'Product;Symbool/ISIN;Aantal;Slotkoers;Lokale waarde;;Waarde in EUR',
        'CASH & CASH FUND & FTX CASH (EUR);;;;EUR;-0,56;-0,56',
        'ISHARES CORE;IE00B4L5Y983;1.204;80,50;EUR;96.922,00;96.922,00',
        'LLOYDS;GB0008706128;0,5;54,10;GBX;27,05;0,31',
      ].join('\n'),
    );
    assert.deepEqual(listPositions(dutch), [
      [3, 'IE00B4L5Y983', '1204', null, 'EUR'],
      [4, 'GB0008706128', '0.5', null, 'GBP'],
    ]);
    assert.deepEqual(listCash(dutch), [[2, 'EUR', '-0.56']]);
  });

  test('reads the older form with currency and amount in one cell', () => {
    const file = parse(
      'Produkt,Symbol/ISIN,Anzahl,Schlußkurs,Wert,Wert in EUR\n' +
        'CASH & CASH FUND & FTX CASH (EUR),,,,EUR -0.56,"-0,56"\n' +
        'ADOBE,US00724F1012,3,"123,45",USD 370.35,"320,12"\n',
    );
    assert.deepEqual(listCash(file), [[2, 'EUR', '-0.56']]);
    assert.deepEqual(listPositions(file), [[3, 'US00724F1012', '3', null, 'USD']]);
  });
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
      positions.map(({ line }) => line),
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

test('tells a list of transactions, another kind of file and a table without holdings apart', () => {
  assert.equal(getReason('Run Date,Action,Symbol,Quantity,Price\n11/20/2026,YOU BOUGHT,AAPL,1,10'), 'transactions');
  assert.equal(
    getReason(
      'Datum,Tijd,Product,ISIN,Beurs,Aantal,Koers,,Order ID\n20-11-2026,15:31,APPLE,US0378331005,NDQ,1,"1,5",USD,x',
    ),
    'transactions',
  );
  assert.equal(getReason('PK\u0003\u0004…'), 'not_csv');
  assert.equal(getReason('%PDF-1.7'), 'not_csv');
  assert.equal(getReason('a\u0000b'), 'not_csv');
  assert.equal(getReason('<!doctype html><table>'), 'not_csv');
  assert.equal(getReason('Name,Price\nApple,1'), 'no_holdings');
  assert.equal(getReason(','.repeat(10_000)), 'no_holdings');
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
  assert.equal(parse(header + 'AAPL,1\n'.repeat(2000)).rowCount, 2000);
  assert.equal(parse(header + '"x\n'.repeat(10_000)).rowCount, 2001);
  assert.ok(parse(header.repeat(10_000)).rowCount === 0);
});

test('removes control characters and lone surrogates from names of accounts', () => {
  const file = parse('Account,Symbol,Quantity\n"My\u202E\u0007 depot\uD800",AAPL,1\n');
  assert.deepEqual(listNames(file), [['My depot', null]]);
});

test('reads a file at once when one cell is as long as a file may be', () => {
  const header = 'Account Number,Symbol,Description,Quantity,Last Price\n';
  const [skipped] = parse(`${header}1,,${'*'.repeat(1_000_000)}x,1,1\n`).skipped;
  assert.equal(skipped?.name?.length, 250);
  assert.equal(parse(`${header}1,${'*'.repeat(1_000_000)}x,A,1,1\n`).rowCount, 1);
  assert.equal(parse(`Symbol,Quantity\nsymbol,${'.'.repeat(1_000_000)}x\n`).rowCount, 1);
});

test('stops reading cash when a statement has more rows than one import may have', () => {
  const headers = 'Open Positions,Header,Symbol,Quantity\nCash Report,Header,Currency Summary,Currency,Total,Account\n';
  const { rowCount, cash } = parse(headers + 'Cash Report,Data,Ending Cash,USD,1,U1\n'.repeat(3000));
  assert.deepEqual([rowCount, cash.length], [2001, 2000]);
});
