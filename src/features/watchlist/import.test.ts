import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import type { ApiResponse } from '../../../test/support/identity.ts';
import {
  getCompanySymbols,
  type TestMember,
  setUpWatchlistApp,
  type WatchlistApp,
} from '../../../test/support/watchlist.ts';
import { createRow } from '../../../test/support/watchlist-rows.ts';
import { writeCsv } from './export-watchlist.ts';
import { parseImport } from './parse-import.ts';

let app: WatchlistApp;
setUpWatchlistApp((started) => {
  app = started;
});

const importing = (member: TestMember, text: string, query = '') =>
  member.call('POST', `/api/watchlist/import${query}`, { text });
const getOutcomes = ({ body }: ApiResponse): string[] => body.rows.map(({ outcome }: { outcome: string }) => outcome);

describe('POST /api/watchlist/import', () => {
  const text = 'AAPL\nNOSUCH\nKO,AAPL\nBINANCE:BTCUSDT\nETHUSDT\n<script>\nNEWCO';
  const rows = [
    { line: 1, symbol: 'AAPL', outcome: 'added' },
    { line: 2, symbol: 'NOSUCH', outcome: 'unknown' },
    { line: 3, symbol: 'KO', outcome: 'duplicate' },
    { line: 3, symbol: 'AAPL', outcome: 'duplicate' },
    { line: 4, symbol: 'BINANCE:BTCUSDT', outcome: 'unsupported' },
    { line: 5, symbol: 'ETHUSDT', outcome: 'unsupported' },
    { line: 6, symbol: '<script>', outcome: 'unknown' },
    { line: 7, symbol: 'NEWCO', outcome: 'added' },
  ];

  test('reports the result in a dry run before it imports', async () => {
    const member = await app.signUp();
    await member.addSymbols('KO');
    const dryRun = await importing(member, text, '?dry_run=1');
    assert.deepEqual([dryRun.status, dryRun.body], [200, { rows }]);
    assert.deepEqual(await member.getSymbols(), ['KO']);
    assert.deepEqual(
      await app.owner(`select symbol from public.tracked_tickers_latest where symbol = 'NEWCO'`),
      [],
      'no symbol is registered',
    );
    app.backfills.length = 0;
    const realRun = await importing(member, text);
    assert.deepEqual([realRun.status, realRun.body], [200, { rows }]);
    assert.deepEqual(await member.getSymbols(), ['KO', 'AAPL', 'NEWCO']);
    await eventually(() => app.backfills.length === 2);
    assert.deepEqual(app.backfills, ['AAPL', 'NEWCO']);
  });

  test('looks up unknown symbols only while the list has room', async () => {
    const member = await app.signUp();
    await member.addSymbols(...getCompanySymbols(17));
    const outcomes = ['added', 'unknown', 'duplicate', 'added', 'added', 'over_limit', 'over_limit', 'over_limit'];
    const pastedSymbols = 'NEW100 NOSUC AAA01 KO NEW101 NEW102 JPM NOSUCH2';
    for (const query of ['?dry_run=1', '']) {
      app.registrationRequests.length = 0;
      app.lookups.length = 0;
      assert.deepEqual(getOutcomes(await importing(member, pastedSymbols, query)), outcomes, query);
      const [requested, notRequested] =
        query === '' ? [app.registrationRequests, app.lookups] : [app.lookups, app.registrationRequests];
      assert.deepEqual([requested, notRequested], [['NEW100', 'NOSUC', 'NEW101'], []], query);
    }
    assert.deepEqual(
      await app.owner(`select symbol from public.tracked_tickers_latest where symbol like 'NEW10_' order by 1`),
      [{ symbol: 'NEW100' }, { symbol: 'NEW101' }],
    );
    assert.deepEqual((await member.getSymbols()).slice(17), ['NEW100', 'KO', 'NEW101']);
  });

  test('looks up fifty unknown symbols at a time and reports the rest', async () => {
    const member = await app.signUp('pro');
    const text_ = [...Array.from({ length: 60 }, (_, i) => `NEW${200 + i}`), 'KO'].join('\n');
    app.lookups.length = 0;
    const { body } = await member.call('POST', '/api/watchlist/import?dry_run=1', { text: text_ });
    assert.equal(app.lookups.length, 50);
    const notLookedUp = { outcome: 'unknown', reason: 'not_looked_up' };
    assert.deepEqual(body.rows.slice(49), [
      { line: 50, symbol: 'NEW249', outcome: 'added' },
      ...Array.from({ length: 10 }, (_, i) => ({ line: 51 + i, symbol: `NEW${250 + i}`, ...notLookedUp })),
      { line: 61, symbol: 'KO', outcome: 'added' },
    ]);
  });

  test('shares the limit of sixty look-ups a minute between imports, dry runs and adds', async () => {
    const member = await app.signUp('pro');
    const other = await app.signUp();
    const listUnknownSymbols = (from: number): string =>
      Array.from({ length: 50 }, (_, i) => `NOSUCH${from + i}`).join('\n');
    const first = listUnknownSymbols(0);
    const second = listUnknownSymbols(50);
    const reasons = async (text_: string, query = '?dry_run=1'): Promise<(string | undefined)[]> =>
      (await importing(member, text_, query)).body.rows.map(({ reason }: { reason?: string }) => reason);
    assert.deepEqual(await reasons(first), Array(50).fill(undefined));
    app.lookups.length = 0;
    app.registrationRequests.length = 0;
    assert.deepEqual(await reasons(`${second}\nKO`), [
      ...Array(10).fill(undefined),
      ...Array(40).fill('not_looked_up'),
      undefined,
    ]);
    assert.equal(app.lookups.length, 10);
    assert.deepEqual(
      await reasons(first, ''),
      Array(50).fill(undefined),
      'look-ups of the dry run are not counted again',
    );
    app.registrationRequests.length = 0;
    const rejection = await member.call('POST', '/api/watchlist', { symbol: 'NEW300' });
    assert.deepEqual([rejection.status, rejection.body.code, app.registrationRequests], [429, 'RATE_LIMITED', []]);
    assert.match(rejection.headers.get('retry-after')!, /^[1-9]\d?$/);
    await member.addSymbols('KO', 'JPM');
    await other.addSymbols('NEW300');
  });

  test('finds a share class in any spelling and keeps symbols with a dash', async () => {
    const member = await app.signUp();
    const { body } = await member.call('POST', '/api/watchlist/import', { text: 'brk-b $BRK/B BF-B BRK/A XX-Y' });
    assert.deepEqual(
      body.rows.map(({ symbol, outcome }: { symbol: string; outcome: string }) => `${symbol} ${outcome}`),
      ['BRK.B added', 'BRK.B duplicate', 'BF-B added', 'BRK/A added', 'XX.Y unknown'],
    );
    assert.deepEqual(await member.getSymbols(), ['BRK.B', 'BF-B', 'BRK/A']);
    const secondAdd = await member.call('POST', '/api/watchlist', { symbol: '$brk-b' });
    assert.deepEqual([secondAdd.status, secondAdd.body.item.symbol], [409, 'BRK.B']);
    const other = await app.signUp();
    const otherAdd = await other.call('POST', '/api/watchlist', { symbol: 'BRK-B' });
    assert.deepEqual([otherAdd.status, otherAdd.body.item.symbol], [201, 'BRK.B']);
    for (const symbol of ['BRK-B', 'brk%2Fb', '%24BRK.B']) {
      const detail = await other.call('GET', `/api/watchlist/ticker/${symbol}`);
      assert.deepEqual([detail.status, detail.body.symbol], [200, 'BRK.B'], symbol);
    }
    assert.equal(
      (await other.call('GET', '/api/watchlist/ticker/BF-B')).status,
      404,
      'another company, which is not on this list',
    );
  });

  test('stops at the limit, in order', async () => {
    const member = await app.signUp();
    await member.addSymbols('KO');
    const pastedSymbols = getCompanySymbols(25);
    const outcomes = getOutcomes(await importing(member, pastedSymbols.join('\n')));
    assert.deepEqual(outcomes, [...Array(19).fill('added'), ...Array(6).fill('over_limit')]);
    assert.deepEqual(await member.getSymbols(), ['KO', ...pastedSymbols.slice(0, 19)]);
  });

  test('never exceeds the limit when imports and adds race', async () => {
    const member = await app.signUp();
    const text_ = (from: number): string => Array.from({ length: 15 }, (_, i) => `AAA${from + i}`).join();
    await Promise.all([
      member.call('POST', '/api/watchlist/import', { text: text_(10) }),
      member.call('POST', '/api/watchlist/import', { text: text_(30) }),
      ...['KO', 'JPM', 'XOM'].map((symbol) => member.call('POST', '/api/watchlist', { symbol })),
    ]);
    const positions = (await member.getWatchlist()).items.map(({ position }) => position);
    assert.deepEqual(
      positions,
      [...Array(20).keys()].map((i) => i + 1),
    );
  });

  test('accepts at most 500 symbols and adds nothing when a look-up is unavailable', async () => {
    const member = await app.signUp();
    const text_ = Array.from({ length: 501 }, (_, i) => `Q${i}`).join('\n');
    const many = await member.call('POST', '/api/watchlist/import', { text: text_ });
    assert.deepEqual(
      [many.status, many.body.issues],
      [400, [{ path: 'text', message: 'has 501 symbols; at most 500 at a time' }]],
    );
    const largeTexts = [
      'Symbol,Quantity',
      ...Array.from({ length: 600 }, (_, i) => `AAPL,${i}`),
      'KO,1',
      ...Array(3).fill('AAA01,5'),
    ];
    const accepted = await (await app.signUp()).call('POST', '/api/watchlist/import', { text: largeTexts.join('\n') });
    assert.equal(accepted.status, 200, 'a repeated symbol counts once');
    const expected = ['added', ...Array(599).fill('duplicate'), 'added', 'added', 'duplicate', 'duplicate'];
    assert.deepEqual(getOutcomes(accepted), expected);
    assert.equal(accepted.body.rows.at(-1).line, 605, 'every line has a result');
    app.market.unavailable.add('provider');
    const unavailable = await importing(member, 'AAPL\nUNKNOWN');
    app.market.unavailable.clear();
    assert.deepEqual([unavailable.status, unavailable.body.code], [503, 'UNAVAILABLE']);
    assert.deepEqual(await member.getSymbols(), []);
  });
});

