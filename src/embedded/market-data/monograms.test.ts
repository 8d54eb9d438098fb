import assert from 'node:assert/strict';
import { test } from 'vitest';
import { monogramColors, renderMonogram } from './monograms.ts';

const channel = (value: number): number => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

/** Returns the relative luminance of `#rrggbb` as WCAG defines it. */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => channel(Number.parseInt(color.slice(at, at + 2), 16) / 255));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

test('draws letters with readable contrast on their background', () => {
  for (const [ground, letters] of monogramColors)
    assert.ok((luminance(letters) + 0.05) / (luminance(ground) + 0.05) >= 4.5, `${letters} on ${ground}`);
});

test('draws the same picture of at most four letters for the same symbol', () => {
  assert.equal(renderMonogram('BRK.B'), renderMonogram('BRK.B'));
  assert.match(renderMonogram('BRK.B'), />BRKB</);
  assert.match(renderMonogram('GOOGL'), />GOOG</);
  assert.notEqual(renderMonogram('GOOG'), renderMonogram('GOOGL'));
});
