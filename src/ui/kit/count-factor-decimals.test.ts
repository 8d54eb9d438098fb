import assert from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { formatRate } from './formats.ts';
import { countFactorDecimals } from './count-factor-decimals.ts';

const parse = (text: string): number => Number(text.replaceAll(',', ''));

test('shows a rate with five digits when no amount stands beside it', () => {
  assert.deepEqual(
    [0.0063412345, 1.31423, 152.8641].map((rate) => formatRate(rate)),
    ['0.0063412', '1.3142', '152.86'],
  );
  assert.equal(formatRate(19_300), '19,300');
});

test('shows a rate with the digits that give the amount beside it', () => {
  assert.equal(formatRate(152.8626, [6544.5], 'JPY'), '152.8626');
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000_000_000 }).map((units) => units / 1e6),
      fc.array(
        fc.integer({ min: 1, max: 1e9 }).map((cents) => cents / 100),
        { minLength: 1, maxLength: 5 },
      ),
      fc.constantFrom('USD', 'JPY'),
      (anyRate, amounts, currency) => {
        const shown = parse(formatRate(anyRate, amounts, currency));
        const decimals = currency === 'JPY' ? 0 : 2;
        const round = (value: number): number => Math.round(Number((value * 10 ** decimals).toPrecision(15)));
        for (const amount of amounts) assert.equal(round(amount * shown), round(amount * anyRate));
      },
    ),
  );
});

test('adds decimals to a price until its product is the value', () => {
  assert.equal(countFactorDecimals(7.7653, [200], { decimals: 2, min: 2 }), 4);
  assert.equal(countFactorDecimals(230, [10], { decimals: 2, min: 2 }), 2);
  // With three decimals the screen shows 46.479, which gives 232.40.
  assert.equal(countFactorDecimals(46.4785, [5], { decimals: 2, min: 2 }), 4);
});