describe('GET /api/watchlist/export.csv', () => {
  test('writes a file that the import can read', async () => {
    const member = await app.signUp();
    const other = await app.signUp();
    await member.addSymbols('BRK.B', 'VOO', 'US912810TM09', 'NONAME');
    const { status, headers, body } = await member.call('GET', '/api/watchlist/export.csv');
    assert.equal(status, 200);
    assert.match(headers.get('content-type')!, /^text\/csv/);
    assert.equal(headers.get('content-disposition'), 'attachment; filename="watchlist-2026-11-18.csv"');
    assert.match(
      body,
      new RegExp(
        String.raw`^symbol,name,asset_type,currency,price,price_unit,price_at,locked,added_on,sample\r\n` +
          String.raw`BRK\.B,BRK\.B Inc\.,stock,USD,200\.5,currency,2026-11-18T20:15:00\.000Z,no,`,
      ),
    );
    assert.deepEqual(
      body
        .split('\r\n')
        .slice(1, -1)
        .map((line: string) => line.split(',').at(-1)),
      ['no', 'yes', 'yes', 'no'],
      'sample data is marked',
    );
    await other.call('POST', '/api/watchlist/import', { text: body });
    assert.deepEqual(await other.getSymbols(), ['BRK.B', 'VOO', 'US912810TM09', 'NONAME']);
  });

  test('starts with the byte order mark for spreadsheets', async () => {
    const member = await app.signUp();
    for (const headers of [{}, { 'x-demo-tour': '1' }]) {
      const response = await fetch(`${app.url}/api/watchlist/export.csv`, {
        headers: { authorization: `Bearer ${member.token}`, ...headers },
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      assert.equal(bytes.toString('latin1').slice(0, 9), '\xEF\xBB\xBFsymbol');
      assert.deepEqual(parseImport(bytes.toString('utf8')), []);
    }
  });

  test('escapes formulas in names', () => {
    const createCell = (name: string): string =>
      /^X,(.*),stock,/s.exec(writeCsv([createRow({ name })]).split('sample\r\n')[1]!)![1]!;
    assert.equal(createCell('=HYPERLINK("http://x","y")'), `"'=HYPERLINK(""http://x"",""y"")"`);
    for (const name of ['+1', '-1', '@SUM(1)', '\t=1', ' =1', '＝1']) assert.match(createCell(name), /^"?'/, name);
    assert.equal(createCell('Plain, "quoted"'), '"Plain, ""quoted"""');
  });
});
