/** An amount, a count, a percentage or a date: what says how much somebody has. */
const FIGURE = /([-−+]?[$€£¥]?\d(?:[\d.,:/-]*\d)?(?:\s?%|[KMBT]\b)?)/g;

/** A text in pieces, its figures apart, for privacy mode. */
export const splitFigures = (text: string): { text: string; isFigure: boolean }[] =>
  // Split by an expression with one group: what it holds is every second piece.
  text.split(FIGURE).map((chunk, index) => ({ text: chunk, isFigure: index % 2 === 1 }));

/** The text as it is said in privacy mode. */
export const hideFigures = (text: string): string => text.replace(FIGURE, 'hidden');

/** Whether a column's texts are amounts, as far as it has any. */
export function isFigureColumn(texts: readonly string[]): boolean {
  const figures = texts.filter((text) => text !== '' && text !== 'none');
  return (
    figures.length > 0 && figures.every((text) => /^[-−+]?[$€£¥]?[\d,]*\.?\d+(?: ?%|[KMBT]| [A-Z]{3})?$/.test(text))
  );
}
