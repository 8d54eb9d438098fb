/** A piece of a line: plain or formatted text. */
export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'strong' | 'emphasis'; parts: Inline[] }
  | { kind: 'link'; url: string; parts: Inline[] };

/** Each alternative excludes characters that would make the search slow. */
const MARK = new RegExp(
  [
    /\\([\\`*_[\]()#|~<>-])/,
    /(`{1,2})([^`\n]{1,500})\2/,
    /!?\[([^[\]\n]{0,300})\]\(([^()\s]{1,2000})\)/,
    /\*\*([^*\n]{1,1000})\*\*/,
    /(?<!\w)__([^_\n]{1,1000})__(?!\w)/,
    /\*([^*\s][^*\n]{0,1000})\*/,
    /(?<!\w)_([^_\s][^_\n]{0,1000})_(?!\w)/,
    /<?(https?:\/\/[^\s<>"`|]{1,2000})>?/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/**
 * Parses the formatting within a line. A URL becomes a link only if `links` contains it. Other URLs and all images stay
 * plain text.
 */
export function parseInline(text: string, links: ReadonlySet<string>): Inline[] {
  const parts: Inline[] = [];
  let position = 0;
  for (const match of text.matchAll(MARK)) {
    const [fullMatch, escaped, , code, label, target, strong, strong2, emphasis, emphasis2, bareUrl] = match;
    addText(parts, text.slice(position, match.index));
    position = match.index + fullMatch.length;
    if (escaped !== undefined) addText(parts, escaped);
    else if (code !== undefined) parts.push({ kind: 'code', text: code });
    else if (label !== undefined && target !== undefined) {
      const inner = parseInline(label, noLinks);
      if (fullMatch.startsWith('!') || !links.has(target)) for (const part of inner) addPart(parts, part);
      else
        parts.push({ kind: 'link', url: target, parts: inner.length > 0 ? inner : [{ kind: 'text', text: target }] });
    } else if (strong !== undefined || strong2 !== undefined)
      parts.push({ kind: 'strong', parts: parseInline((strong ?? strong2)!, links) });
    else if (emphasis !== undefined || emphasis2 !== undefined)
      parts.push({ kind: 'emphasis', parts: parseInline((emphasis ?? emphasis2)!, links) });
    else if (bareUrl !== undefined) addUrl(parts, bareUrl, links);
  }
  addText(parts, text.slice(position));
  return parts;
}

const noLinks: ReadonlySet<string> = new Set();

/** Adds a bare URL. Trailing punctuation ends the URL unless the known URL contains it. */
function addUrl(parts: Inline[], bareUrl: string, links: ReadonlySet<string>): void {
  const trimmedUrl = bareUrl.replace(/[.,;:!?)\]*_]+$/, '');
  const url = links.has(bareUrl) ? bareUrl : trimmedUrl;
  if (!links.has(url)) return addText(parts, bareUrl);
  parts.push({ kind: 'link', url, parts: [{ kind: 'text', text: url }] });
  addText(parts, bareUrl.slice(url.length));
}

const addText = (parts: Inline[], text: string): void => {
  if (text !== '') addPart(parts, { kind: 'text', text });
};

/** Adds a piece and merges adjacent text. */
function addPart(parts: Inline[], part: Inline): void {
  const last = parts.at(-1);
  if (part.kind === 'text' && last?.kind === 'text') last.text += part.text;
  else parts.push(part);
}

/** Returns the text of a line without its formatting. */
export const getInlineText = (parts: readonly Inline[]): string =>
  parts.map((part) => ('parts' in part ? getInlineText(part.parts) : part.text)).join('');
