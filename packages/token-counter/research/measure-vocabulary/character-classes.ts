/**
 * Character classes of the measured package, built from the engine's Unicode properties. This is an independent and
 * slower implementation of the counter's table. A disagreement between the two results in a piece that cannot be
 * measured. The package is older than the counter's rules in three places, which are named below.
 */
export const SPACE = 0;
export const WORD = 1;
export const PLAIN = 2;
export const EDGED = 3;
export const SELECTOR = 4;
export const NUMBER_DECIMAL = 5;
const NUMBER_OTHER = 6;

/**
 * Marks that end the preceding word and never begin one, in addition to canonical combining class 9. No property
 * predicts them.
 */
const SEPARATOR_MARKS =
  '0300-0344 0346-0362 0483-0489 0591-05AF 0658 06DF-06E0 06EA-06EC 0740-074A 07EB-07F3 07FD 0818-0819 ' +
  '082D 0859-085B ' +
  '0898-089F 08CA-08D3 08E0-08E1 08EA-08EF 093C 0951-0954 09BC 09FE 0A3C 0ABC 0AFD-0AFF 0B3C 0B55 0C3C ' +
  '0CBC 0E47-0E4C ' +
  '0E4E 0EC8-0ECC 0ECE 0F18-0F19 0F35 0F37 0F39 0F3E-0F3F 0F86-0F87 0FC6 1037 135D-135F 17B4-17B5 ' +
  '17C9-17D1 17D3 17DD ' +
  '180B-180D 180F 1939-193B 1A75-1A7C 1A7F 1AB0-1ABE 1AC1-1ACB 1B34 1B6B-1B73 1BE6 1C37 1CD0-1CE8 1CED ' +
  '1CF4 1CF7-1CF9 ' +
  '1DC0-1DD2 1DF5-1DFF 20D0-20F0 2CEF-2CF1 302A-302F 3099-309A A66F-A672 A67C-A67D A6F0-A6F1 A8E0-A8F1 ' +
  'A92B-A92D A9B3 ' +
  'AABF AAC1 ABEC FE20-FE2F ' +
  // canonical combining class 9, without U+0E3A
  '094D 09CD 0A4D 0ACD 0B4D 0BCD 0C4D 0CCD 0D3B 0D3C 0D4D 0DCA 0EBA 0F84 1039 103A 1714 1715 1734 17D2 ' +
  '1A60 1B44 1BAA ' +
  '1BAB 1BF2 1BF3 2D7F A806 A82C A8C4 A953 A9C0 AAF6 ABED';

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
  forEachInRanges(SEPARATOR_MARKS, (unit) => {
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
