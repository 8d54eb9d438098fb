import type { MarketDataService } from '../../../market-data/services/market-data-service.ts';
import type { Article } from '../../../market-data/domain/market-data-provider.ts';
import type { NewsResponse } from './contract.ts';

/**
 * Returns the latest news about held and watched symbols, newest first, without duplicates, and only with http or https
 * links.
 */
export async function listNews(
  market: Pick<MarketDataService, 'news'>,
  { held, watched, limit }: { held: readonly string[]; watched: readonly string[]; limit: number },
): Promise<NewsResponse> {
  return toNews(await market.news([held, watched], limit), { held, watched, limit });
}

/** Returns the articles with the held and watched symbols that they are about. Omits other links than http and https. */
export function toNews(
  allArticles: readonly Article[],
  { held, watched, limit }: { held: readonly string[]; watched: readonly string[]; limit: number },
): NewsResponse {
  const heldSet = new Set(held);
  const watchedSet = new Set(watched);
  const foundArticles = allArticles.filter(({ url }) => isWebLink(url));
  const articles = foundArticles.slice(0, limit).map(({ sample: _, ...article }) => {
    const relatedHeld = article.symbols.filter((symbol) => heldSet.has(symbol));
    const relatedWatched = article.symbols.filter((symbol) => watchedSet.has(symbol));
    return {
      ...article,
      related_held: relatedHeld,
      related_watched: relatedWatched,
      from_watchlist: relatedHeld.length === 0 && relatedWatched.length > 0,
    };
  });
  return { articles, sample_data: foundArticles.some(({ sample }) => sample) };
}

/** A link of another scheme (`javascript:`, `data:`) would run in the member's browser. */
function isWebLink(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
