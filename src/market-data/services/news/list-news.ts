import { createHash } from 'node:crypto';
import { cleanArticle } from './clean-article.ts';
import { roundRobinSample } from './round-robin-sample.ts';
import { mergeDuplicates } from './merge-duplicates.ts';
import { findCachedNews, storeNews } from './news-queries.ts';
import type { Article } from '../../domain/market-data-provider.ts';
import { compareNewestFirst } from '../../domain/comparators.ts';
import type { MarketContext } from '../shared/market-context.ts';

const MAX_ARTICLES = 50;
const CALL_TIMEOUT_MS = 6_000;
/** How long a copy is fresh, and how long a round asks for the same symbols of a long list. */
const ROUND_INTERVAL_MS = 10 * 60_000;
/** A publisher's clock may be fast by so much; what is dated later would stand above all news until its day. */
const MAX_CLOCK_SKEW_MS = 60 * 60_000;
/** Articles of earlier rounds stay this long: as far back as the providers are asked. */
const ARTICLE_RETENTION_MS = 7 * 86_400_000;

/**
 * News with a cache of ten minutes for each set of symbols; a stale copy where no provider can be asked. One call is
 * about as many symbols as the provider takes, a fair share of each list; longer lists are asked for in rounds, and
 * what earlier rounds found stays.
 */
export function createNews({ sql, providers, logger, now, singleFlight }: MarketContext) {
  const isPublished = ({ published_at: at }: Article): boolean => Date.parse(at) <= now().getTime() + MAX_CLOCK_SKEW_MS;

  const fetchNews = async (
    key: string,
    lists: readonly (readonly string[])[],
    previous: readonly Article[],
  ): Promise<Article[]> => {
    const round = Math.floor(now().getTime() / ROUND_INTERVAL_MS);
    let requested: string[] = [];
    const answer = await providers.call('news', (provider) => {
      requested = roundRobinSample(lists, provider.maxNewsSymbols, round);
      return provider.news(requested, MAX_ARTICLES, AbortSignal.timeout(CALL_TIMEOUT_MS));
    });
    if (!answer.ok) return [...previous];
    const found = answer.value.map(cleanArticle).filter((article) => article !== undefined);
    const articles = mergeArticles(
      found.filter(isPublished),
      previous.filter(isPublished),
      answer.stoppedBy ? [] : requested,
      new Date(now().getTime() - ARTICLE_RETENTION_MS).toISOString(),
    );
    await storeNews(sql, key, articles).catch((error: unknown) => logger.warn({ err: error }, 'news were not kept'));
    return articles;
  };

  return async function news(lists: readonly (readonly string[])[], limit: number): Promise<Article[]> {
    const all = [...new Set(lists.flat())].sort();
    if (all.length === 0) return [];
    const key = createHash('sha256').update(all.join(' ')).digest('hex');
    const cached = await findCachedNews(sql, key);
    if (cached?.fresh) return cached.articles.slice(0, limit);
    const articles = await singleFlight({
      key: `news:${key}`,
      call: () => fetchNews(key, lists, cached?.articles ?? []),
      readStored: async () => {
        const storedNews = await findCachedNews(sql, key);
        return storedNews?.fresh ? storedNews.articles : undefined;
      },
    });
    return articles.slice(0, limit);
  };
}

/** What was found now, and of the old what is about symbols of which this time nothing is known; newest first. */
function mergeArticles(
  found: readonly Article[],
  previous: readonly Article[],
  requested: readonly string[],
  since: string,
): Article[] {
  const requestedSet = new Set(requested);
  const retained = previous.filter(
    ({ symbols, published_at: at }) => at >= since && !symbols.some((symbol) => requestedSet.has(symbol)),
  );
  return mergeDuplicates([...found, ...retained].sort(compareNewestFirst)).slice(0, MAX_ARTICLES);
}
