/** The 21 symbols at whose boundaries the rules of the marked stream differ, and all strings of them. */
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

/** Yields every string of at most `maxLength` symbols, including the empty one, shorter ones first. */
export function* edgeStrings(maxLength: number): Generator<string> {
  let currentStrings = [''];
  for (let length = 0; length <= maxLength; length++) {
    yield* currentStrings;
    if (length < maxLength)
      currentStrings = currentStrings.flatMap((head) => edgeSymbols.map((symbol) => head + symbol));
  }
}
