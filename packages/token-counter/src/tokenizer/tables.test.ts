import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'vitest';
import { fileURLToPath } from 'node:url';
import {
  NEEDS_QUOTE_FOLDING,
  NEEDS_REWRITE,
  NEEDS_SURROGATE_CHECK,
  unitNormalizationFlags,
  unitClass,
  EDGED,
  isControl,
  isFoldedSpace,
  isPrivateUse,
  unitLowerCase,
  NIKHAHIT,
  PLAIN,
  SELECTOR,
  SPACE,
  toStraightQuote,
  WORD,
} from './characters.ts';
import { pieceAt } from './pieces.ts';
import { createTokenCountCache, MAX_KEY_LENGTH } from './token-count-cache.ts';
import { MAX_SHORT_KEY_LENGTH } from './batched-lookup.ts';
import { seeded } from '../../../../test/support/seeded.ts';
import { recordingFor } from '../../../../test/support/recordings.ts';
import { createRepeatCost } from './repeat-cost.ts';
import { decodeVocabularyPieces } from './vocabulary.ts';

const root = new URL('../../../../', import.meta.url);

test('has the measured class for every unit', (t) => {
  const file = recordingFor(t, 'character-classes.json');
  if (file === undefined) return;
  const names = ['WORD', 'SPACE', 'PLAIN', 'EDGED', 'SELECTOR', 'NUMBER', 'NUMBER'];
  const measured = JSON.parse(readFileSync(file, 'utf8')) as [string, string, string][];
  assert.ok(measured.length > 100);
  for (const [from, to, name] of measured) {
    for (let unit = parseInt(from, 16); unit <= Math.min(parseInt(to, 16), 0xffff); unit++) {
      // Normalization removes these units or converts them into spaces before the class is read.
      if (isControl(unit) || isFoldedSpace(unit) || isPrivateUse(unit)) continue;
      assert.equal(names[unitClass[unit] ?? -1], name, `U+${unit.toString(16)}`);
    }
  }
});

test('equals the output of its script', (t) => {
  if (!['16.0', '17.0'].includes(process.versions.unicode ?? '')) return t.skip('the script needs Unicode 16 or 17');
  const run = spawnSync(
    process.execPath,
    [fileURLToPath(new URL('packages/token-counter/research/generate-character-classes.ts', root)), '--check'],
    { encoding: 'utf8' },
  );
  assert.equal(run.status, 0, run.stderr);
});

test('has the known classes and lower-case forms of common characters', () => {
  const classes = {
    a: WORD,
    '\u304b': WORD,
    '\u0e01': WORD,
    '\t': SPACE,
    '7': PLAIN,
    '\u4e2d': PLAIN,
    '\ud55c': PLAIN,
    '!': EDGED,
    '\u0301': EDGED,
    '\u0663': EDGED,
    '\ufe0f': SELECTOR,
  };
  for (const [character, kind] of Object.entries(classes))
    assert.equal(unitClass[character.charCodeAt(0)], kind, character);
  const lower = {
    A: 'a',
    '\u00c9': '\u00e9',
    '\u0416': '\u0436',
    '\u0130': '\u0130',
    '\u03f4': '\u03f4',
    '\u03a3': '\u03c3',
    '\u2167': '\u2177',
  };
  for (const [capital, small] of Object.entries(lower))
    assert.equal(unitLowerCase[capital.charCodeAt(0)], small.charCodeAt(0), capital);
});

test('marks exactly the units that normalization changes', () => {
  for (let unit = 0; unit <= 0xffff; unit++) {
    const rewritten = isControl(unit) || isPrivateUse(unit) || isFoldedSpace(unit) || unit === NIKHAHIT;
    const surrogate = unit >= 0xd800 && unit <= 0xdfff;
    const expected =
      (rewritten ? NEEDS_REWRITE : 0) |
      (toStraightQuote(unit) !== 0 ? NEEDS_QUOTE_FOLDING : 0) |
      (surrogate ? NEEDS_SURROGATE_CHECK : 0);
    assert.equal(
      unitNormalizationFlags[unit]! & (NEEDS_REWRITE | NEEDS_QUOTE_FOLDING | NEEDS_SURROGATE_CHECK),
      expected,
      `U+${unit.toString(16)}`,
    );
  }
});

for (const name of ['v3', 'v4.7'] as const) {
  test(`${name}: has only pieces that fit the rules of splitting`, () => {
    const pieces = decodeVocabularyPieces(name);
    const digits = new Set<string>();
    for (let k = 0; k < pieces.count; k++) {
      const piece = pieceAt(pieces, k);
      assert.match(piece, /^[\x04\x05]?\x02?[^\x02-\x05]*\x03?$/u, JSON.stringify(piece));
      if (/[ \t\n\u3000]/.test(piece)) assert.match(piece, /^(?: +|\t+|\n+|\u3000+)$/, JSON.stringify(piece));
      // Repetitions of one unit beyond the key length of the cache are counted without the whole as a piece.
      else assert.ok(piece.length <= MAX_KEY_LENGTH, JSON.stringify(piece));
      if (/[0-9]/.test(piece)) {
        assert.match(piece, /^[0-9]{1,3}$/, JSON.stringify(piece));
        digits.add(piece);
      }
    }
    assert.equal(digits.size, 1110);
  });
}

test('returns the cheapest segmentation of equal units beyond the table too', () => {
  for (const lengths of [[1], [1, 2, 3], [1, 4, 6, 9], [1, 2, 5, 16, 24, 32]]) {
    const cost = createRepeatCost(lengths);
    const best = [0];
    for (let n = 1; n <= 3000; n++)
      best[n] = 1 + Math.min(...lengths.filter((length) => length <= n).map((length) => best[n - length] ?? 0));
    for (const n of [3000, 2999, 1025, 7, 0, 1, 64, 65, 300, 2049])
      assert.equal(cost(n), best[n], `${n} of ${lengths.join()}`);
  }
});

test('returns the count of exactly the given key or none', () => {
  const cache = createTokenCountCache();
  const next = seeded(3);
  const units = new Uint16Array(MAX_KEY_LENGTH + 10);
  const view = new DataView(units.buffer);
  const counts = new Map<string, number>();
  let found = 0;
  for (let round = 0; round < 150_000; round++) {
    const length = 1 + next([MAX_KEY_LENGTH, 12, 4, 4, 4][round % 5]!);
    const markers = next(8);
    let key = `${markers}:`;
    for (let k = 0; k < units.length; k++) units[k] = next(k < length ? 24 : 0x10000) + (k === 0 ? 1 : 0);
    for (let k = 0; k < length; k++) key += String.fromCharCode(units[k] ?? 0);
    const count = cache.get(view, 0, length, markers);
    const expectedCount = counts.get(key);
    if (count !== -1) {
      assert.equal(count, expectedCount, JSON.stringify(key));
      found++;
      if (length > MAX_SHORT_KEY_LENGTH) continue;
      // The batch reads one table, which has grown twice at the end.
      cache.enqueue(0, length, markers);
      assert.equal(
        cache.flush(view, (start, units, alphabet) => cache.get(view, start, units, alphabet)),
        expectedCount,
        JSON.stringify(key),
      );
    } else {
      const newCount = expectedCount ?? next(1 << 20);
      counts.set(key, newCount);
      cache.put(view, 0, length, markers, newCount);
    }
  }
  assert.ok(found > 10_000, `${found} found`);
});
