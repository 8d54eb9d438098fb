import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import {
  addHolding,
  type InvestmentsApp,
  createAccount,
  startInvestmentsApp,
} from '../../../test/support/investments-app.ts';
import type { SearchResponse, SearchResult } from './contract.ts';

let app: InvestmentsApp;
/** True if the catalog returns more hits than the limit. */
let hasHighLimit = false;
beforeAll(async () => {
  app = await startInvestmentsApp({
    changeMarket: (market) => ({
      ...market,
      search: (query, limit) => market.search(query, hasHighLimit ? 50 : limit),
    }),
  });
});
afterAll(() => app.close());

const search = async (query: string, member = 'user_a', headers: Record<string, string> = {}) => {
  const { status, body } = await app.call('GET', `/api/investments/search?${query}`, member, undefined, headers);
  return { status, body: body as SearchResponse & { code?: string } };
};
const listResults = (body: SearchResponse): SearchResult[] => body.groups.flatMap(({ results }) => results);

test('groups results by kind in display order with the fields of an addable listing', async () => {
  const { status, body } = await search('q=vanguard&limit=50');
  assert.equal(status, 200);
  assert.equal(body.query, 'vanguard');
  const labels = body.groups.map(({ label }) => label);
  assert.deepEqual(
    labels,
    ['Stocks', 'ETFs', 'Mutual funds', 'Bonds'].filter((label) => labels.includes(label as never)),
  );
  assert.ok(labels.includes('ETFs') && labels.includes('Mutual funds'));
  for (const { type, results } of body.groups) {
    assert.ok(results.length > 0);
    for (const result of results) {
      assert.equal(result.asset_type, type);
      const fields = 'symbol name exchange asset_type currency logo logo_source watched held';
      assert.equal(Object.keys(result).join(' '), fields);
    }
  }
  assert.ok(
    (await search('q=treasury')).body.groups.some(({ type, results }) => type === 'bond' && results.length > 5),
  );
});

test('returns a registry logo or issuer badge when a result is sample data', async () => {
  const sources = new Set<string | null>();
  for (const query of ['inc', 'corp', 'fund', 'etf', 'treasury', 'vanguard', 'ZVZZT', 'CSCO']) {
    const results = listResults((await search(`q=${query}&limit=50`)).body);
    assert.ok(results.length > 0, query);
    for (const { symbol, logo, logo_source: source } of results) {
      assert.match(
        String(logo),
        source === 'registry' ? /^\/api\/logos\/registry\// : /^\/api\/logos\/[a-z-]+\.svg$/,
        symbol,
      );
      sources.add(source);
    }
  }
  assert.deepEqual([...sources].sort(), ['issuer', 'registry']);
});

test('marks watched and held symbols for the requesting member', async () => {
  const account = await createAccount(app, 'user_a');
  await addHolding(app, 'user_a', account, 'AAPL');
  await app.database.service.query(`select public.add_watchlist_item('user_a', 'AAPL')`);
  await app.database.service.query(`select public.add_watchlist_item('user_b', 'MSFT')`);
  const readMarks = async (member: string, symbol: string) => {
    const foundResults = listResults((await search(`q=${symbol}`, member)).body).find(
      (result) => result.symbol === symbol,
    )!;
    return [foundResults.watched, foundResults.held];
  };
  assert.deepEqual(await readMarks('user_a', 'AAPL'), [true, true]);
  assert.deepEqual(await readMarks('user_b', 'AAPL'), [false, false]);
  assert.deepEqual(await readMarks('user_b', 'MSFT'), [true, false]);
  // A row past the plan limit is on the list too.
  app.lockedSymbols.add('MSFT');
  const locked = await readMarks('user_b', 'MSFT');
  app.lockedSymbols.delete('MSFT');
  assert.deepEqual(locked, [true, false]);
});

