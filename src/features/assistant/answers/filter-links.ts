import {
  removeUnfinishedLink,
  endsInWord,
  findUnfinishedLink,
  type MarkdownToken,
  tokenizeMarkdown,
  tokenizeUrls,
  type UrlToken,
} from './tokenize-links.ts';

/** Stands in the place of a link. */
const REMOVED_LINK_TEXT = '(link removed)';
/** A longer link loses its target; any other text of this length is let through in pieces, each of them filtered. */
const MAX_BUFFER_LENGTH = 2_000;

/**
 * Lets a text through as it arrives, without the links that `isAllowed` does not allow. What may be the beginning of a
 * link is buffered until it is whole.
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
    // URLs come second, since labels hold some, and taking a link out can join two texts to one.
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
    /** The rest, at the end of the text or of what can be buffered. More text makes no link of it. */
    end(): string {
      const textWithoutLink = removeUnfinishedLink(buffer);
      const rest = textWithoutLink === undefined ? emit(buffer) : emit(`${textWithoutLink} ${remove()}`);
      buffer = '';
      return rest;
    },
  };
}
