import { createHash } from 'node:crypto';
import { cleanArticle } from './clean-article.ts';
import { fairShare } from './fair-share.ts';
import { mergeRepeats } from './merge-repeats.ts';
import { cachedNews, keepNews } from './news-queries.ts';
import type { Article } from '../../domain/market-data-provider.ts';
import { newestFirst } from '../../domain/sort-order.ts';
import type { MarketContext } from '../shared/market-context.ts';

const MOST_ARTICLES = 50;
const CALL_MS = 6_000;
/** How long a copy is fresh, and how long a round asks for the same symbols of a long list. */
const ROUND_MS = 10 * 60_000;
/** A publisher's clock may be fast by so much; what is dated later would stand above all news until its day. */
const AHEAD_MS = 60 * 60_000;
/** Articles of earlier rounds stay this long: as far back as the providers are asked. */
const KEEP_MS = 7 * 86_400_000;

/**
 * News with a cache of ten minutes for each set of symbols; a stale copy where no provider can be asked. One call is
 * about as many symbols as the provider takes, a fair share of each list; longer lists are asked for in rounds, and
 * what earlier rounds found stays.
 */
export function createNews({ sql, providers, logger, now, singleFlight }: MarketContext) {
  const isOut = ({ published_at: at }: Article): boolean => Date.parse(at) <= now().getTime() + AHEAD_MS;

  const fetchNews = async (
    key: string,
    lists: readonly (readonly string[])[],
    old: readonly Article[],
  ): Promise<Article[]> => {
    const round = Math.floor(now().getTime() / ROUND_MS);
    let asked: string[] = [];
    const answer = await providers.call('news', (provider) => {
      asked = fairShare(lists, provider.newsSymbols, round);
      return provider.news(asked, MOST_ARTICLES, AbortSignal.timeout(CALL_MS));
    });
    if (!answer.ok) return [...old];
    const found = answer.value.map(cleanArticle).filter((article) => article !== undefined);
    const articles = joinArticles(
      found.filter(isOut),
      old.filter(isOut),
      answer.rest ? [] : asked,
      new Date(now().getTime() - KEEP_MS).toISOString(),
    );
    await keepNews(sql, key, articles).catch((error: unknown) => logger.warn({ err: error }, 'news were not kept'));
    return articles;
  };

  return async function news(lists: readonly (readonly string[])[], limit: number): Promise<Article[]> {
    const all = [...new Set(lists.flat())].sort();
    if (all.length === 0) return [];
    const key = createHash('sha256').update(all.join(' ')).digest('hex');
    const cached = await cachedNews(sql, key);
    if (cached?.fresh) return cached.articles.slice(0, limit);
    const articles = await singleFlight({
      key: `news:${key}`,
      call: () => fetchNews(key, lists, cached?.articles ?? []),
      found: async () => {
        const kept = await cachedNews(sql, key);
        return kept?.fresh ? kept.articles : undefined;
      },
    });
    return articles.slice(0, limit);
  };
}

/** What was found now, and of the old what is about symbols of which this time nothing is known; newest first. */
function joinArticles(
  found: readonly Article[],
  old: readonly Article[],
  asked: readonly string[],
  since: string,
): Article[] {
  const again = new Set(asked);
  const kept = old.filter(
    ({ symbols, published_at: at }) => at >= since && !symbols.some((symbol) => again.has(symbol)),
  );
  return mergeRepeats([...found, ...kept].sort(newestFirst)).slice(0, MOST_ARTICLES);
}
