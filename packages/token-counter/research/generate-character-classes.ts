/**
 * Writes data/character-table.ts, the classes of all UTF-16 units: `npx node
 * packages/token-counter/research/generate-character-classes.ts`. The sources are the Unicode data of the running
 * engine (16 or 17, without the letters that are new in 17) and the orthographic lists below, which no property
 * predicts. With `--check` it fails if the file is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { separatorMarks, viramas } from './character-lists.ts';

const target = new URL('../data/character-table.ts', import.meta.url);

const lettersNewIn17 = '088F 0C5C 0CDC 1ACF-1ADD 1AE0-1AEB A7CE-A7CF A7D2 A7D4 A7F1';
const wordNumbers = '16EE-16F0 2160-2188 24B6-24E9 A6E6-A6EF';
const hanAndHangul = '3400-4DBF 4E00-9FFF F900-FAFF AC00-D7A3';
const plainIdeographic = '3004-3006 3012-3013 3020 3031-3037 303B-303C 303E-303F';
const edgedDigits = '0660-0669 06F0-06F9 06DD-06DE 06E9';

function parseRanges(list: string): Set<number> {
  const set = new Set<number>();
  for (const range of list.split(' ')) {
    const [from, to] = range.split('-').map((hex) => parseInt(hex, 16));
    for (let unit = from ?? 0; unit <= (to ?? from ?? -1); unit++) set.add(unit);
  }
  return set;
}

const unicode17Letters = parseRanges(lettersNewIn17);
const separatorUnits = parseRanges(`${viramas} ${separatorMarks}`);
const wordNumberUnits = parseRanges(wordNumbers);
const hanAndHangulUnits = parseRanges(hanAndHangul);
const plainIdeographicUnits = parseRanges(plainIdeographic);
const edgedDigitUnits = parseRanges(edgedDigits);

const hasProperty = (character: string, property: RegExp, unit: number): boolean =>
  !unicode17Letters.has(unit) && property.test(character);

/**
 * Returns one letter per class: W word, S space, P plain, E edged, D other decimal digits, O other numbers, V selector.
 */
function getCharacterClass(unit: number): string {
  const character = String.fromCharCode(unit);
  const unassigned = unicode17Letters.has(unit) || /\p{Cn}/u.test(character);
  if (unit === 0x20 || unit === 0x09 || unit === 0x0a || unit === 0x3000) return 'S';
  if (separatorUnits.has(unit)) return 'E';
  if (wordNumberUnits.has(unit)) return 'W';
  if (unit >= 0x30 && unit <= 0x39) return 'P';
  if (hanAndHangulUnits.has(unit)) return unassigned ? 'E' : 'P';
  if (plainIdeographicUnits.has(unit)) return 'P';
  if (unit >= 0x3001 && unit <= 0x303f && /\p{P}/u.test(character)) return 'P';
  if (unit >= 0xfe00 && unit <= 0xfe0f) return 'V';
  if (edgedDigitUnits.has(unit)) return 'E';
  if (hasProperty(character, /[\p{L}\p{M}]/u, unit)) return 'W';
  if (unassigned || /[\p{P}\p{S}\p{Cf}]/u.test(character)) return 'E';
  if (/\p{Nd}/u.test(character)) return 'D';
  if (/\p{No}/u.test(character)) return 'O';
  return 'P';
}

function toLowerUnit(unit: number): number {
  // U+0130 has no one-unit lower form. U+03F4 counts as caseless.
  if (unit === 0x0130 || unit === 0x03f4 || unicode17Letters.has(unit)) return unit;
  const lower = String.fromCharCode(unit).toLowerCase();
  return lower.length === 1 ? lower.charCodeAt(0) : unit;
}

/**
 * Returns the casing: U capital with a lower form, L lower case, M upper case without a lower form, C caseless letter
 * or mark, N other.
 */
function getCasing(unit: number): string {
  const character = String.fromCharCode(unit);
  if (hasProperty(character, /\p{Lowercase}/u, unit)) return 'L';
  if (unit === 0x0130) return 'U';
  if (hasProperty(character, /\p{Uppercase}/u, unit) && unit !== 0x03f4) return toLowerUnit(unit) === unit ? 'M' : 'U';
  return hasProperty(character, /[\p{L}\p{M}]/u, unit) ? 'C' : 'N';
}

