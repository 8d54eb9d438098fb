/**
 * Places where a text may be cut so that the parts, priced apart, cost what the whole costs. Before a blank or line
 * feed that follows an ASCII letter, and before a line feed that follows any lasting character that is no white space:
 * there a run ends, nothing composes across, and no rule looks further than the run. What follows such a cut starts
 * with `closed: true`.
 */
import { CARE_REWRITES, careOf, classOf, SPACE } from './characters.ts';
import { BLANK, LINE_FEED } from './markers.ts';

function isCut(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit !== BLANK && unit !== LINE_FEED) return false;
  const before = text.charCodeAt(at - 1);
  const letter = before | 0x20;
  if (letter >= 0x61 && letter <= 0x7a) return true;
  if (unit === BLANK || classOf[before] === SPACE) return false;
  return (careOf[before]! & CARE_REWRITES) === 0;
}

/** The first cut in `(from, to)`, or -1. */
export function firstCut(text: string, from: number, to: number): number {
  for (let at = from + 1; at < to; at++) if (isCut(text, at)) return at;
  return -1;
}

/** End of a stretch from `start`: the last cut within `size` units, else the next one after them, else `to`. */
export function stretchEnd(text: string, start: number, to: number, size: number): number {
  if (to - start <= size) return to;
  const cut = lastCut(text, start, start + size);
  if (cut !== -1) return cut;
  const later = firstCut(text, start + size - 1, to);
  return later === -1 ? to : later;
}

/** The last cut in `(from, to)`, or -1. */
export function lastCut(text: string, from: number, to: number): number {
  for (let at = to - 1; at > from; at--) if (isCut(text, at)) return at;
  return -1;
}
