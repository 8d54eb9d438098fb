import { createHash } from 'node:crypto';
import { cleanArticle } from './clean-article.ts';
import { roundRobinSample } from './round-robin-sample.ts';
import { mergeDuplicates } from './merge-duplicates.ts';
import { findCachedNews, storeNews } from './news-queries.ts';
import type { Article } from '../../domain/market-data-provider.ts';
import { compareNewestFirst } from '../../domain/comparators.ts';
import type { ServiceSql } from '../../../platform/database/roles.ts';
import type { MarketContext } from '../shared/market-context.ts';

const MAX_ARTICLES = 50;
const CALL_TIMEOUT_MS = 6_000;
/** TTL in ms of a copy, and length of a round in which a long list requests the same symbols. */
const ROUND_INTERVAL_MS = 10 * 60_000;
/** Maximum clock skew of a publisher in ms. An article with a later date would precede all news until then. */
const MAX_CLOCK_SKEW_MS = 60 * 60_000;
/** Retention of articles of earlier rounds in ms, equal to the range that providers are queried for. */
const ARTICLE_RETENTION_MS = 7 * 86_400_000;

const createKey = (symbols: readonly string[]): string =>
  createHash('sha256')
    .update([...new Set(symbols)].sort().join(' '))
    .digest('hex');

/** Returns the news of these symbols that were fetched in the last ten minutes. Undefined if there are none. */
export async function readStoredNews(
  sql: ServiceSql,
  symbols: readonly string[],
  limit: number,
): Promise<Article[] | undefined> {
  const cached = await findCachedNews(sql, createKey(symbols));
  return cached?.fresh ? cached.articles.slice(0, limit) : undefined;
}

/**
 * Creates the news service, with a cache of ten minutes for each set of symbols. If no provider is available, returns a
 * stale copy. One call covers as many symbols as the provider supports, with a fair share of each list. Longer lists
 * are requested in rounds, and articles of earlier rounds stay.
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
    await storeNews(sql, key, articles).catch((error: unknown) => logger.warn({ err: error }, 'failed to store news'));
    return articles;
  };

  return async function news(lists: readonly (readonly string[])[], limit: number): Promise<Article[]> {
    if (lists.every((list) => list.length === 0)) return [];
    const key = createKey(lists.flat());
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

/** Merges new articles with old ones about symbols that this round did not cover, newest first. */
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
