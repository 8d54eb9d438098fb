/**
 * Stage 1: the price of every code point alone. It gives the one-character pieces and the byte prefixes of all others.
 */
import { PLAIN, SPACE, WORD, classes } from './character-classes.ts';
import { normalise } from './marked-stream.ts';
import type { Measurement } from './measurement.ts';

const PLANES: readonly (readonly [number, number])[] = [
  [0x21, 0xd800],
  [0xf900, 0x1_0000],
  [0x1_0000, 0x3_4000],
  [0xe_0000, 0xe_0200],
];

/** Characters that the other stages may combine: those that cost one piece somewhere. */
interface LiveCharacters {
  words: string[];
  symbols: string[];
  plain: string[];
}

function utf8(codePoint: number): Uint8Array {
  return new TextEncoder().encode(String.fromCodePoint(codePoint));
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Prices all code points. Returns the byte prefixes; throws where two characters with one prefix contradict each other.
 */
export function measureCodePoints(measurement: Measurement): string[] {
  const prefixes = new Set<string>();
  const prices = new Map<number, number>();
  for (const [from, to] of PLANES) {
    for (let codePoint = from; codePoint < to; codePoint++) {
      const char = String.fromCodePoint(codePoint);
      if (normalise(char, measurement.vocabulary) !== char || (codePoint < 65536 && classes[codePoint] === SPACE))
        continue;
      const price = measurement.priceOf(char);
      if (price === undefined) continue;
      if (price === 1) {
        measurement.pieces.add(char);
        continue;
      }
      const bytes = utf8(codePoint);
      prices.set(codePoint, price);
      if (price < bytes.length) prefixes.add(hex(bytes.subarray(0, bytes.length - price + 1)));
    }
  }
  const floors = floorsOf(prefixes);
  for (const [codePoint, price] of prices) {
    const expected = floors.get(codePoint) ?? utf8(codePoint).length;
    if (expected !== price)
      throw new Error(`U+${codePoint.toString(16)} costs ${price}, its byte prefixes say ${expected}`);
  }
  for (const [codePoint, price] of floors) measurement.pieces.setFloor(codePoint, price);
  return [...prefixes].sort();
}

/** Price in bytes of every character that opens with one of the prefixes. The longest prefix counts. */
export function floorsOf(prefixes: ReadonlySet<string>): Map<number, number> {
  const floors = new Map<number, number>();
  for (const prefix of [...prefixes].sort((a, b) => a.length - b.length)) {
    const [lead = 0, ...rest] = Buffer.from(prefix, 'hex');
    const length = lead >= 0xf0 ? 4 : 3;
    const missing = length - 1 - rest.length;
    const first = rest.reduce((bits, byte) => (bits << 6) | (byte & 0x3f), lead & (0xff >> (length + 1)));
    for (let codePoint = first << (6 * missing); codePoint < (first + 1) << (6 * missing); codePoint++)
      floors.set(codePoint, missing + 1);
  }
  return floors;
}

/** Sorts the one-character pieces by the way they stand in a text. */
export function liveCharacters(measurement: Measurement): LiveCharacters {
  const live: LiveCharacters = { words: [], symbols: [], plain: [] };
  for (const piece of measurement.pieces.values()) {
    const codePoint = piece.codePointAt(0) ?? 0;
    if (codePoint <= 5 || String.fromCodePoint(codePoint) !== piece) continue;
    const kind = codePoint > 0xffff ? PLAIN : (classes[codePoint] ?? PLAIN);
    if (kind === WORD) live.words.push(piece);
    else if (kind === PLAIN) live.plain.push(piece);
    else if (kind !== SPACE) live.symbols.push(piece);
  }
  return live;
}
