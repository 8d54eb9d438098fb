import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { TextFamily } from './families.ts';
import { countContent } from './index.ts';
import { edgeStrings } from '../../test/edge-strings.ts';
import { randomText } from '../../test/random-texts.ts';
import { seeded } from '../../../../test/support/seeded.ts';
import { everything, seed } from '../../../../test/support/long-tests.ts';
import { slowCount } from '../../test/slow-count.ts';

const families: readonly TextFamily[] = ['v3', 'v4.7', 'v5', 'v5-sonnet'];

function assertEqual(text: string): void {
  for (const family of families) {
    const [fast, slow] = [countContent(text, family), slowCount(text, family)];
    if (fast !== slow) assert.equal(fast, slow, `${family} ${JSON.stringify(text)}`);
  }
}

test('every string of up to three edge symbols counts as the rules say, in all families', () => {
  for (const text of edgeStrings(3)) assertEqual(text);
});

test(
  'up to 199 trailing line feeds, one number of them in four or all, count as the rules say',
  { tags: ['slow'] },
  () => {
    const step = everything ? 1 : 4;
    console.log(`from ${seed % step}, each ${step}th; seed ${seed}`);
    for (const head of ['', 'a', ' ', '1', '\u6587'])
      for (let n = seed % step; n < 200; n += step) assertEqual(head + '\n'.repeat(n));
  },
);

test(
  'rows of one symbol, short and long, with and without blanks around them, count as the rules say',
  { tags: ['slow'] },
  () => {
    const step = everything ? 1 : 2;
    console.log(`every symbol at each ${step}th length; seed ${seed}`);
    const symbols = ['=', '-', '.', '#', '\u00b7', '\u2550', '\u00a7', '\u00b2', '\uff0c', 'a', '\u4e2d', '_'];
    const lengths = [3, 64, 66, 126, 127, 129, 133, 300];
    for (const [place, symbol] of symbols.entries()) {
      for (let at = (seed + place) % step; at < lengths.length; at += step) {
        const row = symbol.repeat(lengths[at]!);
        for (const text of [row, `a ${row} b`, `a${row} b`, `|${row}|`]) assertEqual(text);
      }
    }
  },
);

test('short random strings count as the rules say', () => {
  const next = seeded(7);
  for (let k = 0; k < 4000; k++) assertEqual(randomText(next, 1 + next(9), 2));
});

test(
  'long random texts, which are cut into chunks and remembered, count as the rules say, at first and again',
  { tags: ['slow'] },
  () => {
    const next = seeded(11);
    for (const [family, wordsIn10] of [
      ['v3', 9],
      ['v4.7', 5],
      ['v5', 9],
      ['v5-sonnet', 2],
    ] as const) {
      const text = randomText(next, 6000, wordsIn10);
      const slow = slowCount(text, family);
      assert.equal(countContent(text, family), slow);
      assert.equal(countContent(text, family), slow);
    }
  },
);

test('characters of the basic plane, one in eleven or all, count as the rules say between letters and alone', () => {
  const step = everything ? 1 : 11;
  const first = seed % step;
  console.log(`from U+${first.toString(16)}, each ${step}th; seed ${seed}`);
  for (let unit = first, turn = 0; unit < 0x10000; unit += step, turn++) {
    const character = String.fromCharCode(unit);
    const text = `${character} a${character}b ${character} ${character}Q`;
    const family = turn % 2 === 0 ? 'v3' : 'v4.7';
    const [fast, slow] = [countContent(text, family), slowCount(text, family)];
    if (fast !== slow) assert.equal(fast, slow, `${family} U+${unit.toString(16)}`);
  }
});
