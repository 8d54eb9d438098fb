import {
  removeUnfinishedLink,
  endsInWord,
  findUnfinishedLink,
  type MarkdownToken,
  tokenizeMarkdown,
  tokenizeUrls,
  type UrlToken,
} from './tokenize-links.ts';

/** Text that replaces a removed link. */
const REMOVED_LINK_TEXT = '(link removed)';
/**
 * Longest text that is buffered, in characters. A longer link loses its target, and longer text is emitted in filtered
 * pieces.
 */
const MAX_BUFFER_LENGTH = 2_000;

/**
 * Returns a filter that passes text through and removes the links that `isAllowed` rejects. It buffers a possible
 * beginning of a link until the link is complete.
 */
export function createLinkFilter(isAllowed: (url: string) => boolean) {
  let buffer = '';
  let removed = 0;
  let afterWord = false;

  const remove = (): string => {
    removed += 1;
    return REMOVED_LINK_TEXT;
  };
  const renderMarkdown = (token: MarkdownToken): string => {
    switch (token.kind) {
      case 'text':
        return token.text;
      case 'reference':
        return remove();
      case 'link':
        if (!token.isImage && isAllowed(token.url)) return token.text;
        return token.label === '' ? remove() : `${token.label} ${remove()}`;
    }
  };
  const renderUrl = (token: UrlToken): string => {
    if (token.kind === 'text') return token.text;
    return isAllowed(token.url) ? token.url : remove();
  };
  const emit = (text: string): string => {
    const withoutMarkdown = tokenizeMarkdown(text).map(renderMarkdown).join('');
    // Filter URLs second: labels contain URLs, and the removal of a link can join two texts into a URL.
    const filtered = tokenizeUrls(withoutMarkdown, { afterWord }).map(renderUrl).join('');
    if (filtered !== '') afterWord = endsInWord(filtered);
    return filtered;
  };
  return {
    get removed(): number {
      return removed;
    },
    push(text: string): string {
      buffer += text;
      const end = findUnfinishedLink(buffer, { afterWord });
      if (buffer.length - end > MAX_BUFFER_LENGTH) return this.end();
      const ready = emit(buffer.slice(0, end));
      buffer = buffer.slice(end);
      return ready;
    },
    /** Returns the buffered rest at the end of the text. No link can be completed after this call. */
    end(): string {
      const textWithoutLink = removeUnfinishedLink(buffer);
      const rest = textWithoutLink === undefined ? emit(buffer) : emit(`${textWithoutLink} ${remove()}`);
      buffer = '';
      return rest;
    },
  };
}
