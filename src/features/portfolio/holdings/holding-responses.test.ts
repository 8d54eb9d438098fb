import assert from 'node:assert/strict';
import { test } from 'vitest';
import { toPositionList } from './holding-responses.ts';
import type { ListedRow } from './queries.ts';
import type { BaseConversion } from '../net-worth/read-conversion.ts';

const createPart = (amounts: Partial<Pick<ListedRow, 'quantity' | 'value' | 'cost_basis'>>): ListedRow => ({
  id: '1',
  symbol: 'V',
  name: null,
  logo: null,
  logo_source: null,
  asset_type: 'stock',
  currency: 'USD',
  price: null,
  price_at: null,
  price_source: null,
  price_change: null,
  sample: false,
  change_1d: null,
  account_id: 'a',
  account_name: 'A',
  account_kind: 'manual',
  quantity: '1',
  value: null,
  cost_basis: null,
  change_amount: null,
  as_of: null,
  created_at: new Date(0),
  updated_at: new Date(0),
  quantity_changed_at: new Date(0),
  ...amounts,
});
const conversion: BaseConversion = {
  currency: 'USD',
  chosen: true,
  today: '2026-11-24',
  sessionDay: '2026-11-24',
  rates: new Map(),
};
const totals = (
  ...parts: Parameters<typeof createPart>[0][]
): { quantity: number; value: number | null; cost_basis: number | null } =>
  toPositionList(parts.map(createPart), conversion).positions[0]!;

test('returns one part as the total of that part', () => {
  for (const quantity of ['123456790.0123456700', '0.0000000001', '1000000000000', '9007199254740993.5', '-0.5']) {
    const part = createPart({ quantity, value: quantity, cost_basis: quantity });
    const [position] = toPositionList([part], conversion).positions;
    const [only] = position!.accounts;
    assert.deepEqual(
      [position!.quantity, position!.value, position!.cost_basis],
      [only!.quantity, only!.value, only!.cost_basis],
    );
    assert.equal(position!.quantity, Number(quantity));
  }
});

test('adds several parts exactly without losing or adding digits', () => {
  const { quantity, value, cost_basis } = totals(
    { quantity: '0.1', value: '0.1000', cost_basis: '50' },
    { quantity: '0.2000000000', value: '0.2000', cost_basis: '60.25' },
  );
  assert.deepEqual([quantity, value, cost_basis], [0.3, 0.3, 110.25]);
  assert.equal(totals({ quantity: '123456789.0123456700' }, { quantity: '1.0000000000' }).quantity, 123456790.01234567);
  assert.equal(totals({ quantity: '-0.7' }, { quantity: '0.2' }).quantity, -0.5);
  assert.equal(totals(...Array.from({ length: 50 }, () => ({ quantity: '0.07' }))).quantity, 3.5);
});

test('returns null for a total when one part is unknown', () => {
  const { value, cost_basis } = totals({ value: '1', cost_basis: null }, { value: null, cost_basis: '2' });
  assert.deepEqual([value, cost_basis], [null, null]);
});
