import type { Article } from '../providers/port.ts';

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

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
};

/** Characters that are not seen and part nothing: soft hyphens, word joiners, tags. */
const SEAMLESS = /[\u00ad\u2060\u{e0000}-\u{e007f}]/gu;
/** Control, direction and other format characters; not what joins two emoji into one. */
const HIDDEN =
  /(?!(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d\p{Extended_Pictographic})[\p{Cc}\p{Cf}]/gu;

/** A provider's text as it is seen, on one line: what hides in it could reverse or forge the text beside it. */
export const visibleText = (text: string): string =>
  text.toWellFormed().replace(SEAMLESS, '').replace(HIDDEN, ' ').replace(/\s+/g, ' ').trim();

/**
 * Text without tags, entities and hidden characters. Entities are read once and after the tags, so that what they
 * spell stays text; a screen must still treat it as text.
 */
export function plainText(html: string, most: number): string {
  const text = html
    .slice(0, 20 * most)
    .toWellFormed()
    .replace(/<(script|style)\b[^]*?(<\/\1\s*>|$)/gi, ' ')
    .replace(/<!--[^]*?(-->|$)/g, ' ')
    .replace(/<\/?[a-z][^<>]*(>|$)/gi, ' ')
    .replace(/&(#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z]{2,8});/gi, (whole, name: string) => entity(name) ?? whole);
  return cut(visibleText(text), most);
}

/** At most so many UTF-16 units, without half a character at the end, which no column of ours can hold. */
export const cut = (text: string, most: number): string => text.slice(0, most).replace(/\u200d?[\ud800-\udbff]?$/, '');

function entity(name: string): string | undefined {
  if (!name.startsWith('#')) return named[name.toLowerCase()];
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : '';
}

/** The address where it is http or https and carries no user name or password. */
export function webAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isWeb && url.username === '' && url.password === '' && url.href.length <= 2_000 ? url.href : undefined;
}
