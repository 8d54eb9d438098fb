/**
 * The 21 symbols at whose borders the rules of the marked stream differ, and all strings of them: for tests and
 * comparisons.
 */
export const edgeSymbols: readonly string[] = [
  'a',
  'Ab',
  's',
  ' ',
  '\n',
  '\t',
  '\r',
  '\u00a0',
  '\u0001',
  '!',
  "'",
  '\u201c',
  '1',
  '\u00b2',
  '\u0663',
  '\u6587',
  '\u3002',
  '\u{1f600}',
  '\ufe0f',
  '\u0301',
  '\u0e48',
];

/** Every string of at most `longest` symbols, the empty one included, shorter ones first. */
export function* edgeStrings(longest: number): Generator<string> {
  let level = [''];
  for (let length = 0; length <= longest; length++) {
    yield* level;
    if (length < longest) level = level.flatMap((head) => edgeSymbols.map((symbol) => head + symbol));
  }
}
