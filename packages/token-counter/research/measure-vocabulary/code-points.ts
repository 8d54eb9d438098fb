/**
 * Stage 1: the cost of every code point. The results are the one-character pieces and the byte prefixes of all other
 * characters.
 */
import { PLAIN, SPACE, WORD, unitClass } from './character-classes.ts';
import { normalize } from './marked-stream.ts';
import type { Measurement } from './measurement.ts';

const PLANES: readonly (readonly [number, number])[] = [
  [0x21, 0xd800],
  [0xf900, 0x1_0000],
  [0x1_0000, 0x3_4000],
  [0xe_0000, 0xe_0200],
];

/** Characters that other stages may combine: those that cost one piece at some position. */
interface SinglePieceCharacters {
  words: string[];
  symbols: string[];
  plain: string[];
}

function encodeUtf8(codePoint: number): Uint8Array {
  return new TextEncoder().encode(String.fromCodePoint(codePoint));
}

const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Counts all code points. Returns the byte prefixes. Throws if two characters with one prefix contradict each other.
 */
export function measureCodePoints(measurement: Measurement): string[] {
  const prefixes = new Set<string>();
  const tokensByCodePoint = new Map<number, number>();
  for (const [from, to] of PLANES) {
    for (let codePoint = from; codePoint < to; codePoint++) {
      const char = String.fromCodePoint(codePoint);
      if (normalize(char, measurement.vocabulary) !== char || (codePoint < 65536 && unitClass[codePoint] === SPACE))
        continue;
      const tokens = measurement.countPieceTokens(char);
      if (tokens === undefined) continue;
      if (tokens === 1) {
        measurement.pieces.add(char);
        continue;
      }
      const bytes = encodeUtf8(codePoint);
      tokensByCodePoint.set(codePoint, tokens);
      if (tokens < bytes.length) prefixes.add(toHex(bytes.subarray(0, bytes.length - tokens + 1)));
    }
  }
  const byteCosts = computeByteCosts(prefixes);
  for (const [codePoint, tokens] of tokensByCodePoint) {
    const expected = byteCosts.get(codePoint) ?? encodeUtf8(codePoint).length;
    if (expected !== tokens)
      throw new Error(`U+${codePoint.toString(16)} costs ${tokens}, its byte prefixes say ${expected}`);
  }
  for (const [codePoint, tokens] of byteCosts) measurement.pieces.setByteCost(codePoint, tokens);
  return [...prefixes].sort();
}

/** Returns the cost in bytes of every character that begins with one of the prefixes. The longest prefix is used. */
export function computeByteCosts(prefixes: ReadonlySet<string>): Map<number, number> {
  const byteCosts = new Map<number, number>();
  for (const prefix of [...prefixes].sort((a, b) => a.length - b.length)) {
    const [lead = 0, ...rest] = Buffer.from(prefix, 'hex');
    const length = lead >= 0xf0 ? 4 : 3;
    const remainingBytes = length - 1 - rest.length;
    const first = rest.reduce((bits, byte) => (bits << 6) | (byte & 0x3f), lead & (0xff >> (length + 1)));
    for (let codePoint = first << (6 * remainingBytes); codePoint < (first + 1) << (6 * remainingBytes); codePoint++)
      byteCosts.set(codePoint, remainingBytes + 1);
  }
  return byteCosts;
}

/** Groups the one-character pieces by their position in a text. */
export function listSinglePieceCharacters(measurement: Measurement): SinglePieceCharacters {
  const characters: SinglePieceCharacters = { words: [], symbols: [], plain: [] };
  for (const piece of measurement.pieces.values()) {
    const codePoint = piece.codePointAt(0) ?? 0;
    if (codePoint <= 5 || String.fromCodePoint(codePoint) !== piece) continue;
    const kind = codePoint > 0xffff ? PLAIN : (unitClass[codePoint] ?? PLAIN);
    if (kind === WORD) characters.words.push(piece);
    else if (kind === PLAIN) characters.plain.push(piece);
    else if (kind !== SPACE) characters.symbols.push(piece);
  }
  return characters;
}
