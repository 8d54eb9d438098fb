import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createReadUnits } from './read-units.ts';
import { randomText } from '../../test/random-texts.ts';
import { seeded } from '../../../../test/support/seeded.ts';

const platforms = { 'with Buffer': globalThis, 'without it, as in a browser': {} };

for (const [name, platform] of Object.entries(platforms)) {
  const read = (text: string, from: number, to: number): string => {
    const units = new Uint16Array(to - from);
    createReadUnits(units, platform)(text, from, to);
    return Array.from(units, (unit) => String.fromCharCode(unit)).join('');
  };

  test(`reads every unit from any position, lone surrogates as U+FFFD: ${name}`, () => {
    const next = seeded(11);
    for (let round = 0; round < 2000; round++) {
      const text = round % 3 === 0 ? 'plain text, '.repeat(1 + next(20)) : randomText(next, 1 + next(80), next(10));
      const from = next(text.length);
      const to = from + next(text.length - from + 1);
      assert.equal(read(text, from, to).toWellFormed(), text.slice(from, to).toWellFormed());
    }
  });

  test(`preserves surrogate pairs at any position of a long text: ${name}`, () => {
    for (let shift = 0; shift < 3; shift++) {
      const text = `${'x'.repeat(shift)}${'\u{1f600}'.repeat(20_000)}\u00e9`;
      assert.equal(read(text, 0, text.length), text);
    }
  });
}