/**
 * Returns a function that returns Y if NFC may change the unit or join it to its neighbors (for a high surrogate: any
 * of its characters), or else N.
 */
function createComposingTest(): (unit: number) => string {
  const composing = new Set<number>();
  const add = (codePoint: number): void => {
    composing.add(String.fromCodePoint(codePoint).charCodeAt(0));
  };
  for (let codePoint = 0; codePoint <= 0x2ffff; codePoint++) {
    if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue;
    const character = String.fromCodePoint(codePoint);
    const withCombiningMark = `\u0345${character}`;
    if (
      character.normalize('NFC') !== character ||
      withCombiningMark.normalize('NFC') !== withCombiningMark ||
      codePoint === 0x345
    )
      add(codePoint);
    const parts = [...character.normalize('NFD')];
    for (const part of parts.slice(1)) add(part.codePointAt(0) ?? 0);
  }
  return (unit) => (composing.has(unit) ? 'Y' : 'N');
}

/** Returns `<length in base 36><letter>` for each run of units that share a letter. */
function encodeRunLengths(getLetter: (unit: number) => string): string {
  let out = '';
  let from = 0;
  for (let unit = 1; unit <= 0x10000; unit++) {
    if (unit < 0x10000 && getLetter(unit) === getLetter(from)) continue;
    out += (unit - from).toString(36) + getLetter(from);
    from = unit;
  }
  return out;
}

/**
 * Returns `first,count,step,delta` in base 36 for each series of capitals with an equal distance to their lower forms.
 */
function encodeLowerSeries(): string {
  const series: { first: number; count: number; step: number; delta: number }[] = [];
  for (let unit = 0; unit < 0x10000; unit++) {
    const delta = toLowerUnit(unit) - unit;
    if (delta === 0 || getCasing(unit) !== 'U') continue;
    const last = series.at(-1);
    const gap = last === undefined ? 0 : unit - (last.first + (last.count - 1) * last.step);
    if (
      last !== undefined &&
      last.delta === delta &&
      (gap === 1 || gap === 2) &&
      (last.count === 1 || gap === last.step)
    ) {
      last.step = gap;
      last.count++;
    } else series.push({ first: unit, count: 1, step: 1, delta });
  }
  return series.map((s) => [s.first, s.count, s.step, s.delta].map((n) => n.toString(36)).join(',')).join(' ');
}

function memoize(getLetter: (unit: number) => string): (unit: number) => string {
  const letters: string[] = [];
  return (unit) => {
    letters[unit] ??= getLetter(unit);
    return letters[unit];
  };
}

function formatExport(name: string, doc: string, text: string): string {
  const lines = text.match(/.{1,130}/gsu) ?? [];
  return `/** ${doc} */\nexport const ${name} =\n${lines.map((line) => `  '${line}'`).join(' +\n')};\n`;
}

const unicodeVersion = process.versions.unicode ?? '';
if (!['16.0', '17.0'].includes(unicodeVersion))
  throw new Error(`This needs an engine with Unicode 16 or 17; this one has ${unicodeVersion}.`);

const table = [
  '// Generated by `npx node packages/token-counter/research/generate-character-classes.ts` (Unicode 16). Do not edit.\n',
  formatExport(
    'classRuns',
    'W word, S space, P plain, E edged, D and O numbers, V selector: `<length in base 36>' +
      '<letter>` over all UTF-16 units.',
    encodeRunLengths(memoize(getCharacterClass)),
  ),
  formatExport(
    'casingRuns',
    'U capital, L lower case, M upper case without lower form, C caseless letter or mark, N else.',
    encodeRunLengths(memoize(getCasing)),
  ),
  formatExport(
    'composingRuns',
    'Y where NFC may change or join the unit (a high surrogate: any of its characters).',
    encodeRunLengths(memoize(createComposingTest())),
  ),
  formatExport('lowerSeries', 'Simple lower forms: `first,count,step,delta` in base 36.', encodeLowerSeries()),
].join('\n');

if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== table) {
    console.error(
      'character-table.ts is stale: run `npx node packages/token-counter/research/generate-character-classes.ts`.',
    );
    process.exit(1);
  }
} else writeFileSync(target, table);
