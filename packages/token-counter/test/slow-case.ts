/** A word with its markers, by the properties of the engine: for tests only. */
const lower = (character: string): string =>
  character === '\u0130' || character === '\u03f4' ? character : character.toLowerCase();
const isCapital = (character: string): boolean => character !== '\u03f4' && /\p{Uppercase}/u.test(character);
const isCased = (character: string): boolean => isCapital(character) && lower(character) !== character;

export function slowCase(word: string, v3: boolean): string {
  const verbatim = `\x02${word}\x03`;
  const lowered = `\x02${[...word].map(lower).join('')}\x03`;
  const [first = '', ...rest] = word;
  if (word.includes('\u1e9e')) return verbatim;
  if (word.includes('\u0130')) {
    const plain =
      isCapital(first) &&
      first !== '\u0130' &&
      !rest.some((character) => isCapital(character) && character !== '\u0130');
    return plain ? `\x04${lowered}` : verbatim;
  }
  const stuck = [...word].some(
    (character) => /[\p{L}\p{M}]/u.test(character) && !/\p{Lowercase}/u.test(character) && !isCased(character),
  );
  if (v3 && word.length >= 4 && [...word].some(isCapital) && !/\p{Lowercase}/u.test(word) && !stuck)
    return `\x05${lowered}`;
  return isCased(first) && !rest.some(isCapital) ? `\x04${lowered}` : verbatim;
}
