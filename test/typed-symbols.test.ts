import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { sendRequest, SITE, TestBrowser } from './support/identity.ts';
import { startService, type TestService } from './support/service.ts';

let service: TestService;
let call: (method: string, path: string, body?: object) => ReturnType<typeof sendRequest>;
beforeAll(async () => {
  service = await startService({ BASE_URL: SITE, API_RATE_LIMIT: '100000' });
  const browser = new TestBrowser(service.url);
  const { email, password } = service.firstRun.members.find(({ tier }) => tier === 'max')!;
  const { body } = await browser.call('POST', '/client/sign_ins', { identifier: email, password });
  const authorization = `Bearer ${await browser.token(body.response.created_session_id)}`;
  call = (method, path, sent) => sendRequest(`${service.url}${path}`, method, sent, { authorization });
});
afterAll(() => service.stop());

const search = async (text: string) =>
  (await call('GET', `/api/investments/search?q=${encodeURIComponent(text)}`)).body as {
    groups: { results: { symbol: string; renamed_from?: string }[] }[];
    more: number;
  };
const found = async (text: string): Promise<string[]> =>
  (await search(text)).groups.flatMap(({ results }) => results.map(({ symbol }) => symbol));
const imported = async (text: string): Promise<string[]> =>
  (await call('POST', '/api/watchlist/import?dry_run=1', { text })).body.rows.map(
    ({ symbol, outcome }: { symbol: string; outcome: string }) =>
      outcome === 'unknown' || outcome === 'unsupported' ? `${symbol} ${outcome}` : symbol,
  );
const added = async (text: string): Promise<string> => {
  const { status, body } = await call('POST', '/api/watchlist', { symbol: text });
  return status === 201 || status === 409 ? body.item.symbol : body.code;
};

test('reads a symbol alike in search, add and import, in each usual notation', { tags: ['slow'] }, async () => {
  const cases: [text: string, symbol: string][] = [
    ...['BRK.B', 'BRK B', 'brk b', 'BRKB', 'BRK/B', 'BRK-B', '$BRK.B', 'BRK/B US Equity', 'NYSE:BRK.B', 'BRK‑B'].map(
      (text): [string, string] => [text, 'BRK.B'],
    ),
    ...['NASDAQ:AAPL', 'AAPL:US', 'AAPL.O', 'AAPL.OQ', 'AAPL US', 'AAPL US Equity', 'AAPL.US', 'XNAS:AAPL'].map(
      (text): [string, string] => [text, 'AAPL'],
    ),
    ...['AAPL\u200b', '\ufeffAAPL', 'A\u00adAPL', 'ＡＡＰＬ', '\u3000aapl\u00a0', '$AAPL', '‘AAPL’'].map(
      (text): [string, string] => [text, 'AAPL'],
    ),
    ['US0378331005', 'AAPL'],
    ['us0846707026', 'BRK.B'],
    ['“VOO”', 'VOO'],
    ['XOM.N', 'XOM'],
    ['LSE:VOD', 'VOD.L'],
    ['VOD:LN', 'VOD.L'],
    ['VOD LN Equity', 'VOD.L'],
    ['GB00BH4HKS39', 'VOD.L'],
    ['US912810TX63', '912810TX6'],
    ['FB', 'META'],
    ['fb.o', 'META'],
  ];
  for (const [text, symbol] of cases) {
    const read = [(await found(text))[0], await added(text), ...(await imported(text))];
    assert.deepEqual(read, [symbol, symbol, symbol], JSON.stringify(text));
  }
});

