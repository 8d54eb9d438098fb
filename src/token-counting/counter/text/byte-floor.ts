/** What a character costs by itself where it is no piece: its UTF-8 bytes less what a known prefix saves. */
export interface CharacterCosts {
  /** Cost of every unit of the basic plane. */
  readonly unit: Uint8Array;
  /** Cost of a character above it, by code point >> 6 (all that its first three bytes tell). */
  readonly astral: Uint8Array;
}

/** `bytePrefixes`: lower-case hex of the byte sequences that are pieces, separated by blanks. The longest match
 * counts. */
export function byteCosts(bytePrefixes: string): CharacterCosts {
  const unit = new Uint8Array(0x10000).fill(3);
  unit.fill(2, 0, 0x800).fill(1, 0, 0x80);
  const astral = new Uint8Array(0x110000 >> 6).fill(4);
  const prefixes = bytePrefixes.split(' ').filter((hex) => hex.length > 2);
  prefixes.sort((a, b) => a.length - b.length);
  for (const hex of prefixes) {
    const lead = parseInt(hex.slice(0, 2), 16);
    const known = hex.length / 2;
    const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    let first = lead & (0xff >> (length + 1));
    for (let k = 2; k < hex.length; k += 2) first = (first << 6) | (parseInt(hex.slice(k, k + 2), 16) & 0x3f);
    const unseen = 6 * (length - known);
    const cost = length - (known - 1);
    if (length === 4) astral.fill(cost, (first << unseen) >> 6, ((first + 1) << unseen) >> 6);
    else unit.fill(cost, first << unseen, (first + 1) << unseen);
  }
  return { unit, astral };
}
