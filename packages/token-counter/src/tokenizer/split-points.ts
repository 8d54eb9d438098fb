/**
 * Finds where a text may be split so that its parts, counted apart, cost what the whole costs: before a space or line feed
 * that follows an ASCII letter, and before a line feed that follows any lasting character that is no white space. There a
 * run ends, nothing composes across, and no rule looks further than the run. A closing marker stands before such a point.
 */
import { NEEDS_REWRITE, normalisationFlagsByUnit, classByUnit, SPACE } from './characters.ts';
import { SPACE_CHARACTER, LINE_FEED } from './markers.ts';

function isSplitPoint(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit !== SPACE_CHARACTER && unit !== LINE_FEED) return false;
  const before = text.charCodeAt(at - 1);
  const letter = before | 0x20;
  if (letter >= 0x61 && letter <= 0x7a) return true;
  if (unit === SPACE_CHARACTER || classByUnit[before] === SPACE) return false;
  return (normalisationFlagsByUnit[before]! & NEEDS_REWRITE) === 0;
}

/** The first split point in `(from, to)`, or -1. */
export function firstSplitPoint(text: string, from: number, to: number): number {
  for (let at = from + 1; at < to; at++) if (isSplitPoint(text, at)) return at;
  return -1;
}

/** End of a chunk from `start`: the last split point within `size` units, else the next after them, else `to`. */
export function chunkEnd(text: string, start: number, to: number, size: number): number {
  if (to - start <= size) return to;
  const last = lastSplitPoint(text, start, start + size);
  if (last !== -1) return last;
  const next = firstSplitPoint(text, start + size - 1, to);
  return next === -1 ? to : next;
}

/** The last split point in `(from, to)`, or -1. */
export function lastSplitPoint(text: string, from: number, to: number): number {
  for (let at = to - 1; at > from; at--) if (isSplitPoint(text, at)) return at;
  return -1;
}
