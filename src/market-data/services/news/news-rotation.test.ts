import assert from 'node:assert/strict';
import { test } from 'vitest';
import { FINNHUB_KEY, startFinnhubFake } from '../../../../test/fakes/finnhub/finnhub-fake.ts';
import { FMP_KEY, startFmpFake } from '../../../../test/fakes/fmp/fmp-fake.ts';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { openMarket, setUpMarket } from '../../../../test/support/market-stage.ts';

test('where news come by symbol, five are asked in ten minutes, held or watched, and earlier finds stay', async (t) => {
  const [db, fake] = await Promise.all([createTestDatabase(t), startFinnhubFake()]);
  t.onTestFinished(() => fake.close());
  let time = Date.parse('2026-11-20T16:20:00Z');
  const room = openMarket(
    db.database,
    { finnhub: { key: FINNHUB_KEY, baseUrl: fake.url, callsPerMinute: 10_000 } },
    () => new Date(time),
  );
  const held = Array.from({ length: 20 }, (_, at) => `H${at}`);
  const watched = Array.from({ length: 6 }, (_, at) => `W${at}`);
  for (const symbol of [...held, ...watched]) {
    fake.state.news.set(symbol, [
      {
        datetime: Date.parse('2026-11-20T14:00:00Z') / 1_000,
        headline: symbol,
        source: 'Wire',
        summary: '',
        url: `https://wire.example/${symbol}`,
      },
    ]);
  }
  const met = new Set<string>();
  for (let round = 0; round < 30; round += 1) {
    fake.requests.length = 0;
    const articles = await room.news([held, watched], 50);
    const asked = fake.requests.map(({ params }) => params.get('symbol')!);
    assert.equal(asked.length, 5);
    assert.ok(
      asked.some((symbol) => symbol.startsWith('W')) && asked.some((symbol) => symbol.startsWith('H')),
      asked.join(),
    );
    for (const symbol of asked) met.add(symbol);
    assert.deepEqual(new Set(articles.map(({ title }) => title)), met);
    assert.equal(articles.length, met.size, 'each article once');
    time += 10 * 60_000;
    await db.owner(`update market.news_cache set fetched_at = fetched_at - interval '11 minutes'`);
  }
  assert.equal(met.size, 26, 'every symbol has been asked for');

  fake.failWith('a server error', 2);
  assert.deepEqual(
    new Set((await room.news([held, watched], 50)).map(({ title }) => title)),
    met,
    'what was not asked for in the end stays too',
  );
  fake.failWith(undefined);
  await db.owner(`update market.news_cache set fetched_at = fetched_at - interval '11 minutes'`);
  time += 8 * 86_400_000;
  assert.ok((await room.news([held, watched], 50)).length < 26, 'what is a week old goes');
});

test('what no column can hold goes from an article; one that cannot be kept is shown all the same', async (t) => {
  const [db, fake] = await Promise.all([createTestDatabase(t), startFmpFake()]);
  t.onTestFinished(() => fake.close());
  const room = openMarket(db.database, { fmp: { key: FMP_KEY, baseUrl: fake.url, callsPerMinute: 10_000 } });
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
  const [shown] = await room.news([['AAPL']], 5);
  assert.deepEqual(
    [shown?.title, shown?.summary, shown?.source],
    ['x'.repeat(299), 'half\ufffd a rocket, a path C:\\u0000 and 🚀', 'Wire'],
  );
  fake.failWith('a server error');
  assert.deepEqual(await room.news([['AAPL']], 5), [shown], 'it was kept');

  fake.failWith(undefined);
  await db.owner('revoke insert, update on market.news_cache from service_role');
  fake.state.news = [article('MSFT', 'Not kept', '')];
  assert.deepEqual(
    (await room.news([['MSFT']], 5)).map(({ title }) => title),
    ['Not kept'],
  );
  assert.equal((await db.owner('select 1 from market.news_cache')).length, 1);
});

test('an article from the future is refused; an hour is a clock that is fast', async (t) => {
  const stage = await setUpMarket(t); // 11:20 in New York
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
    (await stage.room.news([['AAPL']], 5)).map(({ title }) => title),
    ['soon', 'now'],
  );
  // What was kept by an earlier version goes too.
  await stage.db.owner(
    `update market.news_cache set fetched_at = now() - interval '11 minutes',
       articles = jsonb_set(articles, '{0,published_at}', '"2099-01-01T00:00:00.000Z"') #- '{0,symbols,0}'`,
  );
  stage.fake.state.news = [article('now', '2026-11-20 11:20:00')];
  assert.deepEqual(
    (await stage.room.news([['AAPL']], 5)).map(({ title }) => title),
    ['now'],
  );
});