test('omits the watched key without reading the watchlist when outside the rollout', async () => {
  app.membersOutsideRollout.add('user_a');
  const watchlistReads = app.watchlistReadCount;
  const results = listResults((await search('q=apple')).body);
  assert.ok(results.length > 0);
  assert.ok(results.every((result) => !('watched' in result) && 'held' in result));
  assert.equal(app.watchlistReadCount, watchlistReads);
  app.membersOutsideRollout.delete('user_a');
});

test('marks nothing as watched during the demo tour', async () => {
  const foundResults = async (headers: Record<string, string>) =>
    listResults((await search('q=MSFT', 'user_b', headers)).body).find(({ symbol }) => symbol === 'MSFT')!;
  const tourHeaders = [{}, { 'x-demo-tour': '1' }, { 'x-demo-tour': '0' }];
  const watched = await Promise.all(tourHeaders.map(async (headers) => (await foundResults(headers)).watched));
  assert.deepEqual(watched, [true, false, true]);
  app.membersOutsideRollout.add('user_b');
  assert.equal('watched' in (await foundResults({ 'x-demo-tour': '1' })), false);
  app.membersOutsideRollout.delete('user_b');
});

test('omits the watched key when the watchlist cannot be read', async () => {
  app.isWatchlistUnavailable = true;
  const { status, body } = await search('q=MSFT', 'user_b');
  app.isWatchlistUnavailable = false;
  assert.equal(status, 200);
  const results = listResults(body);
  assert.ok(results.some(({ symbol }) => symbol === 'MSFT') && results.every((result) => !('watched' in result)));
});

test('returns no results or a 4xx error when a query is unusual', async () => {
  for (const query of ['', 'q=', 'q=%20', 'q=zzzzzzzzqqqq'])
    assert.deepEqual((await search(query)).body.groups, [], query);
  for (const query of [
    'q=%25',
    'q=_',
    'q=%27%20or%201%3D1--',
    'q=%5C',
    'q=%F0%9F%98%80',
    'q=%E2%80%AE',
    'q=(((',
    'q=AAPL*',
  ])
    assert.equal((await search(query)).status, 200, query);
  for (const query of [
    'q=%00',
    'q=a%0Ab',
    `q=${'a'.repeat(65)}`,
    'q=a&limit=0',
    'q=a&limit=51',
    'q=a&limit=x',
    'q=a&limit=1.5',
    'q=a&member=user_b',
    'q=a&q=b',
  ]) {
    const { status, body } = await search(query);
    assert.deepEqual([status, body.code], [400, 'INVALID_REQUEST'], query);
  }
  // A percent sign is a literal character, not a wildcard that matches everything.
  assert.ok(listResults((await search('q=%25%25%25&limit=50')).body).length < 50);
});

test('finds a share class in any spelling while the member types', async () => {
  const first = async (query: string) =>
    listResults((await search(`q=${encodeURIComponent(query)}`)).body).map(({ symbol }) => symbol);
  for (const query of ['BRK.B', 'BRK-B', 'brk/b', '$BRK-b', ' brk-B '])
    assert.deepEqual(await first(query), ['BRK.B'], query);
  for (const query of ['BRK.', 'BRK-', 'brk/']) assert.deepEqual(await first(query), ['BRK.A', 'BRK.B'], query);
  await app.owner(
    `insert into public.tracked_tickers_latest (symbol, asset_type, name, currency)
     values ('BF-B', 'stock', 'Another company', 'USD')`,
  );
  assert.deepEqual(await first('bf-b'), ['BF-B', 'BF.B'], 'includes a symbol that equals the typed text');
  await app.owner(`delete from public.tracked_tickers_latest where symbol = 'BF-B'`);
});

test('applies the limit to all groups together', async () => {
  assert.equal(listResults((await search('q=a&limit=3')).body).length, 3);
  hasHighLimit = true;
  const foundResults = listResults((await search('q=a&limit=3')).body);
  hasHighLimit = false;
  assert.equal(foundResults.length, 3);
});
