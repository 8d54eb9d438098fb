/** Compares the package's counts with our tilings and finds the pieces that explain a difference. */
import {
  ALL_CAPS,
  CAPITAL,
  CLOSE,
  OPEN,
  isSplitPoint,
  markStream,
  normalise,
  type Vocabulary,
} from './marked-stream.ts';
import type { NativeCounter } from './native-counter.ts';
import { findProbe } from './probes.ts';
import { Pieces } from './viterbi.ts';

const GROUP_SIZE = 256;
const WINDOW_LENGTH = 24;
const MAX_SUBSTRING_SEARCH_LENGTH = 160;

/** One run over one vocabulary. Our price is never below the package's as long as every piece of ours is one of its. */
export class Measurement {
  readonly vocabulary: Vocabulary;
  readonly native: NativeCounter;
  readonly pieces = new Pieces();
  /**
   * Texts that the package prices lower although no piece explains it. Empty after a sound run, save for older class
   * rules.
   */
  readonly unexplainedTexts = new Set<string>();
  readonly #refused = new Set<string>();

  constructor(vocabulary: Vocabulary, native: NativeCounter) {
    this.vocabulary = vocabulary;
    this.native = native;
    for (const marker of vocabulary === 'v3' ? [OPEN, CLOSE, CAPITAL, ALL_CAPS] : [OPEN, CLOSE, CAPITAL]) {
      this.pieces.add(String.fromCharCode(marker));
    }
  }

  /** Native price of a string over the marked stream, alone; undefined when no text writes it. */
  countPieceTokens(piece: string): number | undefined {
    const probe = findProbe(piece, this.vocabulary);
    return probe === undefined ? undefined : this.native.count(probe.text) - probe.surroundingTokens;
  }

  /** Asks the package whether the string costs 1, and keeps it if so. */
  addIfPiece(piece: string): boolean {
    if (this.pieces.has(piece)) return true;
    if (this.#refused.has(piece)) return false;
    if (this.countPieceTokens(piece) === 1) {
      this.pieces.add(piece);
      return true;
    }
    if (this.#refused.size > 4_000_000) this.#refused.clear();
    this.#refused.add(piece);
    return false;
  }

  countOurTokens(text: string): number {
    return this.pieces.countTokens(markStream(normalise(text, this.vocabulary), this.vocabulary));
  }

  /**
   * Finds every piece that makes the package cheaper on one of the texts. Texts are joined, and a group whose sums
   * agree is done in one call: a sum of differences none of which is negative is zero only if each is. Each text is
   * framed by letters.
   */
  compare(texts: readonly string[]): void {
    for (let start = 0; start < texts.length; start += GROUP_SIZE)
      this.#compareGroup(texts, start, Math.min(start + GROUP_SIZE, texts.length));
  }

  #compareGroup(texts: readonly string[], from: number, to: number): void {
    const text = `q ${texts.slice(from, to).join(' ')} q`;
    if (this.native.count(text) === this.countOurTokens(text)) return;
    if (to - from === 1) {
      this.#explain(text);
      return;
    }
    const middle = (from + to) >> 1;
    this.#compareGroup(texts, from, middle);
    this.#compareGroup(texts, middle, to);
  }

  #explain(text: string): void {
    for (const chunk of this.#parts(text)) {
      if (chunk.length <= WINDOW_LENGTH + 8) this.#explainPart(chunk);
      else
        for (let start = 0; start < chunk.length; start += WINDOW_LENGTH / 2)
          this.#explainPart(chunk.slice(start, start + WINDOW_LENGTH));
    }
    if (this.native.count(text) !== this.countOurTokens(text) && this.unexplainedTexts.size < 2000)
      this.unexplainedTexts.add(text);
  }

  /** The parts of a text's stream that are priced independently, once each, short ones first. */
  #parts(text: string): string[] {
    const stream = markStream(normalise(text, this.vocabulary), this.vocabulary);
    const chunks = new Set<string>();
    let chunk = '';
    for (let index = 0; index < stream.length; index++) {
      if (index > 0 && isSplitPoint(stream, index)) {
        chunks.add(chunk);
        chunk = '';
      }
      chunk += String.fromCharCode(stream[index] ?? 0);
    }
    chunks.add(chunk);
    return [...chunks].filter((chunkText) => chunkText.length > 1).sort((a, b) => a.length - b.length);
  }

  #explainPart(chunk: string): void {
    if (chunk.length < 2) return;
    const nativeTokens = this.countPieceTokens(chunk);
    if (nativeTokens !== undefined && nativeTokens >= this.pieces.countTokens(toUnits(chunk))) return;
    if (chunk.length < MAX_SUBSTRING_SEARCH_LENGTH) this.addSubstringPieces(chunk);
  }

  /**
   * Tries every substring of two units or more, long ones first; stops nowhere, since one text may witness several
   * pieces.
   */
  addSubstringPieces(chunk: string): void {
    for (let length = chunk.length; length >= 2; length--) {
      for (let start = 0; start + length <= chunk.length; start++) {
        const candidate = chunk.slice(start, start + length);
        if (isWellFormed(candidate)) this.addIfPiece(candidate);
      }
    }
  }
}

function toUnits(chunk: string): Uint16Array {
  const units = new Uint16Array(chunk.length);
  for (let index = 0; index < chunk.length; index++) units[index] = chunk.charCodeAt(index);
  return units;
}

function isWellFormed(candidate: string): boolean {
  const first = candidate.charCodeAt(0);
  return first !== CLOSE && candidate.isWellFormed();
}
