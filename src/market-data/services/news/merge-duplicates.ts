import { DAY_MS } from '../../domain/dates.ts';
import type { Article } from '../../domain/market-data-provider.ts';

/** Parameters that identify the origin of a reader and not the page. */
const TRACKING_PARAMETERS = new RegExp(
  '^(utm_.*|guc.*|gclid|gclsrc|dclid|fbclid|msclkid|twclid|yclid|igshid|mc_[ce]id|mkt_tok|_ga|_gl|cmpid|ocid|ncid|' +
    'smid|xtor|\\.?tsrc|soc_(src|trk)|siteid|yptr|taid|mod|ref|ref_?src|source|src|amp|outputtype)$',
  'i',
);

/**
 * Normalizes a URL for comparison only. Removes protocol, `www.`, AMP, tracking parameters, fragment and trailing
 * slash, and sorts the parameters.
 */
function normalizeUrl(address: string): string {
  const url = new URL(address);
  // URLs of AMP caches contain the original page in their path.
  const cached = /^\/(?:amp|c|v)\/(?:s\/)?([a-z0-9-]+(?:\.[a-z0-9-]+)+\/.*)$/i.exec(url.pathname);
  if (cached && /(^|\.)(google\.[a-z.]+|cdn\.ampproject\.org)$/.test(url.hostname))
    return normalizeUrl(`https://${cached[1]}${url.search}`);
  const host = url.host.replace(/^((www\d?|amp|m|mobile)\.)+/, '');
  const path = url.pathname.replace(/^\/amp(?=\/)|\/amp\/?$|\.amp(?=(\.html?)?$)/i, '').replace(/\/+$/, '');
  const rest = [...url.searchParams]
    .filter(([name]) => !TRACKING_PARAMETERS.test(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `${host}${path}?${new URLSearchParams(rest).toString()}`;
}

const normalizeWords = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/**
 * Removes duplicates and keeps the order (newest first). Two articles are equal if they have one URL, or one source and
 * title within a day. The result has the symbols of all copies and the simplest of their URLs.
 */
export function mergeDuplicates(articles: readonly Article[]): Article[] {
  const merged: Article[] = [];
  const byAddress = new Map<string, Article>();
  const byTitle = new Map<string, Article>();
  for (const article of articles) {
    const address = normalizeUrl(article.url);
    const title = `${normalizeWords(article.source)}: ${normalizeWords(article.title)}`;
    const sameTitle = byTitle.get(title);
    // Sample articles share one page and a few titles.
    const duplicate = article.sample
      ? undefined
      : (byAddress.get(address) ?? (sameTitle && isWithinOneDay(sameTitle, article) ? sameTitle : undefined));
    const mergedArticle = duplicate ?? { ...article };
    if (duplicate) {
      duplicate.symbols = [...new Set([...duplicate.symbols, ...article.symbols])];
      duplicate.url = choosePreferredUrl(duplicate.url, article.url);
      duplicate.summary ||= article.summary;
    } else merged.push(mergedArticle);
    byAddress.set(address, mergedArticle);
    byTitle.set(title, mergedArticle);
  }
  return merged;
}

const isWithinOneDay = (a: Article, b: Article): boolean =>
  Math.abs(Date.parse(a.published_at) - Date.parse(b.published_at)) < DAY_MS;

/** Returns the https URL, otherwise the shorter one, because tracking parameters and AMP lengthen a URL. */
function choosePreferredUrl(a: string, b: string): string {
  const isSecure = a.startsWith('https:');
  const isOtherSecure = b.startsWith('https:');
  if (isSecure !== isOtherSecure) return isSecure ? a : b;
  return b.length < a.length ? b : a;
}
