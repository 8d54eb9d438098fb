import { decodeHTMLStrict } from 'entities/decode';

/** Invisible characters that separate nothing: soft hyphens, word joiners, tags. */
const INVISIBLE = /[\u00ad\u2060\u{e0000}-\u{e007f}]/gu;
/** Control, direction and other format characters, except the joiner of emoji. */
const HIDDEN =
  /(?!(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d\p{Extended_Pictographic})[\p{Cc}\p{Cf}]/gu;

/**
 * Returns a provider's text as it is displayed, on one line. Hidden characters could reverse or forge the text beside
 * it.
 */
export const toVisibleText = (text: string): string =>
  text.toWellFormed().replace(INVISIBLE, '').replace(HIDDEN, ' ').replace(/\s+/g, ' ').trim();

/** Decodes HTML entities twice, since feeds encode text that is encoded already (`&amp;amp;`). */
export const decodeEntities = (text: string): string => decodeHTMLStrict(decodeHTMLStrict(text));

const SCRIPT = /<(script|style)\b[^]*?(<\/\1\s*>|$)/gi;
const COMMENT = /<!--[^]*?(-->|$)/g;
/** A tag, also one that the end of the text truncates. */
const TAG = /<\/?[a-z][^<>]*(>|$)/gi;
/** A tag that was written as entities. The pattern is stricter, since "EPS &lt;consensus" is text. */
const ENCODED_TAG = /<\/?[a-z][a-z0-9]*(\s+[a-z-]+=[^<>]*|\s*\/?)>/gi;

/**
 * Returns the text of HTML without tags, entities and hidden characters, with at most `maxLength` UTF-16 units. The
 * result may still resemble markup, so screens must treat it as text.
 */
export function plainText(html: string, maxLength: number): string {
  const raw = html.slice(0, 20 * maxLength).toWellFormed();
  const text = decodeEntities(raw.replace(SCRIPT, ' ').replace(COMMENT, ' ').replace(TAG, ' '));
  return truncate(toVisibleText(text.replace(SCRIPT, ' ').replace(COMMENT, ' ').replace(ENCODED_TAG, ' ')), maxLength);
}

/** Truncates to `maxLength` UTF-16 units without a lone surrogate at the end, which no column can store. */
export const truncate = (text: string, maxLength: number): string =>
  text.slice(0, maxLength).replace(/\u200d?[\ud800-\udbff]?$/, '');

/** Returns the URL if it is http or https and has no user name or password. */
export function parseWebUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isWeb && url.username === '' && url.password === '' && url.href.length <= 2_000 ? url.href : undefined;
}
