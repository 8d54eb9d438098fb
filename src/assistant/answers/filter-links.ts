/**
 * Lets a text through as it comes, without the links that no tool has returned. What may be the beginning of a link is
 * delayed until it is whole.
 */
interface LinkFilter {
  push(text: string): string;
  /** The rest, at the end of the text. */
  end(): string;
  readonly removed: number;
}

/** Said in the place of a link. */
const REMOVED = '(link removed)';
/** A longer "link" is no link; it goes through in pieces, each of them filtered. */
const LONGEST = 2_000;

/** An address with a scheme, one that a browser would complete, and the target of a Markdown link or picture. */
const LINK = /\b[a-z][a-z0-9+.-]*:\/\/[^\s<>"'`|)\]]+|\b(?:javascript|data|vbscript|mailto|file|blob):[^\s)\]]+/gi;
const TARGET = /(!?)\[([^\]\n]*)\]\(\s*<?([^\s)>]*)>?(?:\s+[^)]*)?\)/g;
const REFERENCE = /^\s*\[[^\]\n]+\]:\s*\S+.*$/gm;

export function createLinkFilter(isAllowed: (url: string) => boolean): LinkFilter {
  let held = '';
  let removed = 0;
  const drop = (): string => {
    removed += 1;
    return REMOVED;
  };
  const clean = (text: string): string =>
    text
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
  return {
    get removed() {
      return removed;
    },
    push(text) {
      held += text;
      const from = firstOpen(held);
      if (held.length - from > LONGEST) return this.end();
      const ready = clean(held.slice(0, from));
      held = held.slice(from);
      return ready;
    },
    end() {
      const rest = clean(held);
      held = '';
      return rest;
    },
  };
}

/** Where that begins of which nobody knows yet whether it is a link: an open bracket, or a word that may be one. */
function firstOpen(text: string): number {
  const bracket = text.search(/!?\[[^\]\n]*(\]?|\](\([^)\n]*)?|\]:[^\n]*)$/);
  const word = text.search(/[^\s<>"'`|()[\]]*$/);
  const tail = text.slice(word);
  const isBegun = tail.includes(':') || SCHEMES.some((scheme) => scheme.startsWith(tail.toLowerCase()));
  const mayBeLink = isBegun && /^[a-z][a-z0-9+.-]*(:.*)?$/i.test(tail);
  const open = [bracket, mayBeLink ? word : -1].filter((at) => at >= 0);
  return Math.min(text.length, ...open);
}

const SCHEMES = ['http', 'https', 'ftp', 'javascript', 'data', 'vbscript', 'mailto', 'file', 'blob', 'ws', 'wss'];
