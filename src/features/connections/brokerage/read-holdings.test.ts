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

test.each([
  ['0.1', '0.2', '0.02'],
  ['-3', '1.10', '-3.3'],
  ['12345678.12345678', '0', '0'],
])('multiplies %s by %s to %s', (a, b, product) => {
  assert.equal(multiply(a, b), product);
});

test.each([
  ['0.1', '0.2', '0.3'],
  ['5', '-5.00', '0'],
])('adds %s and %s to %s', (a, b, sum) => {
  assert.equal(add(a, b), sum);
});

test('calculates any amounts of three decimals exactly', () => {
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

const createLine = (of: object, units: string | number, price: string | number, more: object = {}) => ({
  instrument: of,
  units,
  price,
  cost_basis: null,
  currency: 'USD',
  ...more,
});

test.each([
  [
    'cost per unit',
    createLine(instrument('stock', 'aaa'), '0.3', '10.10', { cost_basis: '7.70' }),
    ['aaa', 'AAA', '0.3', '2.31', '3.03'],
  ],
  [
    'the price of an option per share',
    createLine(instrument('option', 'opt', { multiplier: '100' }), '-2', '1.5', { cost_basis: '140' }),
    ['opt', null, '-2', '-280', '-300'],
  ],
  ['a short position', createLine(instrument('stock', 'shrt'), '-4', '2.5'), ['shrt', null, '-4', null, '-10']],
  ['a future without a value', createLine(instrument('future', 'fut'), '1', '5000'), ['fut', null, '1', null, null]],
  ['a small amount', createLine(instrument('crypto', 'btc'), 1e-7, 60000), ['btc', null, '0.0000001', null, '0.006']],
])('reads %s', (_description, line, expected) => {
  const [holding, ...others] = read([line])!;

  const { externalId, symbol, quantity, costBasis, value, asOf } = holding!;
  assert.deepEqual([externalId, symbol, quantity, costBasis, value], expected);
  assert.equal(asOf.toISOString(), AS_OF);
  assert.deepEqual(others, []);
});

test.each([
  [
    'a cash equivalent',
    createLine(instrument('mutualfund', 'mmf'), '500', '1', { cost_basis: '1', cash_equivalent: true }),
  ],
  ['a position of no units', createLine(instrument('stock', 'gone'), '0', '9', { cost_basis: '9' })],
])('leaves out %s', (_description, line) => {
  assert.deepEqual(read([line]), []);
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
