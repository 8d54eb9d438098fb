/** Compares the package's counts with our tilings and finds the pieces that explain a difference. */
import { ALL_CAPS, CAPITAL, CLOSE, OPEN, isCut, mark, normalise, type Vocabulary } from './marked-stream.ts';
import type { NativeCounter } from './native-counter.ts';
import { probeFor } from './probes.ts';
import { Pieces } from './tiling.ts';

const GROUP = 256;
const WINDOW = 24;
const LONGEST_CUT = 160;

/** One run over one vocabulary. Our price is never below the package's as long as every piece of ours is one of its. */
export class Measurement {
  readonly vocabulary: Vocabulary;
  readonly native: NativeCounter;
  readonly pieces = new Pieces();
  /**
   * Texts that the package prices lower although no piece explains it. Empty after a sound run, save for older class
   * rules.
   */
  readonly unexplained = new Set<string>();
  readonly #refused = new Set<string>();

  constructor(vocabulary: Vocabulary, native: NativeCounter) {
    this.vocabulary = vocabulary;
    this.native = native;
    for (const marker of vocabulary === 'v3' ? [OPEN, CLOSE, CAPITAL, ALL_CAPS] : [OPEN, CLOSE, CAPITAL]) {
      this.pieces.add(String.fromCharCode(marker));
    }
  }

  /** Native price of a string over the marked stream, alone; undefined when no text writes it. */
  priceOf(piece: string): number | undefined {
    const probe = probeFor(piece, this.vocabulary);
    return probe === undefined ? undefined : this.native.count(probe.text) - probe.surroundings;
  }

  /** Asks the package whether the string costs 1, and keeps it if so. */
  tryPiece(piece: string): boolean {
    if (this.pieces.has(piece)) return true;
    if (this.#refused.has(piece)) return false;
    if (this.priceOf(piece) === 1) {
      this.pieces.add(piece);
      return true;
    }
    if (this.#refused.size > 4_000_000) this.#refused.clear();
    this.#refused.add(piece);
    return false;
  }

  ours(text: string): number {
    return this.pieces.price(mark(normalise(text, this.vocabulary), this.vocabulary));
  }

  /**
   * Finds every piece that makes the package cheaper on one of the texts. Texts are joined, and a group whose sums
   * agree is done in one call: a sum of differences none of which is negative is zero only if each is. Each text is
   * framed by letters.
   */
  compare(texts: readonly string[]): void {
    for (let start = 0; start < texts.length; start += GROUP)
      this.#compareGroup(texts, start, Math.min(start + GROUP, texts.length));
  }

  #compareGroup(texts: readonly string[], from: number, to: number): void {
    const text = `q ${texts.slice(from, to).join(' ')} q`;
    if (this.native.count(text) === this.ours(text)) return;
    if (to - from === 1) {
      this.#explain(text);
      return;
    }
    const middle = (from + to) >> 1;
    this.#compareGroup(texts, from, middle);
    this.#compareGroup(texts, middle, to);
  }

  #explain(text: string): void {
    for (const part of this.#parts(text)) {
      if (part.length <= WINDOW + 8) this.#explainPart(part);
      else
        for (let start = 0; start < part.length; start += WINDOW / 2)
          this.#explainPart(part.slice(start, start + WINDOW));
    }
    if (this.native.count(text) !== this.ours(text) && this.unexplained.size < 2000) this.unexplained.add(text);
  }

  /** The parts of a text's stream that are priced independently, once each, short ones first. */
  #parts(text: string): string[] {
    const stream = mark(normalise(text, this.vocabulary), this.vocabulary);
    const parts = new Set<string>();
    let part = '';
    for (let index = 0; index < stream.length; index++) {
      if (index > 0 && isCut(stream, index)) {
        parts.add(part);
        part = '';
      }
      part += String.fromCharCode(stream[index] ?? 0);
    }
    parts.add(part);
    return [...parts].filter((each) => each.length > 1).sort((a, b) => a.length - b.length);
  }

  #explainPart(part: string): void {
    if (part.length < 2) return;
    const native = this.priceOf(part);
    if (native !== undefined && native >= this.pieces.price(unitsOf(part))) return;
    if (part.length < LONGEST_CUT) this.trySubstrings(part);
  }

  /**
   * Tries every substring of two units or more, long ones first; stops nowhere, since one text may witness several
   * pieces.
   */
  trySubstrings(part: string): void {
    for (let length = part.length; length >= 2; length--) {
      for (let start = 0; start + length <= part.length; start++) {
        const candidate = part.slice(start, start + length);
        if (isWellFormed(candidate)) this.tryPiece(candidate);
      }
    }
  }
}

function unitsOf(part: string): Uint16Array {
  const units = new Uint16Array(part.length);
  for (let index = 0; index < part.length; index++) units[index] = part.charCodeAt(index);
  return units;
}

function isWellFormed(candidate: string): boolean {
  const first = candidate.charCodeAt(0);
  return first !== CLOSE && candidate.isWellFormed();
}
