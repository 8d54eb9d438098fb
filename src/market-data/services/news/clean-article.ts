import { decodeHTMLStrict } from 'entities/decode';
import type { Article } from '../../domain/market-data-provider.ts';

const MAX_TITLE_LENGTH = 300;
const MAX_SUMMARY_LENGTH = 1_000;

/** The article with text alone and a web address, or nothing where it has neither title nor such an address. */
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

/** Characters that are not seen and part nothing: soft hyphens, word joiners, tags. */
const INVISIBLE = /[\u00ad\u2060\u{e0000}-\u{e007f}]/gu;
/** Control, direction and other format characters; not what joins two emoji into one. */
const HIDDEN =
  /(?!(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d\p{Extended_Pictographic})[\p{Cc}\p{Cf}]/gu;

/** A provider's text as it is seen, on one line: what hides in it could reverse or forge the text beside it. */
export const toVisibleText = (text: string): string =>
  text.toWellFormed().replace(INVISIBLE, '').replace(HIDDEN, ' ').replace(/\s+/g, ' ').trim();

/** Text with its HTML entities read; twice, since feeds encode what is encoded already (`&amp;amp;`). */
export const decodeEntities = (text: string): string => decodeHTMLStrict(decodeHTMLStrict(text));

const SCRIPT = /<(script|style)\b[^]*?(<\/\1\s*>|$)/gi;
const COMMENT = /<!--[^]*?(-->|$)/g;
/** A tag, also one that the end of the text cuts off. */
const TAG = /<\/?[a-z][^<>]*(>|$)/gi;
/** A tag that was written in entities: stricter, since "EPS &lt;consensus" is text. */
const ENCODED_TAG = /<\/?[a-z][a-z0-9]*(\s+[a-z-]+=[^<>]*|\s*\/?)>/gi;

/**
 * The text of HTML, without tags, entities and hidden characters, of at most `most` UTF-16 units. What remains may
 * still look like markup, so a screen must treat it as text.
 */
export function plainText(html: string, maxLength: number): string {
  const raw = html.slice(0, 20 * maxLength).toWellFormed();
  const text = decodeEntities(raw.replace(SCRIPT, ' ').replace(COMMENT, ' ').replace(TAG, ' '));
  return truncate(toVisibleText(text.replace(SCRIPT, ' ').replace(COMMENT, ' ').replace(ENCODED_TAG, ' ')), maxLength);
}

/** At most so many UTF-16 units, without half a character at the end, which no column of ours can hold. */
export const truncate = (text: string, maxLength: number): string =>
  text.slice(0, maxLength).replace(/\u200d?[\ud800-\udbff]?$/, '');

/** The address where it is http or https and carries no user name or password. */
export function parseWebUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isWeb && url.username === '' && url.password === '' && url.href.length <= 2_000 ? url.href : undefined;
}
