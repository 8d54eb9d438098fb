/** A part of a text as a Markdown reader treats it. */
export type MarkdownToken =
  | { kind: 'text'; text: string }
  /** `[label](url)`, `![label](url)`, `](url)`. */
  | { kind: 'link'; text: string; isImage: boolean; label: string; url: string }
  /** `[name]: url` on a line of its own. */
  | { kind: 'reference' };

/** A part of a text as a browser treats it. */
export type UrlToken = { kind: 'text'; text: string } | { kind: 'url'; url: string };

/** The text in brackets up to its end: neither an unescaped bracket nor a blank line ends up in it. */
const LABEL = String.raw`(?:\\(?:[^]|(?![^]))|[^\]\\\n]|\n(?![ \t]*\n))*`;
const TARGET = String.raw`\]\(\s*(?<target>[^\s)]*)(?:\s[^)]*)?\)`;
/** A reference may stand in a quotation or list, and its URL on the line below. */
const REFERENCE = String.raw`^[ \t>*+.)\d-]*\[(?!\])${LABEL}\]:[ \t\r]*\n?[ \t\r]*\S+.*$`;
/** `](url)` alone belongs to a label that holds brackets itself, or was let through before. */
const MARKDOWN = new RegExp(`${REFERENCE}|(?:(?<bang>!?)\\[(?<label>${LABEL}))?${TARGET}`, 'gm');

export const tokenizeMarkdown = (text: string): MarkdownToken[] =>
  splitByPattern(text, MARKDOWN, ({ 0: match, groups: { bang, label, target } = {} }): MarkdownToken[] =>
    target === undefined
      ? [{ kind: 'reference' }]
      : [
          {
            kind: 'link',
            text: match,
            isImage: bang === '!',
            label: label ?? ']',
            url: target.replace(/^<(.*)>$/, '$1'),
          },
        ],
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
  const tokens = splitByPattern(text.slice(rest.length), URL_IN_TEXT, ({ 0: url }): UrlToken[] => {
    const cleanUrl = url.replace(TRAILING, '');
    return [
      { kind: 'url', url: cleanUrl },
      { kind: 'text', text: url.slice(cleanUrl.length) },
    ];
  });
  return rest === '' ? tokens : [{ kind: 'url', url: rest }, ...tokens];
}

/** Splits a text into what matches, as `toTokens` makes of it, and the text between. */
function splitByPattern<Token>(
  text: string,
  pattern: RegExp,
  toTokens: (match: RegExpExecArray) => Token[],
): (Token | { kind: 'text'; text: string })[] {
  let position = 0;
  const tokens = [...text.matchAll(pattern)].flatMap((match) => {
    const before = { kind: 'text' as const, text: text.slice(position, match.index) };
    position = match.index + match[0].length;
    return [before, ...toTokens(match)];
  });
  return [...tokens, { kind: 'text', text: text.slice(position) }];
}

const SCHEMES = ['http', 'https', 'ftp', 'javascript', 'data', 'vbscript', 'mailto', 'file', 'blob', 'ws', 'wss'];
const UNFINISHED_TARGET = String.raw`\]\((?:[^)\n]|\n(?![ \t]*\n))*$`;
/** `!`, `[label`, `[label](target`, `](target` or `[name]: target` at the end of a text. */
const UNFINISHED_BRACKET = new RegExp(
  String.raw`!?\[${LABEL}(?:$|\]:[ \t\r]*\n?[^\n]*$)|(?:!?\[${LABEL})?(?:\]$|${UNFINISHED_TARGET})|!$`,
);
const UNFINISHED_LINK = new RegExp(UNFINISHED_TARGET);
const LAST_WORD = /(?<![a-z0-9_])[a-z][a-z0-9+.-]*(?::[^\s<>"'`|()[\]]*)?$/i;
/** The rest of a URL, or its beginning, whose scheme came before the text. */
const UNFINISHED_REST = /^:(?:\/?$|\/\/[^\s<>"'`|)\]]*$)/;

/** The index from which more text may make a link of what is there; the text's length where nothing can. */
export function findUnfinishedLink(text: string, { afterWord }: { afterWord: boolean }): number {
  if (afterWord && UNFINISHED_REST.test(text)) return 0;
  const word = text.search(LAST_WORD);
  return Math.min(
    findUnfinishedBracket(text),
    word >= 0 && canBecomeUrl(text.slice(word).toLowerCase()) ? word : text.length,
  );
}

function findUnfinishedBracket(text: string): number {
  const bracket = text.search(UNFINISHED_BRACKET);
  if (bracket < 0) return text.length;
  if (!text.includes(')', bracket)) return bracket;
  // A whole link around the bracket must not be cut in two.
  for (const { 0: link, index, groups } of text.matchAll(MARKDOWN)) {
    const end = index + link.length;
    if (groups?.['target'] !== undefined && index < bracket && bracket < end)
      return end + findUnfinishedBracket(text.slice(end));
  }
  return bracket;
}

/** A text without the target of a link that is unfinished at its end; `undefined` where there is none. */
export function removeUnfinishedLink(text: string): string | undefined {
  const target = text.search(UNFINISHED_LINK);
  return target < 0 ? undefined : text.slice(0, target + 1);
}

/** Of "x.java" the last part counts too: a browser reads what follows a point, a plus or a dash as a scheme. */
function canBecomeUrl(word: string): boolean {
  const candidates = [word, word.replace(/.*[^a-z0-9]/s, '')].filter((part) => part !== '');
  return word.includes(':') || SCHEMES.some((scheme) => candidates.some((part) => scheme.startsWith(part)));
}

const MAX_SCHEME_LENGTH = 64;

/** Whether a text ends in a word of which `://` behind it makes a scheme. */
export const endsInWord = (text: string): boolean => /[a-z][a-z0-9+.-]*$/i.test(text.slice(-MAX_SCHEME_LENGTH));
