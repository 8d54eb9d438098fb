/** Returns whether each word of the query begins a word of the text. Ignores case. An empty query matches. */
export function matchesWords(text: string, query: string): boolean {
  const words = splitWords(text);
  return splitWords(query).every((part) => words.some((word) => word.startsWith(part)));
}

const splitWords = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
