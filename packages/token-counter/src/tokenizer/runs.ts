/** Prices normalised units: cuts them into runs, decides the markers at their borders, adds up the prices. */
import { classOf, DECIMAL, EDGED, OTHER_NUMBER, SELECTOR, WORD } from './characters.ts';
import { APOSTROPHE, BLANK, FORM_CLOSE, FORM_OPEN, LINE_FEED, TAB } from './markers.ts';
import { createRuns, type Runs } from './normalise.ts';
import { createPriceCache } from './price-cache.ts';
import { LONGEST_QUEUED, QUEUE } from './price-queue.ts';
import { RUN_ASTRAL, RUN_DIGITS, RUN_LONE, RUN_MASK, RUN_SPACE, RUN_WORD } from './run-kinds.ts';
import { createStretchPrice } from './stretches.ts';
import { createTile } from './tiling.ts';
import type { Vocabulary } from './vocabulary.ts';
import { createWordPrice, FORM_WORD } from './words.ts';

/** What stands before the units that are priced. */
interface Before {
  /** The frame ends with an opening marker, which is a blank: only where a message begins (older frames). */
  readonly frame: boolean;
  /** The stream ends with a closing marker, so a single blank before an opening one is not written. */
  readonly closed: boolean;
}

/** Makes what prices all runs of a text. */
export function createPriceRuns(vocabulary: Vocabulary): (text: Runs, before: Before) => number {
  const { traits, blanks, lineFeeds, tabs, ideographicSpaces } = vocabulary;
  const { unit: unitCost, astral: astralCost } = vocabulary.costs;
  const tile = createTile(vocabulary);
  const cache = createPriceCache();
  const wordPrice = createWordPrice(vocabulary, tile, cache);
  const stretchPrice = createStretchPrice(vocabulary, tile, cache);

  // One function for good: the optimising compiler gives up on a callee that is another one with every call.
  let current = createRuns(0);
  const missed = (start: number, length: number, form: number): number =>
    form === FORM_WORD
      ? wordPrice(current, start, start + length)
      : stretchPrice.missed(current, start, start + length, form);

  /** Prices white space: no piece mixes it with anything, nor one kind of it with another. */
  function spacePrice(units: Uint16Array, start: number, end: number): number {
    let price = 0;
    for (let from = start; from < end;) {
      const unit = units[from]!;
      let to = from + 1;
      while (to < end && units[to] === unit) to++;
      if (to === from + 1) price++;
      else if (unit === BLANK) price += blanks(to - from);
      else if (unit === LINE_FEED) price += lineFeeds(to - from);
      else if (unit === TAB) price += tabs(to - from);
      else price += ideographicSpaces(to - from);
      from = to;
    }
    return price;
  }

  function lonePrice(units: Uint16Array, start: number, end: number): number {
    let price = 0;
    for (let k = start; k < end; k++) price += unitCost[units[k]!]!;
    return price;
  }

  function astralPrice(units: Uint16Array, start: number, end: number): number {
    let price = 0;
    for (let k = start; k < end; k += 2)
      price += astralCost[(((units[k]! & 0x3ff) << 10) + (units[k + 1]! & 0x3ff) + 0x10000) >> 6]!;
    return price;
  }

  return (text, before) => {
    const { units, starts, count } = text;
    const from = starts[0]!;
    let total = 0;
    let closed = before.closed;
    let blankLeft = before.frame;
    // 1 while a single blank has been paid that the next opening marker absorbs.
    let absorbable = 0;
    current = text;
    let settled = 0;
    for (let run = 0; run < count; run++) {
      if (run - settled >= QUEUE) {
        total += cache.settle(text.view, missed);
        settled = run;
      }
      const start = starts[run]!;
      let end = starts[run + 1]!;
      const kind = traits[units[start]!]! & RUN_MASK;
      if (kind === RUN_WORD) {
        if (end - start <= LONGEST_QUEUED) cache.queue(start, end - start, FORM_WORD);
        else total += wordPrice(text, start, end);
        total -= absorbable;
        absorbable = 0;
        closed = true;
        blankLeft = false;
        // The blank between two words is not written: the most frequent border by far.
        if (units[end] === BLANK && classOf[units[end + 1]!] === WORD) run++;
      } else if (kind === RUN_SPACE) {
        if (start === from && before.frame && units[start] !== BLANK) total++;
        total += spacePrice(units, start, end);
        absorbable = closed && end === start + 1 && units[start] === BLANK ? 1 : 0;
        closed = false;
        blankLeft = units[end - 1] === BLANK;
      } else if (kind <= RUN_ASTRAL) {
        if (start === from && before.frame) total++;
        // Every ASCII digit string up to three is a piece and no other piece holds a digit.
        if (kind === RUN_DIGITS) total += Math.ceil((end - start) / 3);
        else total += kind === RUN_LONE ? lonePrice(units, start, end) : astralPrice(units, start, end);
        absorbable = 0;
        closed = false;
        blankLeft = false;
      } else {
        const apostrophe = units[end - 1] === APOSTROPHE && classOf[units[end]!] === WORD;
        const alone = apostrophe && end === start + 1;
        let form = 0;
        if (blankLeft && classOf[units[start]!]! >= EDGED && !alone && numbersTakeMarker(units, start, 1, from))
          form = FORM_OPEN;
        if (start === from && before.frame && form === 0) {
          if (alone) total++;
          else form = FORM_OPEN;
        }
        if (units[end] === BLANK && units[end + 1] !== BLANK) {
          if (classOf[units[end - 1]!]! >= EDGED && numbersTakeMarker(units, end - 1, -1, from)) form |= FORM_CLOSE;
        } else if (apostrophe && mayContract(units, end - 1, from) && isContraction(units, end, starts[run + 2]!)) {
          end = starts[++run + 1]!;
          form |= FORM_CLOSE;
        }
        total += stretchPrice.now(text, start, end, form);
        if ((form & FORM_OPEN) !== 0) total -= absorbable;
        absorbable = 0;
        closed = (form & FORM_CLOSE) !== 0;
        blankLeft = false;
      }
    }
    return total + cache.settle(text.view, missed);
  };
}

