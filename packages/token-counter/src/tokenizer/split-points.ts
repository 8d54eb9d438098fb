/**
 * Finds positions at which a text can be split so that the counts of its parts add up to that of the whole. These are
 * before a space or line feed after an ASCII letter, and before a line feed after any retained character other than
 * white space. At these positions a run ends, no characters compose, and no rule reads beyond the run. A closing marker
 * precedes a split point.
 */
import { NEEDS_REWRITE, unitNormalizationFlags, unitClass, SPACE } from './characters.ts';
import { SPACE_CHARACTER, LINE_FEED } from './markers.ts';

/** Returns whether a text can be split at `at`. */
export function isSplitPoint(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit !== SPACE_CHARACTER && unit !== LINE_FEED) return false;
  const before = text.charCodeAt(at - 1);
  const letter = before | 0x20;
  if (letter >= 0x61 && letter <= 0x7a) return true;
  if (unit === SPACE_CHARACTER || unitClass[before] === SPACE) return false;
  return (unitNormalizationFlags[before]! & NEEDS_REWRITE) === 0;
}

/** Returns the first split point in `(from, to)`, or -1. */
export function firstSplitPoint(text: string, from: number, to: number): number {
  for (let at = from + 1; at < to; at++) if (isSplitPoint(text, at)) return at;
  return -1;
}

/**
 * Returns the end of a chunk from `start`: the last split point within `size` units, or else the next one, or else
 * `to`.
 */
export function chunkEnd(text: string, start: number, to: number, size: number): number {
  if (to - start <= size) return to;
  const last = lastSplitPoint(text, start, start + size);
  if (last !== -1) return last;
  const next = firstSplitPoint(text, start + size - 1, to);
  return next === -1 ? to : next;
}

/** Returns the last split point in `(from, to)`, or -1. */
export function lastSplitPoint(text: string, from: number, to: number): number {
  for (let at = to - 1; at > from; at--) if (isSplitPoint(text, at)) return at;
  return -1;
}
