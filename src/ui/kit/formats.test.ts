import assert from 'node:assert/strict';
import { test } from 'vitest';
import { formatAge, formatChange, formatCompactMoney, formatFigure, formatInteger, formatMoney } from './formats.ts';

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
