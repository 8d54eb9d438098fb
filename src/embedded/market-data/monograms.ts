/** Background and letter colors. Each pair has a contrast of at least 4.5:1 and is visible on light and dark cards. */
export const monogramColors = [
  ['#1f4e5f', '#f2c078'],
  ['#5b3758', '#f0b7a4'],
  ['#27503f', '#d9e29a'],
  ['#7a3b2e', '#f3d9b1'],
  ['#2f3e6e', '#a9d3e6'],
  ['#4a4238', '#e8b04b'],
  ['#6b2d3e', '#f0c9c9'],
  ['#1d5a5a', '#f4e3c1'],
] as const;

/** Font sizes at which one to four letters fit the square. */
const FONT_SIZES = [26, 22, 17, 13] as const;

/**
 * Returns the registry logo of a sample security as SVG: up to four letters of its symbol on a color. The result is
 * deterministic and resembles no existing brand.
 */
export function renderMonogram(symbol: string): string {
  const letters = symbol.replace(/[^A-Z0-9]/g, '').slice(0, FONT_SIZES.length);
  const sum = [...symbol].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  const [background, color] = monogramColors[sum % monogramColors.length]!;
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" width="48" height="48">' +
    `<rect width="48" height="48" rx="12" fill="${background}"/>` +
    '<text x="24" y="24" dy=".35em" text-anchor="middle" font-family="system-ui,sans-serif" ' +
    `font-size="${FONT_SIZES[letters.length - 1] ?? FONT_SIZES[0]}" font-weight="600" fill="${color}">${letters}</text></svg>`
  );
}
