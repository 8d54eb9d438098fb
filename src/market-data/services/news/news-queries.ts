import type { ServiceSql } from '../../../platform/database/roles.ts';
import type { Article } from '../../domain/market-data-provider.ts';

/** Returns the cached news of a set of symbols. `fresh` is true for ten minutes. */
export async function findCachedNews(
  sql: ServiceSql,
  key: string,
): Promise<{ articles: Article[]; fresh: boolean } | undefined> {
  const [row] = await sql.query<{ articles: Article[]; fresh: boolean }>(
    `select articles, fetched_at > now() - interval '10 minutes' as fresh from market.news_cache
     where symbols_key = $1`,
    [key],
  );
  return row;
}

export async function storeNews(sql: ServiceSql, key: string, articles: readonly Article[]): Promise<void> {
  await sql.query(
    `insert into market.news_cache (symbols_key, articles, fetched_at) values ($1, $2::jsonb, now())
     on conflict (symbols_key) do update set articles = excluded.articles, fetched_at = excluded.fetched_at`,
    [key, JSON.stringify(articles)],
  );
}

/** Deletes cached news of sets of symbols that were not requested since yesterday. */
export async function purgeExpiredNews(sql: ServiceSql): Promise<void> {
  await sql.query(`delete from market.news_cache where fetched_at < now() - interval '1 day'`);
}
