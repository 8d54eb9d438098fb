/**
 * Seeded random texts for tests: characters at whose boundaries the rules differ, words, and enough spaces and lines
 * for split points.
 */
const symbols = [
  ...'abstmdlveSTZ',
  ...' \n\t\r07\'"!.,-(',
  '\u2019',
  '\u201c',
  '\u00b2',
  '\u00bd',
  '\u0967',
  '\u2460',
  '\u0663',
  '\u6587',
  '\u3002',
  '\uff0c',
  '\u304b',
  '\ud55c',
  '\u0e33',
  '\u0e4d',
  '\u0e32',
  '\u094d',
  '\u0915',
  '\u0301',
  '\ufe0f',
  '\u200d',
  '\u{1f600}',
  '\ud83d',
  '\ude00',
  '\u00a0',
  '\u3000',
  '\u0130',
  '\u1e9e',
  '\u03a3',
  '\u01c5',
  '\u2133',
  '\u2167',
  '\u24b6',
  '\u00e9',
  '\u00c9',
  '\ue000',
  '\u0001',
  '\0',
  '\u1100',
  '\u1161',
  '\u11a8',
  '\u0430',
  '\u0416',
];
const words = [
  'the ',
  'The ',
  'NASA ',
  "it's ",
  'tokens\n',
  'camelCase',
  'foo(bar)',
  ', ',
  '. ',
  '\n\n',
  '    ',
  '://',
  '12345',
  '3.14 ',
  'donaudampf ',
  '\r\n',
  "we've ",
  'don\u2019t ',
];

/** Returns a text of `partCount` symbols or words. `wordsPerTen` of ten parts are words. */
export function randomText(random: (below: number) => number, partCount: number, wordsPerTen: number): string {
  let text = '';
  for (let k = 0; k < partCount; k++)
    text += random(10) < wordsPerTen ? words[random(words.length)] : symbols[random(symbols.length)];
  return text;
}
