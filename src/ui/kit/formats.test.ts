import assert from 'node:assert/strict';
import { createDateFormat } from './date-format.ts';
import { test } from 'vitest';
import { formatLocale } from './format-locale.ts';
import {
  formatAge,
  formatChange,
  formatCompactMoney,
  formatCompactNumber,
  formatDay,
  formatExact,
  formatFigure,
  formatInteger,
  formatMoney,
  formatMoneyExactly,
  formatPercent,
  formatPercentWith,
} from './formats.ts';

test('groups whole numbers and uses a true minus sign', () => {
  assert.equal(formatInteger(1_234_567), '1,234,567');
  assert.equal(formatInteger(-5), '\u22125');
});

test('shows the sign of a change, and none for zero', () => {
  assert.equal(formatChange(2.1), '+2.10%');
  assert.equal(formatChange(-0.456), '\u22120.46%');
  assert.equal(formatChange(0), '0.00%');
  assert.equal(formatChange(-0.001), '0.00%');
});

test('writes money in its currency, and an unknown currency after the number', () => {
  assert.equal(formatMoney(232.8, 'USD'), '$232.80');
  assert.equal(formatMoney(1480, 'JPY'), '¥1,480');
  assert.equal(formatMoney(12.5, '???'), '12.50 ???');
});

test('writes an amount without a currency as a figure with a true minus sign', () => {
  assert.equal(formatFigure(2.6, 2), '2.60');
  assert.equal(formatFigure(-0.3512, 2), '\u22120.35');
  assert.equal(formatFigure(0.3512, 4), '0.3512');
});

test('keeps four digits for amounts below the smallest coin', () => {
  assert.equal(formatMoney(0.0004, 'USD'), '$0.0004');
  assert.equal(formatMoney(-0.00012345, 'USD'), '\u2212$0.0001235');
  assert.equal(formatMoney(0.25, 'JPY'), '¥0.25');
  assert.equal(formatMoney(0.0145, 'USD'), '$0.01');
  assert.equal(formatMoney(0, 'USD'), '$0.00');
  assert.equal(formatFigure(-0.0012, 2), '\u22120.0012');
  assert.equal(formatCompactMoney(0.0004, 'USD'), '$0.0004');
});

test('shortens market values', () => {
  assert.equal(formatCompactMoney(3.21e12, 'USD'), '$3.21T');
});

test('formats an article’s age briefly and treats a clock ahead as now', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  assert.equal(formatAge('2026-11-21T12:05:00Z', now), 'now');
  assert.equal(formatAge('2026-11-21T11:48:00Z', now), '12 min');
  assert.equal(formatAge('2026-11-21T06:30:00Z', now), '5 h');
  assert.equal(formatAge('2026-11-18T06:30:00Z', now), '3 d');
  assert.match(formatAge('2026-11-01T12:00:00Z', now), /^Nov \d+, 2026$/);
});

test('writes percentages without sign, none as zero', () => {
  assert.equal(formatPercent(12.3), '12.30%');
  assert.equal(formatPercent(0.0012), '0.0012%');
  assert.equal(formatPercent(98.125, 3), '98.125%');
  assert.equal(formatPercentWith(12.34, 1, 1), '12.3%');
});

/** Texts of the same figures in a locale, with spaces of their own written as `_` (narrow) and `~`. */
const inLocale = (locale: string): string[] => {
  formatLocale.set(locale);
  try {
    return [
      formatMoney(1_234_567.891, 'EUR'),
      formatMoney(-0.0004, 'USD'),
      formatMoneyExactly(1_480, 'JPY', 0),
      formatInteger(1_234_567),
      formatExact(1_200.348),
      formatChange(2.1),
      formatPercent(12.3),
      formatCompactMoney(3.21e12, 'USD'),
      formatCompactNumber(41_234_000),
      formatDay('2026-11-29T12:00:00Z'),
      createDateFormat({ timeZone: 'UTC', hour: 'numeric', minute: '2-digit' })(new Date('2026-11-29T15:45:00Z')),
    ].map((text) => text.replaceAll('\u202f', '_').replaceAll('\u00a0', '~'));
  } finally {
    formatLocale.set('en-US');
  }
};

test.for([
  [
    'en-US',
    '€1,234,567.89 | −$0.0004 | ¥1,480 | 1,234,567 | 1,200.348 | +2.10% | 12.30% | $3.21T | 41.23M | Nov 29, 2026 | 3:45 PM',
  ],
  [
    'en-GB',
    '€1,234,567.89 | −US$0.0004 | JP¥1,480 | 1,234,567 | 1,200.348 | +2.10% | 12.30% | US$3.21T | 41.23M | 29 Nov 2026 | 15:45',
  ],
  [
    'de-DE',
    '1.234.567,89~€ | −0,0004~$ | 1.480~¥ | 1.234.567 | 1.200,348 | +2,10~% | 12,30~% | 3,21T~$ | 41,23M | 29 Nov 2026 | 15:45',
  ],
  [
    'fr-FR',
    '1_234_567,89~€ | −0,0004~$US | 1_480~JPY | 1_234_567 | 1_200,348 | +2,10~% | 12,30~% | 3,21T~$US | 41,23M | 29 Nov 2026 | 15:45',
  ],
  [
    'de-CH',
    'EUR~1’234’567.89 | $−0.0004 | ¥~1’480 | 1’234’567 | 1’200.348 | +2.10% | 12.30% | $~3.21T | 41.23M | 29 Nov 2026 | 15:45',
  ],
  [
    'en-IN',
    '€12,34,567.89 | −$0.0004 | JP¥1,480 | 12,34,567 | 1,200.348 | +2.10% | 12.30% | $3.21T | 41.23M | 29 Nov 2026 | 3:45 pm',
  ],
  ['ar-EG', '€1,234,567.89'],
] as const)('writes numbers and dates of %s with English words', ([locale, expected]) => {
  const texts = inLocale(locale);
  assert.equal(texts.slice(0, expected.split(' | ').length).join(' | '), expected);
});
