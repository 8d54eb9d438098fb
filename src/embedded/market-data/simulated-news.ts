import { DAY_MS } from '../../market-data/domain/dates.ts';
import type { Article, Listing } from '../../market-data/domain/market-data-provider.ts';
import { hashText, uniform } from './draw.ts';
import { newestFirst } from '../../market-data/domain/sort-order.ts';

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

const SEARCH = 'https://en.wikipedia.org/wiki/Special:Search?search=';

/** Neutral articles of the last week, one a day for each listing; newest first. */
export function simulatedNews(listings: readonly Listing[], limit: number, now: Date): Article[] {
  const today = Math.floor(now.getTime() / DAY_MS);
  const articles: Article[] = [];
  for (const { symbol, name } of listings) {
    const seed = hashText(`news ${symbol}`);
    for (let day = today; day > today - 7; day -= 1) {
      const published = day * DAY_MS + Math.floor(uniform(seed, day) * DAY_MS);
      if (published > now.getTime()) continue;
      const write = templates[Math.floor(uniform(seed, day, 1) * templates.length)]!;
      articles.push({
        ...write(name ?? symbol),
        // A page that is there, about the company; the fragment tells the articles apart.
        url: `${SEARCH}${encodeURIComponent(name ?? symbol)}#${encodeURIComponent(symbol)}-${day}`,
        source: 'Sample',
        published_at: new Date(published).toISOString(),
        symbols: [symbol],
        sample: true,
      });
    }
  }
  return articles.sort(newestFirst).slice(0, limit);
}
