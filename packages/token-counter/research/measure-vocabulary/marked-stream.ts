/**
 * Creates the marked stream of a text as the measured package does: runs by class, with markers for spaces and case.
 */
import {
  CASED,
  EDGED,
  LOWER,
  NUMBER_DECIMAL,
  PLAIN,
  SELECTOR,
  SPACE,
  CASELESS,
  UPPER,
  WORD,
  unitCaseFlags,
  unitClass,
  unitLowerCase,
} from './character-classes.ts';

export const OPEN = 2;
export const CLOSE = 3;
export const CAPITAL = 4;
export const ALL_CAPS = 5;
export type Vocabulary = 'v3' | 'v4.7';

/** Words that continue the preceding apostrophe. */
export const CONTRACTIONS: ReadonlySet<string> = new Set(['s', 't', 'd', 'm', 'll', 're', 've']);

/** Normalizes a text before it is split into runs. */
export function normalize(text: string, vocabulary: Vocabulary): string {
  let out = text.toWellFormed().normalize('NFC');
  out = out.replace(/[\u0001-\u0008\u000b-\u001f\u007f-\u009f]/g, '').replaceAll('\0', ' ');
  out = out.replaceAll('\u0e4d\u0e32', '\u0e33').replace(/[\ue000-\uf8ff]/g, '');
  if (vocabulary === 'v3') out = out.replace(/[\u2018\u2019]/g, "'").replace(/[\u201c\u201d]/g, '"');
  return out.replace(/[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f]/g, ' ');
}

const isEdged = (kind: number): boolean => kind >= EDGED;

let text = '';
let marked = new Uint16Array(1 << 12);
let length = 0;

const getClassAt = (index: number): number =>
  index < 0 || index >= text.length ? -1 : (unitClass[text.charCodeAt(index)] ?? PLAIN);
const isSpaceAt = (index: number): boolean => text.charCodeAt(index) === 32;

/** Marks one normalized text that begins and ends with a letter. The result is valid until the next call. */
export function markStream(normalized: string, vocabulary: Vocabulary): Uint16Array {
  text = normalized;
  length = 0;
  if (marked.length < text.length * 4 + 16) marked = new Uint16Array(text.length * 6);
  let start = 0;
  while (start < text.length) {
    const kind = getClassAt(start);
    let end = start + 1;
    if (isEdged(kind)) {
      while (isEdged(getClassAt(end))) end++;
      writeEdged(start, end);
    } else {
      while (getClassAt(end) === kind) end++;
      if (kind === WORD) writeWord(start, end, vocabulary);
      else for (let index = start; index < end; index++) marked[length++] = text.charCodeAt(index);
    }
    start = end;
  }
  return marked.subarray(0, length);
}

function writeOpenMarker(caseMarker: number): void {
  // `]` + one space + optional case marker + `[`: the two markers imply the space.
  if (length > 1 && marked[length - 1] === 32 && marked[length - 2] === CLOSE) length--;
  if (caseMarker !== 0) marked[length++] = caseMarker;
  marked[length++] = OPEN;
}

function writeEdged(start: number, end: number): void {
  const isApostropheOfWord = end === start + 1 && text.charCodeAt(start) === 0x27 && getClassAt(end) === WORD;
  if (isSpaceAt(start - 1) && !isApostropheOfWord && takesMarkerAtEdge(start, end, 1)) writeOpenMarker(0);
  for (let index = start; index < end; index++) marked[length++] = text.charCodeAt(index);
  if (isSpaceAt(end) && !isSpaceAt(end + 1) && takesMarkerAtEdge(start, end, -1)) marked[length++] = CLOSE;
}

/**
 * Returns whether a side is marked. A side that ends in a number is marked only if its outermost block of numbers is
 * all decimal or all other. A selector belongs to the preceding number and makes the block mixed. Before the first
 * number of the block it does not count.
 */
function takesMarkerAtEdge(start: number, end: number, step: 1 | -1): boolean {
  const outermost = getClassAt(step === 1 ? start : end - 1);
  if (outermost < NUMBER_DECIMAL) return true;
  let hasSelector = false;
  for (let index = step === 1 ? start : end - 1; index >= start && index < end; index += step) {
    const kind = getClassAt(index);
    if (kind < SELECTOR) break;
    if (kind === SELECTOR) hasSelector = true;
    else if (kind !== outermost || hasSelector) return false;
  }
  return step === -1 || !hasSelector;
}

function isContraction(start: number, end: number): boolean {
  if (end - start > 2 || text.charCodeAt(start - 1) !== 0x27 || !CONTRACTIONS.has(text.slice(start, end))) return false;
  const before = text.charCodeAt(start - 2);
  if (before >= 0x24b6 && before <= 0x24e9) return false;
  const kind = getClassAt(start - 2);
  if (!isEdged(kind)) return true;
  let runStart = start - 1;
  while (isEdged(getClassAt(runStart - 1))) runStart--;
  return !takesMarkerAtEdge(runStart, start - 1, -1);
}

function writeWord(start: number, end: number, vocabulary: Vocabulary): void {
  const caseMarker = getCaseMarker(start, end, vocabulary);
  if (caseMarker !== 0 || !isContraction(start, end)) writeOpenMarker(caseMarker);
  for (let index = start; index < end; index++) {
    const unit = text.charCodeAt(index);
    marked[length++] = caseMarker !== 0 && unit !== 0x130 ? (unitLowerCase[unit] ?? unit) : unit;
  }
  marked[length++] = CLOSE;
}

function getCaseMarker(start: number, end: number, vocabulary: Vocabulary): number {
  let allCaseBits = 0;
  let capitals = 0;
  let dotted = 0;
  for (let index = start; index < end; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0x1e9e) return 0;
    const bits = unitCaseFlags[unit] ?? 0;
    allCaseBits |= bits;
    if (unit === 0x130) dotted++;
    else if ((bits & UPPER) !== 0) capitals++;
  }
  if ((allCaseBits & UPPER) === 0) return 0;
  const first = text.charCodeAt(start);
  const startsCapital = first !== 0x130 && ((unitCaseFlags[first] ?? 0) & CASED) !== 0 && capitals === 1;
  if (dotted > 0) return startsCapital ? CAPITAL : 0;
  if (vocabulary === 'v3' && end - start >= 4 && (allCaseBits & (LOWER | CASELESS)) === 0) return ALL_CAPS;
  return startsCapital ? CAPITAL : 0;
}

/** Returns whether the unit at `index` of a stream begins a part that can be counted separately. */
export function isSplitPoint(stream: Uint16Array, index: number): boolean {
  const unit = stream[index] ?? 0;
  const before = stream[index - 1] ?? 0;
  if (before === CLOSE) return true;
  if (unit === OPEN) return before !== CAPITAL && before !== ALL_CAPS;
  if (unit === CAPITAL || unit === ALL_CAPS) return true;
  const isSpace = unit > 5 && unitClass[unit] === SPACE;
  return isSpace !== (before > 5 && unitClass[before] === SPACE);
}
