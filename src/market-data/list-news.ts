import { createHash } from 'node:crypto';
import type { ServiceSql } from '../database/roles.ts';
import type { Asking } from './ask-providers.ts';
import { keepNews, cachedNews } from './news-queries.ts';
import { cleanArticle } from './clean-article.ts';
import type { Article } from './port.ts';

/** Symbols that one question may hold; a longer list is cut, since an article list of 250 companies is nobody's reading. */
const MOST_SYMBOLS = 20;
const MOST_ARTICLES = 50;
const CALL_MS = 6_000;

/** News with a cache of ten minutes for each set of symbols; an old copy where nobody can be asked. */
export function createNews({ sql, asking }: { sql: ServiceSql; asking: Asking }) {
  const underWay = new Map<string, Promise<Article[]>>();

  const fetchNews = async (key: string, symbols: readonly string[], old: Article[]): Promise<Article[]> => {
    const answer = await asking.ask('news', (provider) => provider.news(symbols, MOST_ARTICLES, AbortSignal.timeout(CALL_MS)));
    if (!answer.ok) return old;
    const articles = answer.value.map(cleanArticle).filter((article) => article !== undefined);
    await keepNews(sql, key, articles);
    return articles;
  };

  return async function news(symbols: readonly string[], limit: number): Promise<Article[]> {
    const asked = [...new Set(symbols)].slice(0, MOST_SYMBOLS).sort();
    if (asked.length === 0) return [];
    const key = createHash('sha256').update(asked.join(' ')).digest('hex');
    const cached = await cachedNews(sql, key);
    if (cached?.fresh) return cached.articles.slice(0, limit);
    let fetching = underWay.get(key);
    if (!fetching) {
      fetching = fetchNews(key, asked, cached?.articles ?? []).finally(() => underWay.delete(key));
      underWay.set(key, fetching);
    }
    return (await fetching).slice(0, limit);
  };
}
