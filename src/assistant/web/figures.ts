/** An amount, a count, a percentage or a date: what says how much somebody has. */
const FIGURE = /[-−+]?[$€£¥]?\d(?:[\d.,:/-]*\d)?(?:\s?%|[KMBT]\b)?/g;

/** A text in pieces, its figures apart, for privacy mode. */
export function splitFigures(text: string): { text: string; figure: boolean }[] {
  const pieces: { text: string; figure: boolean }[] = [];
  let from = 0;
  for (const found of text.matchAll(FIGURE)) {
    if (found.index > from) pieces.push({ text: text.slice(from, found.index), figure: false });
    pieces.push({ text: found[0], figure: true });
    from = found.index + found[0].length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), figure: false });
  return pieces;
}

/** The text as it is said in privacy mode. */
export const hideFigures = (text: string): string => text.replace(FIGURE, 'hidden');

/** Whether a column's texts are amounts, as far as it has any. */
export function areFigures(texts: readonly string[]): boolean {
  const some = texts.filter((text) => text !== '' && text !== 'none');
  return some.length > 0 && some.every((text) => /^[-−+]?[$€£¥]?[\d,]*\.?\d+(?: ?%|[KMBT]| [A-Z]{3})?$/.test(text));
}
