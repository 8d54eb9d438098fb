/** The cheapest tiling, by trying every substring at every place: for tests only. */
export interface SlowVocabulary {
  readonly pieces: ReadonlySet<string>;
  /** Byte sequences as lower-case hex. */
  readonly prefixes: ReadonlySet<string>;
  readonly longest: number;
}

export function slowTiling(stream: string, vocabulary: SlowVocabulary): number {
  const cost = new Array<number>(stream.length + 1).fill(Infinity);
  cost[0] = 0;
  for (let from = 0; from < stream.length; from++) {
    const character = String.fromCodePoint(stream.codePointAt(from) ?? 0);
    const relax = (to: number, price: number): void =>
      void (cost[to] = Math.min(cost[to] ?? Infinity, (cost[from] ?? Infinity) + price));
    relax(from + character.length, bytes(character, vocabulary.prefixes));
    for (let to = from + 1; to <= Math.min(stream.length, from + vocabulary.longest); to++)
      if (vocabulary.pieces.has(stream.slice(from, to))) relax(to, 1);
  }
  return cost[stream.length] ?? Infinity;
}

function bytes(character: string, prefixes: ReadonlySet<string>): number {
  const hex = [...new TextEncoder().encode(character)].map((byte) => byte.toString(16).padStart(2, '0'));
  for (let known = hex.length; known > 1; known--)
    if (prefixes.has(hex.slice(0, known).join(''))) return hex.length - (known - 1);
  return hex.length;
}
