import assert from 'node:assert/strict';
import { test, type TestContext } from 'vitest';
import { FINNHUB_KEY, startFinnhubFake } from '../../../../test/fakes/finnhub/finnhub-fake.ts';
import { FMP_KEY, startFmpFake } from '../../../../test/fakes/fmp/fmp-fake.ts';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { createMarket, setUpMarketFixture } from '../../../../test/support/market-fixture.ts';

const HELD = Array.from({ length: 20 }, (_, index) => `H${index}`);
const WATCHED = Array.from({ length: 6 }, (_, index) => `W${index}`);
const ROUND_MS = 10 * 60_000;

/** Starts market data whose provider has one article of each symbol. `advance` ends the time for which news are kept. */
async function startWithArticles(t: TestContext) {
  const [db, fake] = await Promise.all([createTestDatabase(t), startFinnhubFake()]);
  t.onTestFinished(() => fake.close());
  const datetime = Date.parse('2026-11-20T14:00:00Z') / 1_000;
  for (const symbol of [...HELD, ...WATCHED]) {
    const article = { datetime, headline: symbol, source: 'Wire', summary: '', url: `https://wire.example/${symbol}` };
    fake.state.news.set(symbol, [article]);
  }
  let time = Date.parse('2026-11-20T16:20:00Z');
  const marketData = createMarket(
    db.database,
    { finnhub: { key: FINNHUB_KEY, baseUrl: fake.url, callsPerMinute: 10_000 } },
    () => new Date(time),
  );
  const readTitles = async () => (await marketData.news([HELD, WATCHED], 50)).map(({ title }) => title);
  const advance = async (ms: number) => {
    time += ms;
    await db.owner(`update market.news_cache set fetched_at = fetched_at - interval '11 minutes'`);
  };
  /** Reads the news and returns their titles and the requested symbols. */
  const runRound = async () => {
    fake.requests.length = 0;
    const titles = await readTitles();
    await advance(ROUND_MS);
    return { titles, requested: fake.requests.map(({ params }) => params.get('symbol')!) };
  };
  return { fake, readTitles, advance, runRound };
}

test('fetches five symbols in ten minutes when news are by symbol', async (t) => {
  const { runRound } = await startWithArticles(t);
  const requestedSymbols = new Set<string>();

  for (let round = 0; round < 30; round += 1) {
    const { titles, requested } = await runRound();
    assert.equal(requested.length, 5);
    assert.ok(
      requested.some((symbol) => symbol.startsWith('W')),
      requested.join(),
    );
    assert.ok(
      requested.some((symbol) => symbol.startsWith('H')),
      requested.join(),
    );
    for (const symbol of requested) requestedSymbols.add(symbol);
    assert.deepEqual(new Set(titles), requestedSymbols, 'articles of earlier rounds stay');
    assert.equal(titles.length, requestedSymbols.size, 'each article occurs once');
  }

  assert.equal(requestedSymbols.size, 26, 'every symbol was requested');
});

test('keeps articles for a week when the provider fails', async (t) => {
  const { fake, readTitles, advance, runRound } = await startWithArticles(t);
  for (let round = 0; round < 30; round += 1) await runRound();

  fake.failWith('a server error', 2);
  assert.deepEqual(new Set(await readTitles()), new Set([...HELD, ...WATCHED]));

  fake.failWith(undefined);
  await advance(8 * 86_400_000);
  assert.ok((await readTitles()).length < 26);
});

test('shows an article that fails to store', async (t) => {
  const [db, fake] = await Promise.all([createTestDatabase(t), startFmpFake()]);
  t.onTestFinished(() => fake.close());
  const marketData = createMarket(db.database, { fmp: { key: FMP_KEY, baseUrl: fake.url, callsPerMinute: 10_000 } });
  const article = (symbol: string, title: string, text: string) => ({
    symbol,
    publishedDate: '2026-11-20 09:30:00',
    publisher: 'W\u0000ire',
    title,
    site: 'w',
    text,
    url: 'https://wire.example/1',
  });
  fake.state.news = [article('AAPL', `${'x'.repeat(299)}🚀 up`, 'half\ud83d a rocket, a path C:\\u0000 and 🚀')];
  const [shown] = await marketData.news([['AAPL']], 5);
  assert.deepEqual(
    [shown?.title, shown?.summary, shown?.source],
    ['x'.repeat(299), 'half\ufffd a rocket, a path C:\\u0000 and 🚀', 'Wire'],
  );
  fake.failWith('a server error');
  assert.deepEqual(await marketData.news([['AAPL']], 5), [shown], 'the article is stored');

  fake.failWith(undefined);
  await db.owner('revoke insert, update on market.news_cache from service_role');
  fake.state.news = [article('MSFT', 'Not kept', '')];
  assert.deepEqual(
    (await marketData.news([['MSFT']], 5)).map(({ title }) => title),
    ['Not kept'],
  );
  assert.equal((await db.owner('select 1 from market.news_cache')).length, 1);
});

test('rejects an article from the future and tolerates a clock that is an hour fast', async (t) => {
  const stage = await setUpMarketFixture(t); // 11:20 in New York
  const article = (title: string, publishedDate: string) => ({
    symbol: 'AAPL',
    publishedDate,
    publisher: 'W',
    title,
    text: '',
    url: `https://wire.example/${title}`,
  });
  stage.fake.state.news = [
    article('2099', '2099-01-01 09:30:00'),
    article('later', '2026-11-20 12:21:00'),
    article('soon', '2026-11-20 12:19:00'),
    article('now', '2026-11-20 11:20:00'),
  ];
  assert.deepEqual(
    (await stage.marketData.news([['AAPL']], 5)).map(({ title }) => title),
    ['soon', 'now'],
  );
  // Articles stored by an earlier version are removed too.
  await stage.db.owner(
    `update market.news_cache set fetched_at = now() - interval '11 minutes',
       articles = jsonb_set(articles, '{0,published_at}', '"2099-01-01T00:00:00.000Z"') #- '{0,symbols,0}'`,
  );
  stage.fake.state.news = [article('now', '2026-11-20 11:20:00')];
  assert.deepEqual(
    (await stage.marketData.news([['AAPL']], 5)).map(({ title }) => title),
    ['now'],
  );
});