/**
 * Whether the numbers at the outer end `at` of an edged run let a marker stand there; `step` leads inward. They do
 * where the block (a number and all numbers and selectors behind it) is of one kind; selectors before its first number
 * are no part of it.
 */
function numbersTakeMarker(units: Uint16Array, at: number, step: number, from: number): boolean {
  const kind = classOf[units[at]!]!;
  if (kind !== DECIMAL && kind !== OTHER_NUMBER) return true;
  let selectors = false;
  for (let k = at + step; k >= from; k += step) {
    const next = classOf[units[k]!]!;
    if (next < SELECTOR) break;
    if (next === SELECTOR) {
      if (step > 0) return false;
      selectors = true;
    } else if (selectors || next !== kind) return false;
  }
  return true;
}

/** Whether the apostrophe at `at` may bind the contraction behind it: what stands before it is no edged run. */
function mayContract(units: Uint16Array, at: number, from: number): boolean {
  if (at === from) return true;
  const before = units[at - 1]!;
  const kind = classOf[before]!;
  if (kind < EDGED) return !(before >= 0x24b6 && before <= 0x24e9);
  return !numbersTakeMarker(units, at - 1, -1, from);
}

/** Whether `units[start … end)` is exactly one of s, t, d, m, ll, re, ve. */
function isContraction(units: Uint16Array, start: number, end: number): boolean {
  const first = units[start]!;
  const second = units[start + 1]!;
  if (end - start === 1) return first === 0x73 || first === 0x74 || first === 0x64 || first === 0x6d;
  if (end - start !== 2) return false;
  return (first === 0x6c && second === 0x6c) || (second === 0x65 && (first === 0x72 || first === 0x76));
}
