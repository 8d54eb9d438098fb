import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { FINNHUB_KEY, startFinnhubFake } from '../../test/fakes/finnhub/finnhub-fake.ts';
import { createTestDatabase } from '../../test/support/database.ts';
import { createJobs } from '../jobs/jobs.ts';
import { createMarketData } from './market-data.ts';

test('where news come symbol by symbol, five are asked in ten minutes, held and watched alike, and what earlier turns found stays', async (t) => {
  const [db, fake] = await Promise.all([createTestDatabase(t), startFinnhubFake()]);
  t.after(() => fake.close());
  let time = Date.parse('2026-11-20T16:20:00Z');
  const room = createMarketData({
    sql: db.database.service,
    jobs: createJobs(db.database),
    logger: pino({ level: 'silent' }),
    providers: { finnhub: { key: FINNHUB_KEY, baseUrl: fake.url, callsPerMinute: 10_000 } },
    now: () => new Date(time),
  });
  const held = Array.from({ length: 20 }, (_, at) => `H${at}`);
  const watched = Array.from({ length: 6 }, (_, at) => `W${at}`);
  for (const symbol of [...held, ...watched]) {
    fake.state.news.set(symbol, [{ datetime: Date.parse('2026-11-20T14:00:00Z') / 1_000, headline: symbol, source: 'Wire', summary: '', url: `https://wire.example/${symbol}` }]);
  }
  const met = new Set<string>();
  for (let turn = 0; turn < 30; turn += 1) {
    fake.requests.length = 0;
    const articles = await room.news([held, watched], 50);
    const asked = fake.requests.map(({ params }) => params.get('symbol')!);
    assert.equal(asked.length, 5);
    assert.ok(asked.some((symbol) => symbol.startsWith('W')) && asked.some((symbol) => symbol.startsWith('H')), asked.join());
    for (const symbol of asked) met.add(symbol);
    assert.deepEqual(new Set(articles.map(({ title }) => title)), met);
    assert.equal(articles.length, met.size, 'each article once');
    time += 10 * 60_000;
    await db.owner(`update market.news_cache set fetched_at = fetched_at - interval '11 minutes'`);
  }
  assert.equal(met.size, 26, 'every symbol has had its turn');
  time += 8 * 86_400_000;
  assert.ok((await room.news([held, watched], 50)).length < 26, 'what is a week old goes');
});
