import { DAY_MS } from '../../domain/dates.ts';
import type { Article } from '../../domain/market-data-provider.ts';

/** Parameters that say where a reader came from, not what is read. */
const TRACKING_PARAMETERS = new RegExp(
  '^(utm_.*|guc.*|gclid|gclsrc|dclid|fbclid|msclkid|twclid|yclid|igshid|mc_[ce]id|mkt_tok|_ga|_gl|cmpid|ocid|ncid|' +
    'smid|xtor|\\.?tsrc|soc_(src|trk)|siteid|yptr|taid|mod|ref|ref_?src|source|src|amp|outputtype)$',
  'i',
);

/**
 * An address without what does not change the article behind it: protocol, `www.`, AMP, tracking parameters, their
 * order, fragment and the slash at the end. For comparison alone.
 */
function normaliseUrl(address: string): string {
  const url = new URL(address);
  // Caches of AMP pages name the page itself in their path.
  const cached = /^\/(?:amp|c|v)\/(?:s\/)?([a-z0-9-]+(?:\.[a-z0-9-]+)+\/.*)$/i.exec(url.pathname);
  if (cached && /(^|\.)(google\.[a-z.]+|cdn\.ampproject\.org)$/.test(url.hostname))
    return normaliseUrl(`https://${cached[1]}${url.search}`);
  const host = url.host.replace(/^((www\d?|amp|m|mobile)\.)+/, '');
  const path = url.pathname.replace(/^\/amp(?=\/)|\/amp\/?$|\.amp(?=(\.html?)?$)/i, '').replace(/\/+$/, '');
  const rest = [...url.searchParams]
    .filter(([name]) => !TRACKING_PARAMETERS.test(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `${host}${path}?${new URLSearchParams(rest).toString()}`;
}

const normaliseWords = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/**
 * Each article once, in the order given (newest first). The same one is at the same address, or has the title of
 * another of its source within a day. It is about the symbols of all its copies, at the plainest of their addresses.
 */
export function mergeDuplicates(articles: readonly Article[]): Article[] {
  const merged: Article[] = [];
  const byAddress = new Map<string, Article>();
  const byTitle = new Map<string, Article>();
  for (const article of articles) {
    const address = normaliseUrl(article.url);
    const title = `${normaliseWords(article.source)}: ${normaliseWords(article.title)}`;
    const sameTitle = byTitle.get(title);
    // Sample articles share one address and a few titles.
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

/** The encrypted address, else the shorter one: tracking parameters and AMP make it longer. */
function choosePreferredUrl(a: string, b: string): string {
  const [isSecure, isOtherSecure] = [a.startsWith('https:'), b.startsWith('https:')];
  if (isSecure !== isOtherSecure) return isSecure ? a : b;
  return b.length < a.length ? b : a;
}
