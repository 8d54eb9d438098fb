/** Listings with a mark of our own drawing in place of a provider's logo; the others show letters. */
const marked =
  'AAPL MSFT NVDA AMZN GOOGL META TSLA AVGO COST JPM DIS LLY XOM BRK.B VOD.L KO V WMT NFLX ORCL AMD HSBA.L'.split(' ');

export const hasMark = (symbol: string): boolean => marked.includes(symbol);

/** Ground and figure; each pair is at least 3:1 and stands on light and dark cards. */
const pairs = [
  ['#1f4e5f', '#f2c078'],
  ['#5b3758', '#f0b7a4'],
  ['#27503f', '#d9e29a'],
  ['#7a3b2e', '#f3d9b1'],
  ['#2f3e6e', '#a9d3e6'],
  ['#4a4238', '#e8b04b'],
  ['#6b2d3e', '#f0c9c9'],
  ['#1d5a5a', '#f4e3c1'],
] as const;

/** Plain geometry on a square of 48, drawn in the second colour. */
const figures = [
  '<path d="M12 34 24 12l12 22z"/>',
  '<circle cx="19" cy="24" r="9"/><circle cx="29" cy="24" r="9" fill-opacity=".55"/>',
  '<path d="M24 11 37 24 24 37 11 24z"/>',
  '<path d="M12 36V24h6v12zM21 36V12h6v24zM30 36V18h6v18z"/>',
  '<path d="M12 30a12 12 0 0 1 24 0z"/><path d="M12 33h24v3H12z"/>',
  '<path d="M13 13h10v10H13zM25 25h10v10H25z"/><path d="M25 13h10v10H25zM13 25h10v10H13z" fill-opacity=".5"/>',
  '<path d="M24 11a13 13 0 1 0 13 13h-6a7 7 0 1 1-7-7z"/>',
  '<path d="M13 20 24 12l11 8v4l-11-8-11 8zM13 30l11-8 11 8v5l-11-8-11 8z"/>',
] as const;

/** A two-coloured mark, the same for a symbol at all times, and no existing brand. */
export function simulatedMark(symbol: string): string | undefined {
  const place = marked.indexOf(symbol);
  if (place === -1) return undefined;
  const shape = figures[place % figures.length]!;
  // Each round of the figures begins at another pair of colours, so that no two marks are the same.
  const [ground, figure] = pairs[(place + 3 * Math.floor(place / figures.length)) % pairs.length]!;
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" width="48" height="48">' +
    `<rect width="48" height="48" rx="12" fill="${ground}"/><g fill="${figure}">${shape}</g></svg>`
  );
}
