/** Converts raw text into normalized units split into runs, the first step of counting. */
import {
  NEEDS_COMPOSITION,
  NEEDS_QUOTE_FOLDING,
  NEEDS_REWRITE,
  NEEDS_SURROGATE_CHECK,
  isControl,
  isFoldedSpace,
  isPrivateUse,
  NIKHAHIT,
  SARA_AA,
  SARA_AM,
  toStraightQuote,
} from './characters.ts';
import { SPACE_CHARACTER } from './markers.ts';
import { createReadUnits, type ReadUnits } from './read-units.ts';
import { RUN_MASK } from './run-kinds.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Normalized units of a text and the runs that they form. */
export interface RunBuffer {
  /** The units. Two zeros follow the last one, and up to PADDING units after it are readable. */
  units: Uint16Array;
  /** A view of `units`, for reading two units at once. */
  view: DataView;
  /** Writes to that memory. */
  read: ReadUnits;
  length: number;
  /** Run k is `units[starts[k] … starts[k + 1])`. */
  starts: Int32Array;
  count: number;
}

/** Number of readable units after the last one. Their content is never used. */
const PADDING = 16;

const REPLACEMENT = 0xfffd;

/** The properties of a vocabulary that determine the normalization. */
type FoldingRules = Pick<Vocabulary, 'unitFlags' | 'isV3'>;

export function createRunBuffer(capacity: number): RunBuffer {
  const units = new Uint16Array(capacity + PADDING);
  return {
    units,
    view: new DataView(units.buffer),
    read: createReadUnits(units),
    length: 0,
    starts: new Int32Array(capacity + PADDING),
    count: 0,
  };
}

/**
 * Fills `runs` with `text[from … to)` and grows its arrays if necessary. Canonical composition is that of the
 * JavaScript engine: an engine with an older Unicode version only misses newer compositions.
 */
export function normalize(text: string, from: number, to: number, vocabulary: FoldingRules, runs: RunBuffer): void {
  ensureCapacity(runs, to - from);
  runs.read(text, from, to);
  const flags = splitRuns(runs, 0, to - from, vocabulary.unitFlags);
  if (flags > RUN_MASK) normalizeSlowPath(text.slice(from, to), flags, vocabulary, runs);
}

/**
 * Splits `units[from … to)` into runs that end at `to`. Returns the required normalization flags (NEEDS_*). It has no
 * branch per unit, which saves the counting loop one mispredicted branch per run (a third of its time).
 */
export function splitRuns(runs: RunBuffer, from: number, to: number, unitFlags: Uint8Array): number {
  const { units, starts } = runs;
  let flags = 0;
  let count = 0;
  let previous = RUN_MASK;
  for (let k = from; k < to; k++) {
    const unitFlag = unitFlags[units[k]!]!;
    starts[count] = k;
    flags |= unitFlag;
    count += (((unitFlag ^ previous) & RUN_MASK) + RUN_MASK) >> 3;
    previous = unitFlag;
  }
  starts[count] = to;
  runs.count = count;
  runs.length = to;
  units[to] = 0;
  units[to + 1] = 0;
  return flags;
}

/** Runs the normalization steps in `flags` that the units need. */
function normalizeSlowPath(text: string, flags: number, { unitFlags, isV3 }: FoldingRules, runs: RunBuffer): void {
  let { length } = text;
  const needsComposition = (flags & NEEDS_COMPOSITION) !== 0;
  if (needsComposition) {
    const composed = text.normalize('NFC');
    length = composed.length;
    ensureCapacity(runs, length);
    runs.read(composed, 0, length);
    runs.units[length] = 0;
  }
  const needsRewrite =
    (flags & NEEDS_REWRITE) !== 0 ||
    (isV3 && (flags & NEEDS_QUOTE_FOLDING) !== 0) ||
    ((flags & NEEDS_SURROGATE_CHECK) !== 0 && !text.isWellFormed());
  if (needsRewrite) length = rewriteUnits(runs.units, length, unitFlags, isV3);
  if (needsRewrite || needsComposition) splitRuns(runs, 0, length, unitFlags);
}

function ensureCapacity(runs: RunBuffer, length: number): void {
  if (runs.units.length < length + PADDING) Object.assign(runs, createRunBuffer(length + (length >> 1)));
}

/** Deletes, folds and replaces units in place, in the order of the rules. Expects a zero after the last unit. */
function rewriteUnits(units: Uint16Array, length: number, unitFlags: Uint8Array, foldQuotes: boolean): number {
  let out = 0;
  for (let k = 0; k < length; k++) {
    const unit = units[k]!;
    if (unitFlags[unit]! < NEEDS_REWRITE && unit !== SARA_AA) {
      units[out++] = unit;
      continue;
    }
    if (isControl(unit) || isPrivateUse(unit)) continue;
    if (unit >= 0xd800 && unit <= 0xdfff) {
      const low = units[k + 1]!;
      if (unit <= 0xdbff && low >= 0xdc00 && low <= 0xdfff) {
        units[out++] = unit;
        units[out++] = low;
        k++;
      } else units[out++] = REPLACEMENT;
    } else if (isFoldedSpace(unit)) units[out++] = SPACE_CHARACTER;
    else if (unit === SARA_AA && out > 0 && units[out - 1] === NIKHAHIT) units[out - 1] = SARA_AM;
    else units[out++] = foldQuotes ? toStraightQuote(unit) || unit : unit;
  }
  return out;
}
