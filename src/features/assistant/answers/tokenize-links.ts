/** A part of a text as a Markdown reader treats it. */
export type MarkdownToken =
  | { kind: 'text'; text: string }
  /** `[label](url)`, `![label](url)`. */
  | { kind: 'link'; text: string; isPicture: boolean; label: string; url: string }
  /** `[name]: url` on a line of its own. */
  | { kind: 'reference' };

/** A part of a text as a browser treats it. */
export type UrlToken = { kind: 'text'; text: string } | { kind: 'url'; url: string };

const MARKDOWN =
  /^\s*\[[^\]\n]+\]:\s*\S+.*$|(?<bang>!?)\[(?<label>[^\]\n]*)\]\(\s*<?(?<url>[^\s)>]*)>?(?:\s+[^)]*)?\)/gm;

export const tokenizeMarkdown = (text: string): MarkdownToken[] =>
  split(text, MARKDOWN, ({ 0: whole, groups: { bang, label, url } = {} }): MarkdownToken[] =>
    label === undefined || url === undefined
      ? [{ kind: 'reference' }]
      : [{ kind: 'link', text: whole, isPicture: bang === '!', label, url }],
  );

/** An address with a scheme, and one that a browser opens without `//`. */
const URL_IN_TEXT =
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s<>"'`|)\]]+|\b(?:javascript|data|vbscript|mailto|file|blob):[^\s)\]]+/gi;
/** The rest of a URL whose scheme came before the text. */
const URL_REST = /^:\/\/[^\s<>"'`|)\]]+/;
/** Punctuation that ends a sentence and no URL. */
const TRAILING = /[.,;:!?*_]+$/;

/** `afterWord`: the text before ends in a word, of which `://` makes a scheme. */
export function tokenizeUrls(text: string, { afterWord }: { afterWord: boolean }): UrlToken[] {
  const [rest = ''] = (afterWord && URL_REST.exec(text)) || [];
  const tokens = split(text.slice(rest.length), URL_IN_TEXT, ({ 0: url }): UrlToken[] => {
    const bare = url.replace(TRAILING, '');
    return [
      { kind: 'url', url: bare },
      { kind: 'text', text: url.slice(bare.length) },
    ];
  });
  return rest === '' ? tokens : [{ kind: 'url', url: rest }, ...tokens];
}

/** Splits a text into what matches, as `toTokens` makes of it, and the text between. */
function split<Token>(
  text: string,
  pattern: RegExp,
  toTokens: (match: RegExpExecArray) => Token[],
): (Token | { kind: 'text'; text: string })[] {
  let at = 0;
  const tokens = [...text.matchAll(pattern)].flatMap((match) => {
    const before = { kind: 'text' as const, text: text.slice(at, match.index) };
    at = match.index + match[0].length;
    return [before, ...toTokens(match)];
  });
  return [...tokens, { kind: 'text', text: text.slice(at) }];
}

const SCHEMES = ['http', 'https', 'ftp', 'javascript', 'data', 'vbscript', 'mailto', 'file', 'blob', 'ws', 'wss'];
/** `[label`, `[label](target` or `[name]: target` at the end of a text. */
const UNFINISHED_BRACKET = /!?\[[^\]\n]*(\]?|\](\([^)\n]*)?|\]:[^\n]*)$/;
const LAST_WORD = /(?<![a-z0-9_])[a-z][a-z0-9+.-]*(?::[^\s<>"'`|()[\]]*)?$/i;
/** The rest of a URL, or its beginning, whose scheme came before the text. */
const UNFINISHED_REST = /^:(?:\/?$|\/\/[^\s<>"'`|)\]]*$)/;

/** The index from which more text may make a link of what is there; the text's length where nothing can. */
export function findUnfinishedLink(text: string, { afterWord }: { afterWord: boolean }): number {
  if (afterWord && UNFINISHED_REST.test(text)) return 0;
  const bracket = text.search(UNFINISHED_BRACKET);
  const word = text.search(LAST_WORD);
  return Math.min(
    bracket < 0 ? text.length : bracket,
    word >= 0 && mayBecomeUrl(text.slice(word).toLowerCase()) ? word : text.length,
  );
}

/** Of "x.java" the last part counts too: a browser reads what follows a point, a plus or a dash as a scheme. */
function mayBecomeUrl(word: string): boolean {
  const beginnings = [word, word.replace(/.*[^a-z0-9]/s, '')].filter((part) => part !== '');
  return word.includes(':') || SCHEMES.some((scheme) => beginnings.some((part) => scheme.startsWith(part)));
}

const MAX_SCHEME_LENGTH = 64;

/** Whether a text ends in a word of which `://` behind it makes a scheme. */
export const endsInWord = (text: string): boolean => /[a-z][a-z0-9+.-]*$/i.test(text.slice(-MAX_SCHEME_LENGTH));
