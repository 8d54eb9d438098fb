/** Properties of each UTF-16 unit, as flat tables: see the shared rules and `character-table.ts`. */
import { casingRuns, classRuns, composingRuns, lowerSeries } from '../../data/character-table.ts';

/** Classes of units in normalized text. Units of class EDGED and above may have markers at their ends. */
export const WORD = 0;
export const SPACE = 1;
export const PLAIN = 2;
export const EDGED = 3;
export const SELECTOR = 4;
export const DECIMAL = 5;
export const OTHER_NUMBER = 6;

/** Casing of units, for the case marker of a word. */
const CASELESS = 0;
export const CAPITAL = 1;
export const LOWER = 2;
export const CAPITAL_WITHOUT_LOWER = 3;
export const NO_LETTER = 4;

/** Flags of the required normalization steps. The lowest three bits are free for the kind of run (`run-kinds.ts`). */
export const NEEDS_COMPOSITION = 8;
export const NEEDS_REWRITE = 16;
export const NEEDS_QUOTE_FOLDING = 32;
export const NEEDS_SURROGATE_CHECK = 64;

const UNIT_COUNT = 0x10000;

/** Thai: NIKHAHIT and SARA AA are combined into SARA AM. */
export const NIKHAHIT = 0x0e4d;
export const SARA_AA = 0x0e32;
export const SARA_AM = 0x0e33;

/** Decodes a table from runs of `<length in base 36><letter>`. */
function decodeRunLengths(runs: string, values: Readonly<Record<string, number>>): Uint8Array {
  const table = new Uint8Array(UNIT_COUNT);
  let unit = 0;
  let length = 0;
  for (let i = 0; i < runs.length; i++) {
    const code = runs.charCodeAt(i);
    if (code >= 0x61) length = length * 36 + code - 0x57;
    else if (code <= 0x39) length = length * 36 + code - 0x30;
    else {
      table.fill(values[runs.charAt(i)] ?? 0, unit, unit + length);
      unit += length;
      length = 0;
    }
  }
  return table;
}

/** Class of every unit. Normalized text never contains U+0000, and the zeros after its end are PLAIN. */
export const unitClass = decodeRunLengths(classRuns, {
  W: WORD,
  S: SPACE,
  P: PLAIN,
  E: EDGED,
  V: SELECTOR,
  D: DECIMAL,
  O: OTHER_NUMBER,
});

export const unitCasing = decodeRunLengths(casingRuns, {
  C: CASELESS,
  U: CAPITAL,
  L: LOWER,
  M: CAPITAL_WITHOUT_LOWER,
  N: NO_LETTER,
});

/** Simple lower-case form of every unit, or the unit itself if it has none. */
export const unitLowerCase = new Uint16Array(UNIT_COUNT);
for (let unit = 0; unit < UNIT_COUNT; unit++) unitLowerCase[unit] = unit;
for (const entry of lowerSeries.split(' ')) {
  const [first = 0, count = 0, step = 0, delta = 0] = entry.split(',').map((number) => parseInt(number, 36));
  for (let k = 0; k < count; k++) unitLowerCase[first + k * step] = first + k * step + delta;
}

/** Returns whether a unit is a deleted C0 or C1 control: all except for TAB, LF and NUL (which becomes a space). */
export function isControl(unit: number): boolean {
  return (unit < 0x20 && unit !== 0 && unit !== 0x09 && unit !== 0x0a) || (unit >= 0x7f && unit <= 0x9f);
}

/** Returns whether a unit is in the private use area of the basic plane, which is deleted. */
export function isPrivateUse(unit: number): boolean {
  return unit >= 0xe000 && unit <= 0xf8ff;
}

/** Returns whether a unit is a separator (or NUL) that becomes U+0020. U+3000 does not. */
export function isFoldedSpace(unit: number): boolean {
  return (
    unit === 0 ||
    unit === 0xa0 ||
    unit === 0x1680 ||
    (unit >= 0x2000 && unit <= 0x200a) ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x202f ||
    unit === 0x205f
  );
}

/** Returns the ASCII form of the four curly quotes that the older family converts, or else 0. */
export function toStraightQuote(unit: number): number {
  if (unit === 0x2018 || unit === 0x2019) return 0x27;
  return unit === 0x201c || unit === 0x201d ? 0x22 : 0;
}

/** Flags of the normalization steps that a text with this unit needs: the bits of NEEDS_*. */
export const unitNormalizationFlags = decodeRunLengths(composingRuns, { Y: NEEDS_COMPOSITION, N: 0 });
// Check only the blocks that contain such units: checking all 65,536 units took half of the 28 ms import time.
for (const [first, last] of [
  [0, 0xff],
  [NIKHAHIT, NIKHAHIT],
  [0x1680, 0x1680],
  [0x2000, 0x206f],
] as const) {
  for (let unit = first; unit <= last; unit++) {
    if (isControl(unit) || isFoldedSpace(unit) || unit === NIKHAHIT) unitNormalizationFlags[unit]! |= NEEDS_REWRITE;
    if (toStraightQuote(unit) !== 0) unitNormalizationFlags[unit]! |= NEEDS_QUOTE_FOLDING;
  }
}
for (let unit = 0xe000; isPrivateUse(unit); unit++) unitNormalizationFlags[unit]! |= NEEDS_REWRITE;
for (let unit = 0xd800; unit <= 0xdfff; unit++) unitNormalizationFlags[unit]! |= NEEDS_SURROGATE_CHECK;
