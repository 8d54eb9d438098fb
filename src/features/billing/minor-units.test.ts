import assert from 'node:assert/strict';
import { test } from 'vitest';
import { formatMinorUnits } from './minor-units.ts';

test('formats an amount with the decimals of its currency in ISO 4217', () => {
  const cases: readonly [amount: number, currency: string, text: string][] = [
    [999, 'USD', '$9.99'],
    [1_200, 'JPY', '¥1,200'],
    [1_200, 'jpy', '¥1,200'],
    [-1_200, 'JPY', '\u2212¥1,200'],
    [9_900, 'KRW', '₩9,900'],
    [1_500, 'KWD', 'KWD\u00a01.500'],
    [12_345, 'TND', 'TND\u00a012.345'],
    [399_000, 'HUF', 'HUF\u00a03,990.00'],
    [4_990_000, 'COP', 'COP\u00a049,900.00'],
    [0, 'EUR', '€0.00'],
  ];
  for (const [amount, currency, text] of cases) assert.equal(formatMinorUnits(amount, currency), text, currency);
});
