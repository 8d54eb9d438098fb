import assert from 'node:assert/strict';
import { test } from 'vitest';
import { positions } from './schemas.ts';
import { readHoldings } from './read-holdings.ts';

const AS_OF = '2026-11-20T21:00:00.000Z';
const instrument = (kind: string, id: string, overrides: object = {}) => ({
  kind,
  id,
  symbol: id.toUpperCase(),
  ...overrides,
});
const read = (results: object[]) => readHoldings('acc', positions.parse({ results, data_freshness: { as_of: AS_OF } }));

const createPosition = (
  ofInstrument: object,
  units: string | number,
  price: string | number,
  overrides: object = {},
) => ({
  instrument: ofInstrument,
  units,
  price,
  cost_basis: null,
  currency: 'USD',
  ...overrides,
});

test.each([
  [
    'the cost basis of all units',
    createPosition(instrument('stock', 'aaa'), '0.3', '10.10', { cost_basis: '7.70' }),
    ['aaa', 'AAA', '0.3', '2.31', '3.03'],
  ],
  [
    'the price of an option per share',
    createPosition(instrument('option', 'opt', { multiplier: '100' }), '-2', '1.5', { cost_basis: '140' }),
    ['opt', null, '-2', '-280', '-300'],
  ],
  ['a short position', createPosition(instrument('stock', 'shrt'), '-4', '2.5'), ['shrt', null, '-4', null, '-10']],
  [
    'a future without its notional value',
    createPosition(instrument('future', 'fut'), '1', '5000'),
    ['fut', null, '1', null, null],
  ],
  [
    'a small quantity',
    createPosition(instrument('crypto', 'btc'), 1e-7, 60000),
    ['btc', null, '0.0000001', null, '0.006'],
  ],
])('reads %s', (_description, position, expected) => {
  const [holding, ...others] = read([position])!;

  const { externalId, symbol, quantity, costBasis, value, asOf } = holding!;
  assert.deepEqual([externalId, symbol, quantity, costBasis, value], expected);
  assert.equal(asOf.toISOString(), AS_OF);
  assert.deepEqual(others, []);
});

test.each([
  [
    'a cash equivalent',
    createPosition(instrument('mutualfund', 'mmf'), '500', '1', { cost_basis: '1', cash_equivalent: true }),
  ],
  ['a position of zero units', createPosition(instrument('stock', 'gone'), '0', '9', { cost_basis: '9' })],
])('omits %s', (_description, position) => {
  assert.deepEqual(read([position]), []);
});

test('merges the lots of an instrument that have the same currency', () => {
  const createLot = (units: string, currency: string, cost: string | null = '2') => ({
    instrument: instrument('stock', 'aaa'),
    units,
    price: '3',
    cost_basis: cost,
    currency,
  });
  assert.deepEqual(
    read([createLot('1', 'USD'), createLot('2', 'USD')])!.map(({ externalId, quantity, costBasis }) => [
      externalId,
      quantity,
      costBasis,
    ]),
    [['aaa', '3', '6']],
  );
  assert.equal(
    read([createLot('1', 'USD'), createLot('2', 'USD', null)])![0]!.costBasis,
    null,
    'one unknown cost makes the sum unknown',
  );
  assert.deepEqual(
    read([createLot('1', 'USD'), createLot('2', 'CAD')])!.map(({ externalId, currency }) => [externalId, currency]),
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
