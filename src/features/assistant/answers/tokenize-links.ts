/** A part of a text as a Markdown parser reads it. */
export type MarkdownToken =
  | { kind: 'text'; text: string }
  /** `[label](url)`, `![label](url)` or `](url)`. */
  | { kind: 'link'; text: string; isImage: boolean; label: string; url: string }
  /** `[name]: url` on a line of its own. */
  | { kind: 'reference' };

/** A part of a text as a browser reads it. */
export type UrlToken = { kind: 'text'; text: string } | { kind: 'url'; url: string };

/** Matches the text in brackets up to its end. It contains no unescaped bracket and no blank line. */
const LABEL = String.raw`(?:\\(?:[^]|(?![^]))|[^\]\\\n]|\n(?![ \t]*\n))*`;
const TARGET = String.raw`\]\(\s*(?<target>[^\s)]*)(?:\s[^)]*)?\)`;
/** Matches a reference definition. It may be inside a quotation or list, with its URL on the next line. */
const REFERENCE = String.raw`^[ \t>*+.)\d-]*\[(?!\])${LABEL}\]:[ \t\r]*\n?[ \t\r]*\S+.*$`;
/** A `](url)` without a label belongs to a label that contains brackets, or to a label that was already emitted. */
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

/** Matches a URL with a scheme, and a URL that a browser opens without `//`. */
const URL_IN_TEXT =
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s<>"'`|)\]]+|\b(?:javascript|data|vbscript|mailto|file|blob):[^\s)\]]+/gi;
/** Matches the rest of a URL whose scheme was already emitted. */
const URL_REST = /^:\/\/[^\s<>"'`|)\]]+/;
/** Punctuation that ends a sentence and does not belong to the URL. */
const TRAILING = /[.,;:!?*_]+$/;

/**
 * Splits a text into URLs and plain text. `afterWord`: the preceding text ends in a word, which a following `://` turns
 * into a scheme.
 */
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

/** Splits a text into the tokens that `toTokens` returns for each match, and the text between the matches. */
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
/** Matches an unfinished `!`, `[label`, `[label](target`, `](target` or `[name]: target` at the end of a text. */
const UNFINISHED_BRACKET = new RegExp(
  String.raw`!?\[${LABEL}(?:$|\]:[ \t\r]*\n?[^\n]*$)|(?:!?\[${LABEL})?(?:\]$|${UNFINISHED_TARGET})|!$`,
);
const UNFINISHED_LINK = new RegExp(UNFINISHED_TARGET);
const LAST_WORD = /(?<![a-z0-9_])[a-z][a-z0-9+.-]*(?::[^\s<>"'`|()[\]]*)?$/i;
/** Matches the rest of a URL whose scheme was already emitted, or a prefix of such a rest. */
const UNFINISHED_REST = /^:(?:\/?$|\/\/[^\s<>"'`|)\]]*$)/;

/** Returns the index from which the text may still become a link, or the length of the text if it cannot. */
export function findUnfinishedLink(text: string, { afterWord }: { afterWord: boolean }): number {
  if (afterWord && UNFINISHED_REST.test(text)) return 0;
  const end = findUnfinishedBracket(text);
  // The removal of the bracket joins the word before it with the label.
  const word = text.slice(0, end).search(LAST_WORD);
  return word >= 0 && canBecomeUrl(text.slice(word, end).toLowerCase()) ? word : end;
}

function findUnfinishedBracket(text: string): number {
  const bracket = text.search(UNFINISHED_BRACKET);
  if (bracket < 0) return text.length;
  if (!text.includes(')', bracket)) return bracket;
  // A complete link around the bracket must not be split.
  for (const { 0: link, index, groups } of text.matchAll(MARKDOWN)) {
    const end = index + link.length;
    if (groups?.['target'] !== undefined && index < bracket && bracket < end)
      return end + findUnfinishedBracket(text.slice(end));
  }
  return bracket;
}

/**
 * Returns the text without the target of an unfinished link at its end. Returns `undefined` if the text ends in no such
 * link.
 */
export function removeUnfinishedLink(text: string): string | undefined {
  const target = text.search(UNFINISHED_LINK);
  return target < 0 ? undefined : text.slice(0, target + 1);
}

/**
 * Returns whether a word may begin a URL. A browser reads the part after a period, plus or dash as a scheme, such as
 * "java" in "x.java".
 */
function canBecomeUrl(word: string): boolean {
  const candidates = [word, word.replace(/.*[^a-z0-9]/s, '')].filter((part) => part !== '');
  return word.includes(':') || SCHEMES.some((scheme) => candidates.some((part) => scheme.startsWith(part)));
}

const MAX_SCHEME_LENGTH = 64;

/** Returns whether a text ends in a word that a following `://` turns into a scheme. */
export const endsInWord = (text: string): boolean => /[a-z][a-z0-9+.-]*$/i.test(text.slice(-MAX_SCHEME_LENGTH));