test('finds a name in each common spelling', async () => {
  const cases: [text: string, ...symbols: string[]][] = [
    ['mcdonalds', 'MCD'],
    ["McDonald's", 'MCD'],
    ['mcdonald’s', 'MCD'],
    ['lowes', 'LOW'],
    ['jp morgan', 'JPM'],
    ['jpmorgan', 'JPM'],
    ['exxonmobil', 'XOM'],
    ['exxon mobil', 'XOM'],
    ['cocacola', 'KO'],
    ['coca cola', 'KO'],
    ['coca-cola', 'KO'],
    ['at&t', 'T'],
    ['att', 'T'],
    ['oreilly', 'ORLY'],
    ['procter and gamble'.replace(' and', ''), 'PG'],
    ['google', 'GOOGL', 'GOOG'],
    ['facebook', 'META'],
    ['sp500', 'VOO', 'SPY', 'IVV'],
    ['S&P 500', 'VOO', 'SPY', 'IVV'],
    ['berkshire hathaway', 'BRK.B'],
  ];
  for (const [text, ...symbols] of cases) {
    const all = await found(text);
    assert.deepEqual(all.slice(0, symbols.length), symbols, `${text}: ${all.join()}`);
  }
  assert.ok((await found('sp500')).includes('SWPPX'), 'other funds on the index are found too');
});

test('returns the new symbol when a former one is searched', async () => {
  const [hit] = (await search('FB')).groups.flatMap(({ results }) => results);
  assert.deepEqual([hit?.symbol, hit?.renamed_from], ['META', 'FB']);
  assert.ok((await search('META')).groups[0]!.results.every((result) => !('renamed_from' in result)));
  const { body } = await call('POST', '/api/watchlist/import?dry_run=1', { text: 'FB\nMETA' });
  assert.deepEqual(
    body.rows.map(({ symbol, renamed_from }: { symbol: string; renamed_from?: string }) => [symbol, renamed_from]),
    [
      ['META', 'FB'],
      ['META', undefined],
    ],
  );
  const { items } = (await call('GET', '/api/watchlist')).body;
  const meta = items.find(({ symbol }: { symbol: string }) => symbol === 'META');
  if (meta) await call('DELETE', `/api/watchlist/${meta.id}`);
  const add = await call('POST', '/api/watchlist', { symbol: 'FB' });
  assert.deepEqual([add.status, add.body.item.symbol, add.body.renamed_from], [201, 'META', 'FB']);
});

test('does not resolve a class of shares to the company with its letter as symbol', async () => {
  await service.database.owner(
    `insert into public.tracked_tickers_latest (symbol, asset_type, name, currency)
     values ('B', 'stock', 'Barrick Mining Corporation', 'USD')`,
  );
  for (const text of ['BRK B', 'brk b', 'AAPL BRK B', 'BRK B AAPL', 'XXX B', 'AAPL B', 'BRK CLASS B']) {
    assert.ok(!(await imported(text)).includes('B'), text);
    assert.ok(!(await found(text)).includes('B'), text);
  }
  assert.deepEqual(await imported('BRK B AAPL'), ['BRK.B', 'AAPL']);
  assert.deepEqual(await imported('XXX B'), ['XXX.B unknown']);
  assert.equal(await added('XXX B'), 'UNKNOWN_SYMBOL');
  assert.deepEqual(await imported('B'), ['B']);
  assert.deepEqual(await imported('AAPL T'), ['AAPL', 'T'], 'a letter that is no class is a ticker');
});

test('ranks funds by size and returns the number of further matches', async () => {
  const { groups, more } = await search('vanguard');
  const shown = groups.flatMap(({ results }) => results);
  assert.equal(shown.length, 20);
  assert.deepEqual(
    groups
      .find(({ results }) => results.some(({ symbol }) => symbol === 'VOO'))!
      .results.slice(0, 3)
      .map(({ symbol }) => symbol),
    ['VOO', 'VTI', 'VUG'],
  );
  const [{ count }] = (await service.database.owner(
    `select count(*)::int from public.tracked_tickers_latest where name ilike '%vanguard%'`,
  )) as [{ count: number }];
  assert.equal(more, count - 20);
  assert.equal((await search('AAPL')).more, 0);
});
