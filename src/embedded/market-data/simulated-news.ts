import { DAY_MS } from '../../market-data/domain/dates.ts';
import type { Article, Listing } from '../../market-data/domain/market-data-provider.ts';
import { hashText, drawUniform } from './seeded-random.ts';
import { compareNewestFirst } from '../../market-data/domain/comparators.ts';

const templates: readonly ((name: string) => { title: string; summary: string })[] = [
  (name) => ({
    title: `${name}: what the calendar holds this week`,
    summary: `A made-up article about ${name}, shown because no news provider is configured.`,
  }),
  (name) => ({
    title: `${name} in the sector's comparison`,
    summary: `Sample text in place of a comparison of ${name} with its peers.`,
  }),
  (name) => ({
    title: `Questions that analysts ask about ${name}`,
    summary: `Sample text in place of a summary of analysts' questions about ${name} and its answers.`,
  }),
  (name) => ({
    title: `${name} publishes a notice to shareholders`,
    summary: `Sample text in place of a notice that ${name} might publish.`,
  }),
];

const SEARCH_URL = 'https://en.wikipedia.org/wiki/Special:Search?search=';

/** Returns neutral articles of the last week, one a day for each listing, newest first. */
export function generateNews(listings: readonly Listing[], limit: number, now: Date): Article[] {
  const today = Math.floor(now.getTime() / DAY_MS);
  const articles: Article[] = [];
  for (const { symbol, name } of listings) {
    const seed = hashText(`news ${symbol}`);
    for (let day = today; day > today - 7; day -= 1) {
      const published = day * DAY_MS + Math.floor(drawUniform(seed, day) * DAY_MS);
      if (published > now.getTime()) continue;
      const createText = templates[Math.floor(drawUniform(seed, day, 1) * templates.length)]!;
      articles.push({
        ...createText(name ?? symbol),
        // The link leads to an existing page about the company. The fragment makes the URL of each article unique.
        url: `${SEARCH_URL}${encodeURIComponent(name ?? symbol)}#${encodeURIComponent(symbol)}-${day}`,
        source: 'Sample',
        published_at: new Date(published).toISOString(),
        symbols: [symbol],
        sample: true,
      });
    }
  }
  return articles.sort(compareNewestFirst).slice(0, limit);
}
