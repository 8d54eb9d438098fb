import { decodeHTMLStrict } from 'entities/decode';
import type { Article } from '../../domain/market-data-provider.ts';

const TITLE_MOST = 300;
const SUMMARY_MOST = 1_000;

/** The article with text alone and a web address, or nothing where it has neither title nor such an address. */
export function cleanArticle(article: Article): Article | undefined {
  const title = plainText(article.title, TITLE_MOST);
  const url = webAddress(article.url);
  const published = Date.parse(article.published_at);
  if (title === '' || url === undefined || Number.isNaN(published)) return undefined;
  return {
    ...article,
    title,
    url,
    summary: plainText(article.summary, SUMMARY_MOST),
    source: plainText(article.source, 80),
    published_at: new Date(published).toISOString(),
  };
}

/** Characters that are not seen and part nothing: soft hyphens, word joiners, tags. */
const SEAMLESS = /[\u00ad\u2060\u{e0000}-\u{e007f}]/gu;
/** Control, direction and other format characters; not what joins two emoji into one. */
const HIDDEN =
  /(?!(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d\p{Extended_Pictographic})[\p{Cc}\p{Cf}]/gu;

/** A provider's text as it is seen, on one line: what hides in it could reverse or forge the text beside it. */
export const visibleText = (text: string): string =>
  text.toWellFormed().replace(SEAMLESS, '').replace(HIDDEN, ' ').replace(/\s+/g, ' ').trim();

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
export function plainText(html: string, most: number): string {
  const raw = html.slice(0, 20 * most).toWellFormed();
  const text = decodeEntities(raw.replace(SCRIPT, ' ').replace(COMMENT, ' ').replace(TAG, ' '));
  return cut(visibleText(text.replace(SCRIPT, ' ').replace(COMMENT, ' ').replace(ENCODED_TAG, ' ')), most);
}

/** At most so many UTF-16 units, without half a character at the end, which no column of ours can hold. */
export const cut = (text: string, most: number): string => text.slice(0, most).replace(/\u200d?[\ud800-\udbff]?$/, '');

/** The address where it is http or https and carries no user name or password. */
export function webAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isWeb && url.username === '' && url.password === '' && url.href.length <= 2_000 ? url.href : undefined;
}
