/** Matches an amount, a count, a percentage or a date. */
const FIGURE = /([-−+]?[$€£¥]?\d(?:[\d.,:/-]*\d)?(?:\s?%|[KMBT]\b)?)/g;

/** Splits a text into figures and other text, for privacy mode. */
export const splitFigures = (text: string): { text: string; isFigure: boolean }[] =>
  // The expression has one group, so every second piece is a figure.
  text.split(FIGURE).map((chunk, index) => ({ text: chunk, isFigure: index % 2 === 1 }));

/** Splits a text at some of its figures, which are given in order. */
export function splitAtAmounts(text: string, amounts: readonly string[]): { text: string; isFigure: boolean }[] {
  let end = 0;
  const pieces = amounts.flatMap((amount) => {
    const start = text.indexOf(amount, end);
    const before = text.slice(end, start);
    end = start + amount.length;
    return [
      { text: before, isFigure: false },
      { text: amount, isFigure: true },
    ];
  });
  return [...pieces, { text: text.slice(end), isFigure: false }];
}

/** Replaces the figures of a text for privacy mode. */
export const hideFigures = (text: string): string => text.replace(FIGURE, 'hidden');

/** Returns whether all non-empty texts of a column are amounts. */
function isFigureColumn(texts: readonly string[]): boolean {
  const figures = texts.filter((text) => text !== '' && text !== 'none' && text !== '–');
  return (
    figures.length > 0 && figures.every((text) => /^[-−+]?[$€£¥]?[\d,]*\.?\d+(?: ?%|[KMBT]| [A-Z]{3})?$/.test(text))
  );
}

/** Returns the columns of a table. The texts of the cells tell which columns hold figures. */
export const toColumns = <Heading>(headings: readonly Heading[], texts: readonly (readonly string[])[]) =>
  headings.map((heading, column) => ({
    key: String(column),
    heading,
    kind: isFigureColumn(texts.map((row) => row[column] ?? '')) ? ('figure' as const) : undefined,
  }));
