import assert from 'node:assert/strict';
import { test } from 'vitest';
import { seed } from '../../../../test/support/long-tests.ts';
import { seeded } from '../../../../test/support/seeded.ts';
import { randomText } from '../../test/random-texts.ts';
import { createChunkCounter } from './chunk-counter.ts';
import { createEditedTextCounter } from './edited-text-counter.ts';
import { countContent } from './index.ts';
import { countContent as referenceCount } from './reference.ts';
import { firstSplitPoint, lastSplitPoint } from './split-points.ts';
import { loadVocabulary } from './vocabulary.ts';

type Random = (below: number) => number;

/** Replaces, deletes or inserts a few units at either end, or anywhere else, also between surrogates. */
function editAtRandom(text: string, random: Random): string {
  const deleted = random(3) === 0 ? random(60) : random(2);
  const places = [0, Math.max(0, text.length - deleted), random(text.length + 1), random(text.length + 1)];
  const start = places[random(places.length)]!;
  const inserted = random(3) === 0 ? '' : createInsertion(random);
  return text.slice(0, start) + inserted + text.slice(start + deleted);
}

function createInsertion(random: Random): string {
  switch (random(5)) {
    case 0:
      return String(random(1_000_000));
    case 1:
      return ' \n\t\u3000'.charAt(random(4)).repeat(1 + random(40));
    case 2:
      return String.fromCharCode(random(0x10000));
    case 3:
      return randomText(random, 1 + random(30), 8);
    default:
      return randomText(random, 1, 5);
  }
}

test('equals a full count after each of 10,000 random edits', () => {
  console.log(`seed ${seed}`);
  const random = seeded(seed);
  for (const name of ['v3', 'v4.7'] as const) {
    const { countInterior } = createChunkCounter(loadVocabulary(name));
    const countEdited = createEditedTextCounter(countInterior, 128);
    let text = randomText(random, 1_500, 7);
    for (let edit = 0; edit < 5_000; edit++) {
      text = editAtRandom(text, random);
      if (text.length > 4_000) text = text.slice(random(2) * 2_000, 4_000);
      const from = firstSplitPoint(text, 0, text.length);
      const to = lastSplitPoint(text, from - 1, text.length);
      assert.equal(countEdited(text, from, to), countInterior(text, from, to), `${name}, edit ${edit}`);
    }
  }
});

test('counts only the chunks around an edit, however many edits came before', () => {
  const random = seeded(3);
  const { countInterior } = createChunkCounter(loadVocabulary('v4.7'));
  let countedUnits = 0;
  const countEdited = createEditedTextCounter((text, from, to) => {
    countedUnits += to - from;
    return countInterior(text, from, to);
  }, 128);
  let text = 'The quick brown fox jumps. '.repeat(400);
  const count = (): void => {
    countEdited(text, 3, lastSplitPoint(text, 3, text.length));
  };
  count();
  for (let edit = 0; edit < 2_000; edit++) {
    const at = edit % 2 === 0 ? text.length : 4 + random(text.length - 4);
    text = `${text.slice(0, at)}${random(4) === 0 ? ' x' : 'y'}${text.slice(at)}`;
    countedUnits = 0;
    count();
    assert.ok(countedUnits < 6 * 128, `${countedUnits} units at edit ${edit}`);
  }
});

test('does not keep ever more short chunks when words are typed', () => {
  // Each chunk counts one, so the result is the number of chunks.
  const countChunks = createEditedTextCounter(() => 1, 128);
  const random = seeded(4);
  let text = 'The quick brown fox jumps. ';
  for (let edit = 0; edit < 3_000; edit++) {
    const at = random(4) === 0 ? 4 + random(text.length - 4) : text.length;
    text = `${text.slice(0, at)} is${text.slice(at)}`;
    const chunks = countChunks(text, 3, lastSplitPoint(text, 3, text.length));
    // At most each second chunk is shorter than 64 units.
    assert.ok(chunks <= text.length / 32 + 1, `${chunks} chunks of ${text.length} units`);
  }
});

test('equals the reference in every family while a long text is edited', () => {
  const random = seeded(9);
  let text = randomText(random, 6_000, 8);
  assert.ok(text.length > 1 << 14);
  for (let edit = 0; edit < 12; edit++) {
    text = editAtRandom(text, random);
    for (const family of ['v3', 'v4.7', 'v5', 'v5-sonnet'] as const)
      assert.equal(countContent(text, family), referenceCount(text, family), `${family}, edit ${edit}`);
  }
});

test('equals the reference when two long texts alternate', () => {
  const texts = [randomText(seeded(21), 6_000, 8), randomText(seeded(22), 6_000, 8)];
  for (let edit = 0; edit < 6; edit++)
    for (const text of texts.map((each) => each + '!'.repeat(edit)))
      assert.equal(countContent(text, 'v3'), referenceCount(text, 'v3'));
});
