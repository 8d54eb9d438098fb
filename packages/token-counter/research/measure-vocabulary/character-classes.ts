/**
 * Character classes of the measured package, built from the engine's Unicode properties. Apart from the lists of marks
 * this is an independent and slower implementation of the counter's table. A disagreement between the two results in a
 * piece that cannot be measured. The package is older than the counter's rules in three places, which are named below.
 */
import { separatorMarks, viramas } from '../character-lists.ts';

export const SPACE = 0;
export const WORD = 1;
export const PLAIN = 2;
export const EDGED = 3;
export const SELECTOR = 4;
export const NUMBER_DECIMAL = 5;
const NUMBER_OTHER = 6;

// the last three: older version of the package
const WORD_EXTRAS = '16EE-16F0 2160-2188 24B6-24E9 A6E6-A6EF 3031-3035 303B 303C';
// from 3004 on: older version
const EDGED_EXTRAS = '0660-0669 06F0-06F9 06DD 06DE 06E9 3004 3012 3013 3020 3036 3037 303E 303F';
const PLAIN_RANGES = '0030-0039 3400-4DBF 4E00-9FFF F900-FAFF AC00-D7A3 3005 3006 D800-DFFF';
const LETTERS_OF_UNICODE_17 = '088F 0C5C 0CDC 1ACF-1ADD 1AE0-1AEB A7CE A7CF A7D2 A7D4 A7F1';

/** Calls `visit` for every code unit of a list such as `0300-0344 0658` (hexadecimal). */
function forEachInRanges(ranges: string, visit: (unit: number) => void): void {
  for (const range of ranges.split(' ')) {
    const [from = '', to = from] = range.split('-');
    for (let unit = parseInt(from, 16); unit <= parseInt(to, 16); unit++) visit(unit);
  }
}

function getCharacterClass(char: string): number {
  if (/[\u0020\t\n\u3000]/u.test(char)) return SPACE;
  if (/[\ufe00-\ufe0f]/u.test(char)) return SELECTOR;
  if (/[\u3001-\u303f]/u.test(char) && /\p{P}/u.test(char)) return PLAIN;
  if (/[\p{L}\p{M}]/u.test(char)) return WORD;
  if (/[\p{P}\p{S}\p{Cf}\p{Cn}]/u.test(char)) return EDGED;
  if (/\p{Nd}/u.test(char)) return NUMBER_DECIMAL;
  return /\p{No}/u.test(char) ? NUMBER_OTHER : PLAIN;
}

function buildClasses(): Uint8Array {
  const classes = new Uint8Array(65536);
  for (let unit = 0; unit < 65536; unit++)
    classes[unit] = unit >= 0xd800 && unit < 0xe000 ? PLAIN : getCharacterClass(String.fromCharCode(unit));
  forEachInRanges(LETTERS_OF_UNICODE_17, (unit) => {
    classes[unit] = EDGED;
  });
  forEachInRanges(EDGED_EXTRAS, (unit) => {
    classes[unit] = EDGED;
  });
  forEachInRanges(PLAIN_RANGES, (unit) => {
    classes[unit] = /\p{Cn}/u.test(String.fromCharCode(unit)) ? EDGED : PLAIN;
  });
  forEachInRanges(WORD_EXTRAS, (unit) => {
    classes[unit] = WORD;
  });
  forEachInRanges(`${viramas} ${separatorMarks}`, (unit) => {
    classes[unit] = EDGED;
  });
  return classes;
}

/** Class of every UTF-16 code unit. Surrogates represent all characters above U+FFFF. */
export const unitClass: Uint8Array = buildClasses();

export const UPPER = 1;
export const LOWER = 2;
export const CASELESS = 4;
/** The unit has a different lower-case form. */
export const CASED = 8;

/** Simple lower case of every code unit, one unit each. */
export const unitLowerCase = new Uint16Array(65536);
/** The capital whose lower case is the unit, or 0. */
export const unitUpperCase = new Uint16Array(65536);
/** UPPER, LOWER, CASELESS and CASED flags of every code unit. */
export const unitCaseFlags = new Uint8Array(65536);

for (let unit = 0; unit < 65536; unit++) {
  const char = String.fromCharCode(unit);
  const lower = char.toLowerCase();
  unitLowerCase[unit] = lower.length === 1 ? lower.charCodeAt(0) : unit;
  if (unit >= 0xd800 && unit < 0xe000) continue;
  const upper = /\p{Uppercase}/u.test(char);
  const isLower = /\p{Lowercase}/u.test(char);
  const cased = upper && unitLowerCase[unit] !== unit;
  unitCaseFlags[unit] =
    (upper ? UPPER : 0) |
    (isLower ? LOWER : 0) |
    (cased ? CASED : 0) |
    (/[\p{L}\p{M}]/u.test(char) && !isLower && !cased ? CASELESS : 0);
}
for (let unit = 65535; unit >= 0; unit--) {
  if (((unitCaseFlags[unit] ?? 0) & CASED) !== 0) unitUpperCase[unitLowerCase[unit] ?? 0] = unit;
}
