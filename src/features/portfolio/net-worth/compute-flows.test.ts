import assert from 'node:assert/strict';
import { test } from 'vitest';
import { computeFlows, type Part } from './compute-flows.ts';

const cash = (id: string, quantity: string, currency = 'USD'): Part => ({
  kind: 'cash',
  id,
  currency,
  symbol: null,
  quantity,
  price: '1',
  cost_basis: null,
});
const holding = (quantity: string, price: string | null, more: Partial<Part> = {}): Part => ({
  kind: 'manual',
  id: 'h',
  currency: price === null ? null : 'USD',
  symbol: 'AAPL',
  quantity,
  price,
  cost_basis: null,
  ...more,
});
const amount = (currency: string, value: number) => ({ currency, amount: value });
const compute = (before: Part[], after: Part[]) =>
  computeFlows(before, after).map((flow) =>
    flow.amount === null
      ? { symbol: flow.symbol, quantity: flow.quantity }
      : amount(flow.currency, Number(flow.amount)),
  );

test('sums changed cash and quantities per currency', () => {
  assert.deepEqual(
    compute(
      [cash('a', '10.1'), cash('b', '5', 'GBP'), holding('3', '2.5')],
      [cash('a', '10.3'), cash('c', '7', 'GBP'), holding('1', '2.5')],
    ),
    [amount('USD', -4.8), amount('GBP', 2)],
  );
});

test('returns no flow for a trade that leaves the sum unchanged', () => {
  assert.deepEqual(compute([cash('a', '100')], [cash('a', '75'), holding('10', '2.5')]), []);
});

test('values a quantity at the price after the change', () => {
  assert.deepEqual(compute([holding('10', '2')], [holding('10', '3')]), [], 'a price is no flow');
  assert.deepEqual(compute([holding('10', '2')], [holding('11', '3')]), [amount('USD', 3)]);
  assert.deepEqual(compute([holding('10', '2')], []), [amount('USD', -20)]);
});

test('returns quantities while the price is unknown', () => {
  assert.deepEqual(compute([], [holding('10', null)]), [{ symbol: 'AAPL', quantity: '10' }]);
  assert.deepEqual(compute([holding('10', null)], []), [{ symbol: 'AAPL', quantity: '-10' }]);
  assert.deepEqual(compute([holding('10', null)], [holding('4', null)]), [
    { symbol: 'AAPL', quantity: '4' },
    { symbol: 'AAPL', quantity: '-10' },
  ]);
  assert.deepEqual(compute([holding('10', null)], [holding('10', null)]), []);
});

test('counts a value that an institution states for the first time', () => {
  const unlisted = (quantity: string, price: string | null) =>
    holding(quantity, price, { kind: 'connected', symbol: null, currency: 'USD' });
  assert.deepEqual(compute([unlisted('2', null)], [unlisted('2', '50')]), [amount('USD', 100)]);
  assert.deepEqual(compute([unlisted('2', '50')], [unlisted('2', '60')]), [], 'a new value is no flow');
  assert.deepEqual(compute([], [unlisted('2', null)]), []);
});

test('counts a connected quantity at an unchanged cost as a split', () => {
  const connected = (quantity: string, price: string, cost: string | null) =>
    holding(quantity, price, { kind: 'connected', cost_basis: cost });
  assert.deepEqual(compute([connected('10', '100', '900.0000')], [connected('20', '50', '900.0000')]), []);
  assert.deepEqual(compute([connected('10', '100', '900.0000')], [connected('11', '100', '1000.0000')]), [
    amount('USD', 100),
  ]);
  assert.deepEqual(compute([connected('10', '100', null)], [connected('11', '100', null)]), [amount('USD', 100)]);
  assert.deepEqual(
    compute([holding('10', '50', { cost_basis: '900' })], [holding('20', '50', { cost_basis: '900' })]),
    [amount('USD', 500)],
  );
});

test('adds cents exactly', () => {
  assert.deepEqual(compute([], [cash('a', '0.1'), cash('b', '0.2')]), [amount('USD', 0.3)]);
});
