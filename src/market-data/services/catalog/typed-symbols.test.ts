import assert from 'node:assert/strict';
import { test } from 'vitest';
import { setUpMarketFixture } from '../../../../test/support/market-fixture.ts';
import { searchTickers } from './catalog-queries.ts';

test('registers a provider’s listing in any spelling of its symbol', async (t) => {
  const { marketData, fake, readRow: row } = await setUpMarketFixture(t);
  const apple = fake.state.profiles.get('AAPL')!;
  fake.state.profiles.set('APC.DE', { ...apple, symbol: 'APC.DE', currency: 'EUR', exchange: 'XETRA' });
  fake.state.profiles.set('META', { ...apple, symbol: 'META', companyName: 'Meta Platforms', isin: 'US30303M1027' });
  const cases: [text: string, symbol: string][] = [
    ['US0378331005', 'AAPL'],
    ['AAPL.O', 'AAPL'],
    ['BRKB', 'BRK.B'],
    ['BRK B', 'BRK.B'],
    ['FB', 'META'],
  ];
  for (const [text, symbol] of cases) {
    assert.deepEqual(await marketData.lookUpSymbol(text), { ok: true, symbol }, text);
    const registered = await marketData.registerSymbol(text);
    assert.equal(registered.ok && registered.ticker.symbol, symbol, text);
  }
  assert.equal(((await row('AAPL')) as unknown as { isin: string }).isin, 'US0378331005');
  assert.equal(await row('US0378331005'), undefined);
  assert.deepEqual(await marketData.registerSymbol('US88160R1014'), {
    ok: false,
    reason: 'unsupported',
    detail: 'no_bond_feed',
  });
});

test('searches the provider for a listing when the catalog lacks it', async (t) => {
  const { marketData, fake } = await setUpMarketFixture(t);
  const first = async (text: string) => (await marketData.search(text, 5)).hits[0]?.symbol;
  for (const text of ['US0378331005', 'NASDAQ:AAPL', 'AAPL:US', '“aapl”'])
    assert.equal(await first(text), 'AAPL', text);
  assert.equal(await first('BRK/B'), 'BRK.B');
  assert.ok(fake.requests.some(({ path }) => path === '/search-isin'));
});

test("searches through the catalog's indexes when the catalog is large", { tags: ['slow'] }, async (t) => {
  const { db } = await setUpMarketFixture(t);
  await db.owner(
    `insert into public.tracked_tickers_latest (symbol, asset_type, name, currency, isin)
     select 'X' || n, 'stock', md5(n::text) || ' Company', 'USD', 'US' || lpad(n::text, 10, '0')
       from generate_series(1, 20000) n`,
  );
  await db.owner('analyze public.tracked_tickers_latest');
  let plan = '';
  const explained = {
    query: async (sql: string, values: readonly unknown[]) => {
      const literals = sql.replace(/\$(\d)/g, (_, at: string) => quoted(values[Number(at) - 1]));
      plan = (await db.owner<{ 'QUERY PLAN': string }>(`explain ${literals}`))
        .map((row) => row['QUERY PLAN'])
        .join('\n');
      return [];
    },
  };
  const terms = {
    symbols: ['X123'],
    aliasSymbols: ['X7'],
    isin: 'US0000000042',
    words: 'abc:*',
    joined: 'abc',
    bonds: true,
  };
  await searchTickers(explained as never, terms, 20);
  assert.doesNotMatch(plan, /Seq Scan on tracked_tickers_latest/, plan);
  for (const index of ['symbol_prefix', 'name_words', 'name_joined', 'isin'])
    assert.match(plan, new RegExp(`tracked_tickers_latest_${index}`), plan);
});

function quoted(value: unknown): string {
  if (Array.isArray(value)) return `array[${value.map((item) => `'${String(item)}'`).join()}]::text[]`;
  return typeof value === 'string' ? `'${value}'` : String(value);
}
