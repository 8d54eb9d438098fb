import assert from 'node:assert/strict';
import { test } from 'vitest';
import fc from 'fast-check';
import { positions } from './schemas.ts';
import { add, multiply } from './decimal.ts';
import { toAccounts } from './read-accounts.ts';
import { readHoldings } from './read-holdings.ts';

const AS_OF = '2026-11-20T21:00:00.000Z';
const instrument = (kind: string, id: string, more: object = {}) => ({ kind, id, symbol: id.toUpperCase(), ...more });
const read = (results: object[]) => readHoldings('acc', positions.parse({ results, data_freshness: { as_of: AS_OF } }));

test('multiplies or adds amounts exactly despite binary fractions', () => {
  assert.equal(multiply('0.1', '0.2'), '0.02');
  assert.equal(multiply('-3', '1.10'), '-3.3');
  assert.equal(add('0.1', '0.2'), '0.3');
  assert.equal(add('5', '-5.00'), '0');
  assert.equal(multiply('12345678.12345678', '0'), '0');
  const digits = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
  const toDecimal = (value: number): string =>
    `${value < 0 ? '-' : ''}${Math.trunc(Math.abs(value) / 1000)}.${String(Math.abs(value) % 1000).padStart(3, '0')}`;
  fc.assert(
    fc.property(digits, digits, (a, b) => {
      assert.equal(Number(add(toDecimal(a), toDecimal(b))), Number(toDecimal(a + b)));
      assert.equal(BigInt(Math.round(Number(multiply(toDecimal(a), '1000')))), BigInt(a));
    }),
  );
});

test('reads cost per unit, option prices per share, and cash equivalents as cash', () => {
  const currency = 'USD';
  const holdings = read([
    { instrument: instrument('stock', 'aaa'), units: '0.3', price: '10.10', cost_basis: '7.70', currency },
    {
      instrument: instrument('option', 'opt', { multiplier: '100' }),
      units: '-2',
      price: '1.5',
      cost_basis: '140',
      currency,
    },
    {
      instrument: instrument('mutualfund', 'mmf'),
      units: '500',
      price: '1',
      cost_basis: '1',
      currency,
      cash_equivalent: true,
    },
    { instrument: instrument('stock', 'shrt'), units: '-4', price: '2.5', cost_basis: null, currency },
    { instrument: instrument('future', 'fut'), units: '1', price: '5000', cost_basis: null, currency },
    { instrument: instrument('crypto', 'btc'), units: 1e-7, price: 60000, cost_basis: null, currency },
    { instrument: instrument('stock', 'gone'), units: '0', price: '9', cost_basis: '9', currency },
  ])!;
  assert.deepEqual(
    holdings.map(({ externalId, symbol, quantity, costBasis, value }) => [
      externalId,
      symbol,
      quantity,
      costBasis,
      value,
    ]),
    [
      ['aaa', 'AAA', '0.3', '2.31', '3.03'],
      ['opt', null, '-2', '-280', '-300'],
      ['shrt', null, '-4', null, '-10'],
      ['fut', null, '1', null, null],
      ['btc', null, '0.0000001', null, '0.006'],
    ],
  );
  assert.ok(holdings.every(({ asOf }) => asOf.toISOString() === AS_OF));
});

test('merges lots of one instrument per currency', () => {
  const line = (units: string, currency: string, cost: string | null = '2') => ({
    instrument: instrument('stock', 'aaa'),
    units,
    price: '3',
    cost_basis: cost,
    currency,
  });
  assert.deepEqual(
    read([line('1', 'USD'), line('2', 'USD')])!.map(({ externalId, quantity, costBasis }) => [
      externalId,
      quantity,
      costBasis,
    ]),
    [['aaa', '3', '6']],
  );
  assert.equal(read([line('1', 'USD'), line('2', 'USD', null)])![0]!.costBasis, null, 'in part unknown is unknown');
  assert.deepEqual(
    read([line('1', 'USD'), line('2', 'CAD')])!.map(({ externalId, currency }) => [externalId, currency]),
    [
      ['aaa USD', 'USD'],
      ['aaa CAD', 'CAD'],
    ],
  );
});

test('returns null when a position has no quantity or currency', () => {
  const validPosition = { instrument: instrument('stock', 'aaa'), units: '1', price: '3', currency: 'USD' };
  assert.equal(read([validPosition, { ...validPosition, instrument: instrument('stock', 'bbb'), units: null }]), null);
  assert.equal(read([validPosition, { ...validPosition, currency: null }]), null);
  assert.equal(read([{ ...validPosition, price: null }])![0]!.value, null);
  for (const units of ['many', '', 'NaN', '1e30', true])
    assert.equal(positions.safeParse({ results: [{ ...validPosition, units }] }).success, false, String(units));
});

test('returns cash per currency, with debt on a line of credit as reported', () => {
  const account = { id: 'acc', name: 'Margin', number: '123456', account_category: 'INVESTMENT' };
  const rows = (balances: [string, string | null][] | null, more: object = {}) =>
    toAccounts({
      account: { ...account, ...more },
      balances: balances && balances.map(([code, cash]) => ({ currency: { code }, cash })),
      holdings: [],
      isPopulating: false,
    }).map(({ currency, balance, mask }) => [currency, balance, mask]);
  assert.deepEqual(
    rows([
      ['USD', '-12.5'],
      ['CAD', '3'],
      ['USD', '2.5'],
    ]),
    [
      ['USD', '-10', '3456'],
      ['CAD', '3', '3456'],
    ],
  );
  assert.deepEqual(rows(null), [['USD', null, '3456']], 'what is not known stays as it is stored');
  const total = { balance: { total: { amount: '-410.2', currency: 'CAD' } } };
  assert.deepEqual(rows([], { ...total, account_category: 'LOC' }), [['CAD', '-410.2', '3456']]);
  assert.deepEqual(rows([], total), [['CAD', null, '3456']], 'a total counts what is invested too');
});
