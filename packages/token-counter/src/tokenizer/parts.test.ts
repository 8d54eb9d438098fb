import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { TextFamily } from './families.ts';
import { countConcatenated, countContent } from './index.ts';
import { randomText } from '../../test/random-texts.ts';
import { seeded } from '../../../../test/support/seeded.ts';
import { countConcatenated as referenceCount } from './reference.ts';

const families: readonly TextFamily[] = ['v3', 'v4.7', 'v5', 'v5-sonnet'];

function splitAtRandom(text: string, next: (below: number) => number, parts: number): string[] {
  const splitPoints = Array.from({ length: parts - 1 }, () => next(text.length + 1)).sort((a, b) => a - b);
  return [...splitPoints, text.length].map((end, index) => text.slice(index === 0 ? 0 : splitPoints[index - 1], end));
}

test('counts a text equally when it is split anywhere', () => {
  const next = seeded(5);
  for (let round = 0; round < 300; round++) {
    const text = randomText(next, round < 250 ? 30 : 3000, next(10));
    const family = families[round % 4] ?? 'v3';
    const parts = splitAtRandom(text, next, 1 + next(6));
    assert.equal(
      countConcatenated(parts, family),
      countConcatenated([text], family),
      `${family} ${JSON.stringify(parts).slice(0, 400)}`,
    );
    assert.equal(
      countContent(parts, family),
      countContent(text, family),
      `${family} ${JSON.stringify(parts).slice(0, 400)}`,
    );
    assert.equal(
      countConcatenated(parts, family, { hasSpaceBefore: true }),
      countConcatenated([text], family, { hasSpaceBefore: true }),
    );
  }
});

test('applies no frame rule within a prompt', () => {
  const next = seeded(6);
  for (let round = 0; round < 1500; round++) {
    const text = randomText(next, next(8), 2);
    for (const family of ['v3', 'v4.7'] as const)
      assert.equal(countConcatenated([text], family), referenceCount(text, family), JSON.stringify(text));
  }
  assert.equal(countConcatenated([], 'v3'), 0);
  assert.equal(countConcatenated([''], 'v4.7'), 0);
});

test('counts merged tokens at part boundaries once', () => {
  const turn = (text: string): number => countConcatenated(['\n\nHuman: ', text, '\n\nAssistant:'], 'v3') + 1;
  for (const text of ['a', '1', '\u6587', '\na', '  a', "'s", 'a\n\n', `a${'\n'.repeat(30)}`, 'The cat sat.']) {
    assert.equal(turn(text), countContent(text, 'v3') + 7, JSON.stringify(text));
  }
});

test('counts a long part by its surroundings when it was counted before', () => {
  const long = 'The quick brown fox jumps over it.\n'.repeat(80);
  for (const family of families) {
    for (const [before, after] of [
      ['', ''],
      ['a', '1'],
      ['\n', '\n\n'],
      ['\u0301', "'s"],
      [' ', ' b'],
    ] as const) {
      assert.equal(
        countConcatenated([before, long, after], family),
        countConcatenated([`${before}${long}${after}`], family),
      );
    }
  }
});
