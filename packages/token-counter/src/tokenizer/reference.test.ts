import assert from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import type { TextFamily } from './families.ts';
import { countConcatenated, countContent } from './index.ts';
import { edgeStrings, edgeSymbols } from '../../test/edge-strings.ts';
import { randomText } from '../../test/random-texts.ts';
import { seeded } from '../../../../test/support/seeded.ts';
import { runsLongTests, seed } from '../../../../test/support/long-tests.ts';
import { countConcatenated as referenceInside, countContent as referenceCount, countUnsplit } from './reference.ts';

const families: readonly TextFamily[] = ['v3', 'v4.7', 'v5', 'v5-sonnet'];

function assertEqual(text: string): void {
  for (const family of families) {
    const fast = countContent(text, family);
    const reference = referenceCount(text, family);
    if (fast !== reference) assert.equal(fast, reference, `${family} ${JSON.stringify(text)}`);
  }
}

/** Kinds of text that the rules treat differently at boundaries, with arbitrary code units between them. */
const textArbitrary = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.constantFrom(...edgeSymbols), { maxLength: 12 }).map((parts) => parts.join('')) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
  fc.string({ unit: 'binary-ascii', maxLength: 60 }),
  fc.lorem({ mode: 'sentences', maxCount: 3 }),
  fc.json(),
  fc.webUrl(),
  fc.emailAddress(),
  fc.base64String(),
  fc.uint16Array({ maxLength: 20 }).map((units) => String.fromCharCode(...units)),
  fc.tuple(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 2 }), fc.nat(200)).map(([unit, n]) => unit.repeat(n)),
  fc.integer({ min: 1, max: 400 }).chain((parts) => fc.nat().map((s) => randomText(seeded(s + 1), parts, 7))),
);
const mixedText = fc.array(textArbitrary, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));

test('equals the reference for every kind of text in every family', () => {
  fc.assert(
    fc.property(mixedText, fc.constantFrom(...families), (text, family) => {
      assert.equal(countContent(text, family), referenceCount(text, family));
      assert.equal(countConcatenated([text], family), referenceInside(text, family));
    }),
    { seed, numRuns: runsLongTests ? 20_000 : 2_000 },
  );
});

test('equals one segmentation of the whole text when pre-tokens are counted separately', () => {
  fc.assert(
    fc.property(mixedText, fc.constantFrom('v3', 'v4.7'), (text, family) => {
      assert.equal(referenceInside(text, family), countUnsplit(text, family));
    }),
    { seed, numRuns: runsLongTests ? 5_000 : 500 },
  );
});

test('equals the reference for any string of up to three edge symbols', () => {
  for (const text of edgeStrings(3)) assertEqual(text);
});

test('equals the reference when a text ends in up to 199 line feeds', () => {
  const step = runsLongTests ? 1 : 4;
  console.log(`from ${seed % step}, each ${step}th; seed ${seed}`);
  for (const head of ['', 'a', ' ', '1', '\u6587'])
    for (let n = seed % step; n < 200; n += step) assertEqual(head + '\n'.repeat(n));
});

test('equals the reference when one symbol is repeated, with or without spaces', () => {
  const step = runsLongTests ? 1 : 2;
  console.log(`every symbol at each ${step}th length; seed ${seed}`);
  const symbols = ['=', '-', '.', '#', '\u00b7', '\u2550', '\u00a7', '\u00b2', '\uff0c', 'a', '\u4e2d', '_'];
  const lengths = [3, 64, 66, 126, 127, 129, 133, 300];
  for (const [symbolIndex, symbol] of symbols.entries()) {
    for (let at = (seed + symbolIndex) % step; at < lengths.length; at += step) {
      const row = symbol.repeat(lengths[at]!);
      for (const text of [row, `a ${row} b`, `a${row} b`, `|${row}|`]) assertEqual(text);
    }
  }
});

test('equals the reference for short random texts', () => {
  const next = seeded(7);
  for (let k = 0; k < 4000; k++) assertEqual(randomText(next, 1 + next(9), 2));
});

test('equals the reference when a long text is split and cached', () => {
  const next = seeded(11);
  for (const [family, wordsPerTen] of [
    ['v3', 9],
    ['v4.7', 5],
    ['v5', 9],
    ['v5-sonnet', 2],
  ] as const) {
    const text = randomText(next, 6000, wordsPerTen);
    const reference = referenceCount(text, family);
    assert.equal(countContent(text, family), reference);
    assert.equal(countContent(text, family), reference);
  }
});

test('equals the reference for each BMP character between letters or isolated', () => {
  const step = runsLongTests ? 1 : 11;
  const first = seed % step;
  console.log(`from U+${first.toString(16)}, each ${step}th; seed ${seed}`);
  for (let unit = first, turn = 0; unit < 0x10000; unit += step, turn++) {
    const character = String.fromCharCode(unit);
    const text = `${character} a${character}b ${character} ${character}Q`;
    const family = turn % 2 === 0 ? 'v3' : 'v4.7';
    const fast = countContent(text, family);
    const reference = referenceCount(text, family);
    if (fast !== reference) assert.equal(fast, reference, `${family} U+${unit.toString(16)}`);
  }
});
