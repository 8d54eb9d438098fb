import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createMarket } from '../../../../test/support/market-fixture.ts';
import { FMP_KEY, startFmpFake } from '../../../../test/fakes/fmp/fmp-fake.ts';
import { createTestDatabase } from '../../../../test/support/database.ts';
import type { Article } from '../../domain/market-data-provider.ts';
import { mergeDuplicates } from './merge-duplicates.ts';

const article = (url: string, more: Partial<Article> = {}): Article => ({
  title: `Title at ${url}`,
  summary: 'S',
  url,
  source: 'Wire',
  published_at: '2026-11-20T12:00:00.000Z',
  symbols: ['AAPL'],
  sample: false,
  ...more,
});
const addresses = (...articles: Article[]): string[] => mergeDuplicates(articles).map(({ url }) => url);

test('shows an article once when its URLs differ only in irrelevant parts', () => {
  const plain = 'https://news.example/2026/apple-rises';
  for (const other of [
    'http://news.example/2026/apple-rises',
    'https://www.news.example/2026/apple-rises/',
    'https://NEWS.example:443/2026/apple-rises?utm_source=rss&utm_medium=feed&.tsrc=rss#comments',
    'https://news.example/2026/apple-rises?fbclid=x&ref=home&guccounter=1',
    'https://amp.news.example/2026/apple-rises',
    'https://news.example/amp/2026/apple-rises',
    'https://m.news.example/2026/apple-rises/amp/',
    'https://news.example/2026/apple-rises.amp?outputType=amp',
    'https://www.google.com/amp/s/news.example/2026/apple-rises',
    'https://news-example.cdn.ampproject.org/c/s/news.example/2026/apple-rises?amp=1',
  ]) {
    assert.deepEqual(addresses(article(other), article(plain)), [plain], other);
    assert.deepEqual(addresses(article(plain), article(other)), [plain], other);
  }
  assert.deepEqual(
    addresses(article('https://a.example/x?id=1&page=2'), article('https://a.example/x?page=2&id=1')).length,
    1,
  );
});

test('shows two articles when their URLs lead to different pages', () => {
  for (const [one, other] of [
    ['https://news.example/a?id=1', 'https://news.example/a?id=2'],
    ['https://news.example/a', 'https://news.example/b'],
    ['https://news.example/a', 'https://other.example/a'],
    ['https://news.example/A', 'https://news.example/a'],
    ['https://news.example/champions', 'https://news.example/champions/amplifier'],
  ] as const)
    assert.equal(addresses(article(one), article(other, { title: 'Other' })).length, 2, `${one} ${other}`);
});

test('shows an article once when its source repeats the title within a day', () => {
  const first = article('https://a.example/1', { title: 'Apple’s profit: up 5%' });
  const at = (url: string, more: Partial<Article>) => article(url, { title: "APPLE'S PROFIT – up 5%", ...more });
  assert.deepEqual(addresses(first, at('https://a.example/22', { published_at: '2026-11-19T12:00:01.000Z' })), [
    'https://a.example/1',
  ]);
  assert.equal(addresses(first, at('https://a.example/2', { published_at: '2026-11-19T12:00:00.000Z' })).length, 2);
  assert.equal(addresses(first, at('https://a.example/2', { source: 'Post' })).length, 2);
});

test('keeps the symbols of every copy, and a summary if a copy has one', () => {
  const copies = [
    article('https://a.example/1', { summary: '' }),
    article('https://a.example/1?utm_source=x', { symbols: ['MSFT', 'AAPL'] }),
  ];
  const [merged, ...others] = mergeDuplicates(copies);
  assert.deepEqual([merged?.symbols, merged?.summary, others], [['AAPL', 'MSFT'], 'S', []]);
  assert.deepEqual(copies[0]!.symbols, ['AAPL'], 'the input is unchanged');
});

test('shows one article when the provider sends it under two URLs', async (t) => {
  const [db, fake] = await Promise.all([createTestDatabase(t), startFmpFake()]);
  t.onTestFinished(() => fake.close());
  const marketData = createMarket(db.database, { fmp: { key: FMP_KEY, baseUrl: fake.url, callsPerMinute: 10_000 } });
  const sent = (symbol: string, url: string) => ({
    symbol,
    publishedDate: '2026-11-20 09:30:00',
    publisher: 'Wire',
    title: 'Nestl&eacute; pays &pound;2bn',
    text: 'AT&amp;amp;T',
    url,
  });
  fake.state.news = [
    sent('AAPL', 'http://www.wire.example/1/?utm_source=feed'),
    sent('MSFT', 'https://wire.example/1'),
  ];
  assert.deepEqual(
    (await marketData.news([['AAPL', 'MSFT']], 5)).map(({ title, summary, url, symbols }) => [
      title,
      summary,
      url,
      symbols,
    ]),
    [['Nestlé pays £2bn', 'AT&T', 'https://wire.example/1', ['AAPL', 'MSFT']]],
  );
  const sample = await createMarket(db.database).news([['AAPL', 'KO']], 50);
  assert.equal(new Set(sample.map(({ url }) => url)).size, sample.length, 'sample articles are not merged');
  assert.ok(sample.length > 10);
});
