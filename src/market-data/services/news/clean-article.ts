import type { Article } from '../../domain/market-data-provider.ts';
import { parseWebUrl, plainText } from '../shared/provider-text.ts';

const MAX_TITLE_LENGTH = 300;
const MAX_SUMMARY_LENGTH = 1_000;

/** Returns the article as plain text with a web URL. Returns undefined if it has no title or no such URL. */
export function cleanArticle(article: Article): Article | undefined {
  const title = plainText(article.title, MAX_TITLE_LENGTH);
  const url = parseWebUrl(article.url);
  const publishedAt = Date.parse(article.published_at);
  if (title === '' || url === undefined || Number.isNaN(publishedAt)) return undefined;
  return {
    ...article,
    title,
    url,
    summary: plainText(article.summary, MAX_SUMMARY_LENGTH),
    source: plainText(article.source, 80),
    published_at: new Date(publishedAt).toISOString(),
  };
}
