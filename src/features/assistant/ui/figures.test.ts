import assert from 'node:assert/strict';
import { test } from 'vitest';
import { splitFigures } from './figures.ts';

const texts: [text: string, ...figures: string[]][] = [
  ['You hold 10 AAPL, worth $2,690.50.', '10', '$2,690.50'],
  ['−1.25% since 2026-11-23, at 15:04', '−1.25%', '2026-11-23', '15:04'],
  ['Worth €1.2M', '€1.2M'],
  ['12', '12'],
  ['1 2', '1', '2'],
  ['No figure at all'],
  [''],
];

test('marks every figure of a text as a figure', () => {
  for (const [text, ...figures] of texts) {
    const pieces = splitFigures(text);
    const marked = pieces.filter(({ isFigure: figure }) => figure);
    assert.deepEqual(
      marked.map((piece) => piece.text),
      figures,
      text,
    );
    assert.equal(pieces.map((piece) => piece.text).join(''), text);
    assert.ok(
      pieces.every((piece) => piece.isFigure || !/\d/.test(piece.text)),
      text,
    );
  }
});
