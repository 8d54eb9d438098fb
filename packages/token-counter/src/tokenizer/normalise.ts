/** Raw text to normalised units cut into runs, the first step of counting. */
import {
  CARE_COMPOSES,
  CARE_QUOTE,
  CARE_REWRITES,
  CARE_SURROGATE,
  isControl,
  isFoldedBlank,
  isPrivateUse,
  NIKHAHIT,
  SARA_AA,
  SARA_AM,
  straightQuote,
} from './characters.ts';
import { BLANK } from './markers.ts';
import { createReadUnits, type ReadUnits } from './read-units.ts';
import { RUN_MASK } from './run-kinds.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Normalised units of a piece of text and the runs they form. */
export interface Runs {
  /** The units; two zeros follow the last one, and PADDING units in all may be read. */
  units: Uint16Array;
  /** The same memory, for reading two units at once. */
  view: DataView;
  /** Fills that memory. */
  read: ReadUnits;
  length: number;
  /** Run k is `units[starts[k] … starts[k + 1])`. */
  starts: Int32Array;
  count: number;
}

/** Units behind the last one that may be read (never what they hold). */
const PADDING = 16;

const REPLACEMENT = 0xfffd;

/** What of a vocabulary decides how a text is normalised. */
type Folding = Pick<Vocabulary, 'traits' | 'older'>;

export function createRuns(capacity: number): Runs {
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
 * Fills `runs` with `text[from … to)`; its arrays grow where they must. Canonical composition is the engine's own: an
 * engine with an older Unicode would only miss compositions that are newer than it.
 */
export function normalise(text: string, from: number, to: number, vocabulary: Folding, runs: Runs): void {
  makeRoom(runs, to - from);
  runs.read(text, from, to);
  const care = cutRuns(runs, 0, to - from, vocabulary.traits);
  if (care > RUN_MASK) mend(text.slice(from, to), care, vocabulary, runs);
}

/**
 * Cuts `units[from … to)` into runs and ends them there. Returns what care the units need (bits of CARE_*). Without a
 * branch per unit it spares the pricing loop a mispredicted branch per run (a third of its time).
 */
export function cutRuns(runs: Runs, from: number, to: number, traits: Uint8Array): number {
  const { units, starts } = runs;
  let care = 0;
  let count = 0;
  let previous = RUN_MASK;
  for (let k = from; k < to; k++) {
    const trait = traits[units[k]!]!;
    starts[count] = k;
    care |= trait;
    count += (((trait ^ previous) & RUN_MASK) + RUN_MASK) >> 3;
    previous = trait;
  }
  starts[count] = to;
  runs.count = count;
  runs.length = to;
  units[to] = 0;
  units[to + 1] = 0;
  return care;
}

/** Composes and rewrites what `care` says that the units need. */
function mend(text: string, care: number, { traits, older }: Folding, runs: Runs): void {
  let { length } = text;
  const composes = (care & CARE_COMPOSES) !== 0;
  if (composes) {
    const composed = text.normalize('NFC');
    length = composed.length;
    makeRoom(runs, length);
    runs.read(composed, 0, length);
    runs.units[length] = 0;
  }
  const rewrites =
    (care & CARE_REWRITES) !== 0 ||
    (older && (care & CARE_QUOTE) !== 0) ||
    ((care & CARE_SURROGATE) !== 0 && !text.isWellFormed());
  if (rewrites) length = rewrite(runs.units, length, traits, older);
  if (rewrites || composes) cutRuns(runs, 0, length, traits);
}

function makeRoom(runs: Runs, length: number): void {
  if (runs.units.length < length + PADDING) Object.assign(runs, createRuns(length + (length >> 1)));
}

/** Deletes, folds and replaces in place, in the order of the rules; expects a zero behind the last unit. */
function rewrite(units: Uint16Array, length: number, traits: Uint8Array, foldQuotes: boolean): number {
  let out = 0;
  for (let k = 0; k < length; k++) {
    const unit = units[k]!;
    if (traits[unit]! < CARE_REWRITES && unit !== SARA_AA) {
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
    } else if (isFoldedBlank(unit)) units[out++] = BLANK;
    else if (unit === SARA_AA && out > 0 && units[out - 1] === NIKHAHIT) units[out - 1] = SARA_AM;
    else units[out++] = foldQuotes ? straightQuote(unit) || unit : unit;
  }
  return out;
}
