/** Compares the package's counts with our segmentation and finds the pieces that explain a difference. */
import {
  ALL_CAPS,
  CAPITAL,
  CLOSE,
  OPEN,
  isSplitPoint,
  markStream,
  normalize,
  type Vocabulary,
} from './marked-stream.ts';
import type { NativeCounter } from './native-counter.ts';
import { findProbe } from './probes.ts';
import { Pieces } from './viterbi.ts';

const GROUP_SIZE = 256;
const WINDOW_LENGTH = 24;
const MAX_SUBSTRING_SEARCH_LENGTH = 160;

/**
 * One run over one vocabulary. Our count is never below the package's if every piece of ours is a piece of the package.
 */
export class Measurement {
  readonly vocabulary: Vocabulary;
  readonly native: NativeCounter;
  readonly pieces = new Pieces();
  /**
   * Texts that the package counts lower although no piece explains the difference. Empty after a valid run, except for
   * older class rules.
   */
  readonly unexplainedTexts = new Set<string>();
  readonly #rejected = new Set<string>();

  constructor(vocabulary: Vocabulary, native: NativeCounter) {
    this.vocabulary = vocabulary;
    this.native = native;
    for (const marker of vocabulary === 'v3' ? [OPEN, CLOSE, CAPITAL, ALL_CAPS] : [OPEN, CLOSE, CAPITAL]) {
      this.pieces.add(String.fromCharCode(marker));
    }
  }

  /** Returns the native count of a string over the marked stream, or undefined if no text produces the string. */
  countPieceTokens(piece: string): number | undefined {
    const probe = findProbe(piece, this.vocabulary);
    return probe === undefined ? undefined : this.native.count(probe.text) - probe.surroundingTokens;
  }

  /** Adds the string if the package counts it as 1. */
  addIfPiece(piece: string): boolean {
    if (this.pieces.has(piece)) return true;
    if (this.#rejected.has(piece)) return false;
    if (this.countPieceTokens(piece) === 1) {
      this.pieces.add(piece);
      return true;
    }
    if (this.#rejected.size > 4_000_000) this.#rejected.clear();
    this.#rejected.add(piece);
    return false;
  }

  countOurTokens(text: string): number {
    return this.pieces.countTokens(markStream(normalize(text, this.vocabulary), this.vocabulary));
  }

  /**
   * Finds every piece with which the package counts one of the texts lower. Texts are joined, and a group with equal
   * sums needs one call: a sum of non-negative differences is zero only if each is zero. Letters surround each text.
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
    for (const chunk of this.#splitChunks(text)) {
      if (chunk.length <= WINDOW_LENGTH + 8) this.#explainChunk(chunk);
      else
        for (let start = 0; start < chunk.length; start += WINDOW_LENGTH / 2)
          this.#explainChunk(chunk.slice(start, start + WINDOW_LENGTH));
    }
    if (this.native.count(text) !== this.countOurTokens(text) && this.unexplainedTexts.size < 2000)
      this.unexplainedTexts.add(text);
  }

  /** Returns the independent parts of a text's stream, each once, short ones first. */
  #splitChunks(text: string): string[] {
    const stream = markStream(normalize(text, this.vocabulary), this.vocabulary);
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

  #explainChunk(chunk: string): void {
    if (chunk.length < 2) return;
    const nativeTokens = this.countPieceTokens(chunk);
    if (nativeTokens !== undefined && nativeTokens >= this.pieces.countTokens(toUnits(chunk))) return;
    if (chunk.length < MAX_SUBSTRING_SEARCH_LENGTH) this.addSubstringPieces(chunk);
  }

  /**
   * Tries every substring of two or more units, long ones first. It tries all of them, because one text may contain
   * several pieces.
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
