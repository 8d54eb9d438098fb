/** Said in the place of a link. */
const REMOVED = '(link removed)';
/** A longer "link" is no link; it goes through in pieces, each of them filtered. */
const LONGEST = 2_000;

/** An address with a scheme, one that a browser would complete, and the target of a Markdown link or picture. */
const LINK = /\b[a-z][a-z0-9+.-]*:\/\/[^\s<>"'`|)\]]+|\b(?:javascript|data|vbscript|mailto|file|blob):[^\s)\]]+/gi;
const TARGET = /(!?)\[([^\]\n]*)\]\(\s*<?([^\s)>]*)>?(?:\s+[^)]*)?\)/g;
/** What is left of an address whose scheme went through as a word, and what may become that. */
const REST = /^:\/\/[^\s<>"'`|)\]]+/;
const BEGUN_REST = /^:(?:\/?$|\/\/[^\s<>"'`|)\]]*$)/;
const LONGEST_SCHEME = 64;
const REFERENCE = /^\s*\[[^\]\n]+\]:\s*\S+.*$/gm;

/**
 * Lets a text through as it comes, without the links that no tool has returned. What may be the beginning of a link is
 * delayed until it is whole.
 */
export function createLinkFilter(isAllowed: (url: string) => boolean) {
  let held = '';
  let removed = 0;
  /** Whether what went through ends in a word that "://" would make a scheme. */
  let isBehindWord = false;
  const drop = (): string => {
    removed += 1;
    return REMOVED;
  };
  const clean = (text: string): string =>
    (isBehindWord ? text.replace(REST, drop) : text)
      .replace(REFERENCE, drop)
      .replace(TARGET, (whole, picture: string, title: string, url: string) => {
        if (picture === '' && isAllowed(url)) return whole;
        removed += 1;
        return title ? `${title} ${REMOVED}` : REMOVED;
      })
      .replace(LINK, (url) => {
        const bare = url.replace(/[.,;:!?*_]+$/, '');
        return isAllowed(bare) ? url : drop() + url.slice(bare.length);
      });
  const letThrough = (text: string): string => {
    const cleaned = clean(text);
    if (cleaned !== '') isBehindWord = /[a-z][a-z0-9+.-]*$/i.test(cleaned.slice(-LONGEST_SCHEME));
    return cleaned;
  };
  return {
    get removed(): number {
      return removed;
    },
    push(text: string): string {
      held += text;
      const from = isBehindWord && BEGUN_REST.test(held) ? 0 : firstOpen(held);
      if (held.length - from > LONGEST) return this.end();
      const ready = letThrough(held.slice(0, from));
      held = held.slice(from);
      return ready;
    },
    /** The rest, at the end of the text. */
    end(): string {
      const rest = letThrough(held);
      held = '';
      return rest;
    },
  };
}

/** Where that begins of which nobody knows yet whether it is a link: an open bracket, or a word that may be one. */
function firstOpen(text: string): number {
  const bracket = text.search(/!?\[[^\]\n]*(\]?|\](\([^)\n]*)?|\]:[^\n]*)$/);
  const word = text.search(/(?<![a-z0-9_])[a-z][a-z0-9+.-]*(?::[^\s<>"'`|()[\]]*)?$/i);
  const tail = word < 0 ? '' : text.slice(word).toLowerCase();
  // Of "x.java" the last part counts too: a browser reads what stands behind a point, a plus or a dash as a scheme.
  const begins = [tail, tail.replace(/.*[^a-z0-9]/s, '')].filter(Boolean);
  const mayBeLink = tail.includes(':') || SCHEMES.some((scheme) => begins.some((begin) => scheme.startsWith(begin)));
  const open = [bracket, mayBeLink ? word : -1].filter((at) => at >= 0);
  return Math.min(text.length, ...open);
}

const SCHEMES = ['http', 'https', 'ftp', 'javascript', 'data', 'vbscript', 'mailto', 'file', 'blob', 'ws', 'wss'];
