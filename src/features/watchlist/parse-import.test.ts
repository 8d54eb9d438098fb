import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { parseImport } from './parse-import.ts';

const symbols = (text: string): (string | undefined)[] => parseImport(text).map(({ symbol }) => symbol);

describe('parseImport', () => {
  test('reads lines, a comma-separated list or a CSV with a symbol column', () => {
    assert.deepEqual(symbols('AAPL\nmsft\r\n\r\n KO '), ['AAPL', 'MSFT', 'KO']);
    assert.deepEqual(symbols('AAPL, MSFT;KO\tJPM'), ['AAPL', 'MSFT', 'KO', 'JPM']);
    assert.deepEqual(symbols('\uFEFFName,Symbol,Price\n"Berkshire, Inc. ""B""",BRK.B,480\n"two\nlines",KO,1\n,,\n'), [
      'BRK.B',
      'KO',
    ]);
    assert.deepEqual(
      parseImport('Name,Symbol\n"two\nlines",KO\nx,JPM').map(({ line }) => line),
      [2, 4],
    );
    assert.deepEqual(symbols(''), []);
    assert.deepEqual(symbols('"AAPL'), ['AAPL'], 'an unclosed quote ends with its line');
  });

  test('splits a table only at its header’s separator', () => {
    assert.deepEqual(symbols('Name;Symbol\nAlphabet, A;GOOGL\nVisa, V;V'), ['GOOGL', 'V']);
    assert.deepEqual(symbols('Qty;Symbol\r\n1,5;AAPL\r\n"2,5";"KO"'), ['AAPL', 'KO']);
    assert.deepEqual(symbols('Name\tSymbol\nMeta Platforms, Inc.\tMETA\n"A;\tB"\tKO'), ['META', 'KO']);
    assert.deepEqual(symbols('Name,Symbol\nA; B,KO\n"C, D",JPM'), ['KO', 'JPM']);
    assert.deepEqual(
      symbols('Last, USD;Symbol;Name\n1,5;AAPL;Apple'),
      ['AAPL'],
      'header cells may contain another separator',
    );
    assert.deepEqual(
      symbols('Symbol\nAAPL,Apple\nKO;Coca-Cola'),
      ['AAPL', 'KO'],
      'a header of one cell has no separator',
    );
    assert.deepEqual(symbols('1,5;AAPL'), ['AAPL'], 'figures are quantities');
    assert.deepEqual(
      symbols('Positions of account A, T as of 11/20, 2026\n\nAccount;1234\nSymbol;Name\nV;Visa, A\nKO;Coca-Cola'),
      ['V', 'KO'],
      'a title and an account precede the header',
    );
    assert.deepEqual(symbols('AAPL\nSymbol\nKO'), ['AAPL', 'SYMBOL', 'KO'], 'a plain list is read completely');
  });

  test('reads only the tickers of a broker’s export', () => {
    const activity = [
      '"Activity Date","Process Date","Settle Date","Instrument","Description","Trans ' +
        'Code","Quantity","Price","Amount"',
      '"11/20/2026","11/20/2026","11/23/2026","AAPL","Apple\nCUSIP: 037833100","Buy","1","$190.00","($190.00)"',
      '"11/19/2026","11/19/2026","11/20/2026","","ACH Deposit","ACH","","","$500.00"',
      '"11/18/2026","11/18/2026","11/19/2026","KO","Coca-Cola","BUY","2","$61.50","($123.00)"',
      '"","","","","","","","","","For information only."',
    ];
    assert.deepEqual(
      parseImport(activity.join('\r\n')).map(({ line, displayText }) => [line, displayText]),
      [
        [2, 'AAPL'],
        [5, 'KO'],
      ],
    );
    assert.deepEqual(
      symbols(
        'Product,Symbol/ISIN,Amount,Closing,Local value,,Value in EUR\nAPPLE ' +
          'INC,US0378331005,2,"190,00",USD,"380,00","350,10"\nCASH FUND (EUR),,,,EUR,"12,00","12,00"',
      ),
      ['US0378331005'],
    );
    assert.deepEqual(symbols('Stock Symbol,Shares\nKO,10'), ['KO']);
    assert.deepEqual(symbols('Symbols;Bought\nKO;11/20/2026'), ['KO']);
    assert.deepEqual(symbols('Symbols\nKO\nAAPL'), ['KO', 'AAPL']);
    assert.deepEqual(symbols('Instrument,Symbol\nCoca-Cola,KO'), ['KO'], 'the symbol, not the instrument’s name');
  });

  test('recognizes headers in other languages and programs', () => {
    const cases: [text: string, ...symbols: string[]][] = [
      ['Stock,Shares\nAAPL,3\nMSFT,5', 'AAPL', 'MSFT'],
      ['ISIN;Name\nUS0378331005;Apple', 'US0378331005'],
      ['"Stock";"Anzahl"\nAAPL;1,5', 'AAPL'],
      ['Name;ISIN;Stück\nApple;US0378331005;3', 'US0378331005'],
      ['Wertpapier;Kürzel;Kurs\nApple;AAPL;190', 'AAPL'],
      ['Libellé;Code ISIN;Quantité\nApple;US0378331005;3', 'US0378331005'],
      ['Símbolo;Cantidad\nAAPL;3', 'AAPL'],
      ['Titolo;Quantità\nAAPL;3', 'AAPL'],
      ['銘柄コード,数量\nAAPL,3', 'AAPL'],
      ['股票代码\t数量\nAAPL\t3', 'AAPL'],
      ['Symbol,ISIN\nAAPL,US0378331005\n,US5949181045', 'AAPL', 'US5949181045'],
      ['Asset,Qty,Price,Currency\nAAPL,3,190.00,USD', 'AAPL'],
      ['Security:,Units\nAAPL,3', 'AAPL'],
      ['Shares,Price\n3,190'],
    ];
    for (const [text, ...wanted] of cases) assert.deepEqual(symbols(text), wanted, text);
    assert.deepEqual(symbols('STOCK\nAAPL'), ['STOCK', 'AAPL'], 'one ambiguous word is no header');
  });

  test('ignores figures next to tickers', () => {
    const cases: [text: string, ...symbols: (string | undefined)[]][] = [
      ['AAPL,3\nMSFT,5', 'AAPL', 'MSFT'],
      ['AAPL 3\nMSFT 5.25', 'AAPL', 'MSFT'],
      ['AAPL;1.234,56;USD;11/20/2026', 'AAPL'],
      ['AAPL\t$190.00\t12%', 'AAPL'],
      ['037833100,10', '037833100'],
      ['3', undefined],
      ['AAPL\n3', 'AAPL', undefined],
      ['0700.HK', '0700.HK'],
    ];
    for (const [text, ...wanted] of cases) assert.deepEqual(symbols(text), wanted, text);
  });

  test('keeps a share class after a space together with its ticker', () => {
    const cases: [text: string, ...symbols: string[]][] = [
      ['BRK B', 'BRK.B'],
      ['brk b, aapl', 'BRK.B', 'AAPL'],
      ['AAPL BRK B KO', 'AAPL', 'BRK.B', 'KO'],
      ['$BRK B\nBF B', 'BRK.B', 'BF.B'],
      ['BRK/B US Equity\nVOD LN Equity', 'BRK/B', 'VOD.L'],
      ['AAPL T\nF V', 'AAPL', 'T', 'F', 'V'],
      ['“VOO”\nAAPL\u200b\nＡＡＰＬ\nAAPL:US', 'VOO', 'AAPL', 'AAPL', 'AAPL'],
    ];
    for (const [text, ...wanted] of cases) assert.deepEqual(symbols(text), wanted, text);
  });

  test('keeps tickers above a table and skips its title', () => {
    const lines = (text: string): [number, string | undefined][] =>
      parseImport(text).map(({ line, symbol }) => [line, symbol]);
    assert.deepEqual(lines('AAPL\nMSFT\nSymbol,Name\nGOOG,Alphabet'), [
      [1, 'AAPL'],
      [2, 'MSFT'],
      [4, 'GOOG'],
    ]);
    assert.deepEqual(lines('My Positions\nAAPL, msft;$KO JPM,\nAs of 11/20/2026\nName;Symbol\nVisa, A;V'), [
      [2, 'AAPL'],
      [2, 'MSFT'],
      [2, 'KO'],
      [2, 'JPM'],
      [5, 'V'],
    ]);
    assert.deepEqual(lines('sep=;\nNASDAQ:AAPL;BRK.B\nSymbol;Name\nV;Visa'), [
      [2, 'AAPL'],
      [2, 'BRK.B'],
      [4, 'V'],
    ]);
  });

  test('skips a separator line', () => {
    assert.deepEqual(
      parseImport('sep=;\nSymbol;Name\nAAPL;Apple, A').map(({ line, symbol }) => [line, symbol]),
      [[3, 'AAPL']],
    );
    assert.deepEqual(symbols('\uFEFFSEP=|\r\nName|Symbol\r\nA, B; C|KO'), ['KO']);
    assert.deepEqual(symbols('"sep=\t"\nName\tSymbol\nA, B\tKO'), ['KO']);
    assert.deepEqual(symbols('sep=,\nAAPL,KO'), ['AAPL', 'KO']);
    assert.deepEqual(symbols('sep=;'), []);
  });

  test('reads tickers side by side, with a dollar sign, or with a class', () => {
    assert.deepEqual(symbols('AAPL MSFT  KO\n$aapl $brk-b\nBRK/B nasdaq:msft'), [
      'AAPL',
      'MSFT',
      'KO',
      'AAPL',
      'BRK-B',
      'BRK/B',
      'MSFT',
    ]);
    assert.deepEqual(
      symbols('Apple Inc\nBERKSHIRE HATHAWAY\n$ 5\n$$A'),
      [undefined, undefined, undefined, undefined],
      'a name is not split',
    );
    assert.deepEqual(symbols('Symbol,Name\nKO,A B'), ['KO']);
    assert.deepEqual(symbols(`A ${'1'.repeat(60_000)}!`), [undefined], 'within the time limit');
    assert.deepEqual(
      parseImport(`${'x'.repeat(63)}📈📈`).map(({ displayText }) => displayText),
      [`${'x'.repeat(63)}📈`],
      'the text is shortened to whole characters',
    );
  });

  test('does not mistake TradingView’s foreign listings for US listings', () => {
    assert.deepEqual(symbols('###Tech,NASDAQ:AAPL,NYSE:BRK.B,###Rest,LSE:VOD,XETR:SAP,MOEX:GAZP'), [
      'AAPL',
      'BRK.B',
      'VOD.L',
      'SAP.DE',
      undefined,
    ]);
    assert.deepEqual(symbols('LSE:BP.,LSE:BT.A,lse:rr.,TSX:BBD.B'), ['BP.L', 'BT-A.L', 'RR.L', 'BBD-B.TO']);
    // Tickers in New York that are also codes of exchanges.
    assert.deepEqual(symbols('ETR:US,CVE:US,ASX:US,NYSE:AU,ETR:SAP'), ['ETR', 'CVE', 'ASX', 'AU', 'SAP.DE']);
    assert.deepEqual(symbols('HKEX:700,HKEX:5,HKEX:9988,HKEX:80700'), ['0700.HK', '0005.HK', '9988.HK', '80700.HK']);
    assert.deepEqual(symbols('LSE:,HKEX:,LSE:.'), [undefined, undefined, undefined], 'an empty listing is invalid');
    assert.deepEqual(
      parseImport('BINANCE:BTCUSDT').map(({ crypto }) => crypto),
      [true],
    );
    assert.deepEqual(symbols('constructor:AAPL'), [undefined]);
  });
});
