import assert from 'node:assert/strict';
import { test } from 'vitest';
import { splitAtAmounts, splitFigures } from './figures.ts';

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

test('splits a text at the given amounts only, in their order, when dates and percentages stand beside them', () => {
  const text = 'You paid $1.00: +$1.00 (+2%) since Nov 1, 2026.';
  assert.deepEqual(splitAtAmounts(text, ['$1.00', '+$1.00']), [
    { text: 'You paid ', isFigure: false },
    { text: '$1.00', isFigure: true },
    { text: ': ', isFigure: false },
    { text: '+$1.00', isFigure: true },
    { text: ' (+2%) since Nov 1, 2026.', isFigure: false },
  ]);
  assert.deepEqual(splitAtAmounts('No amount, 2%', []), [{ text: 'No amount, 2%', isFigure: false }]);
});
