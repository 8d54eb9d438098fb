import assert from 'node:assert/strict';
import { test } from 'vitest';
import { parseAccountChanges, parseHoldingChanges } from './parse-changes.ts';

const usd = { locale: 'en-US', currency: 'USD' };

test('changes a holding to the values of its fields and deletes an empty cost', () => {
  assert.deepEqual(parseHoldingChanges({ quantity: '1,250.5', cost: '$ 40' }, usd, false), {
    ok: true,
    changes: { quantity: 1250.5, cost_basis: 40 },
  });
  assert.deepEqual(parseHoldingChanges({ quantity: '1', cost: ' ' }, usd, false), {
    ok: true,
    changes: { quantity: 1, cost_basis: null },
  });
});

test('keeps hidden values when privacy mode left fields empty', () => {
  assert.deepEqual(parseHoldingChanges({ quantity: '', cost: '' }, usd, true), { ok: true, changes: {} });
  assert.deepEqual(parseHoldingChanges({ quantity: '', cost: '7' }, usd, true), {
    ok: true,
    changes: { cost_basis: 7 },
  });
  assert.deepEqual(parseAccountChanges({ name: 'A', balance: '' }, usd, true), { ok: true, changes: { name: 'A' } });
});

test('reports all invalid fields at once', () => {
  const holding = parseHoldingChanges({ quantity: '', cost: 'much' }, usd, false);
  assert.deepEqual(!holding.ok && holding.problems.map(({ field }) => field), ['quantity', 'cost']);
  const account = parseAccountChanges({ name: ' ', balance: '--1' }, usd, false);
  assert.deepEqual(!account.ok && account.problems.map(({ field }) => field), ['account_name', 'account_balance']);
});

test('allows an overdrawn account and keeps the balance of a bank’s account', () => {
  for (const [text, balance] of [
    ['-12.50', -12.5],
    ['−1,000', -1000],
    ['0', 0],
    ['-0', 0],
    ['$ 3', 3],
    ['−12.50', -12.5],
  ] as const) {
    assert.deepEqual(parseAccountChanges({ name: 'A', balance: text }, usd, false), {
      ok: true,
      changes: { name: 'A', balance },
    });
  }
  assert.deepEqual(parseAccountChanges({ name: ' Bank ', balance: null }, usd, false), {
    ok: true,
    changes: { name: 'Bank' },
  });
});
