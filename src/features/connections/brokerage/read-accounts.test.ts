import assert from 'node:assert/strict';
import { test } from 'vitest';
import { toAccounts } from './read-accounts.ts';

test('returns the cash per currency with the reported debt of a line of credit', () => {
  const account = { id: 'acc', name: 'Margin', number: '123456', account_category: 'INVESTMENT' };
  const readRows = (balances: [string, string | null][] | null, overrides: object = {}) =>
    toAccounts({
      account: { ...account, ...overrides },
      balances: balances && balances.map(([code, cash]) => ({ currency: { code }, cash })),
      holdings: [],
      isPopulating: false,
    }).map(({ currency, balance, mask }) => [currency, balance, mask]);
  assert.deepEqual(
    readRows([
      ['USD', '-12.5'],
      ['CAD', '3'],
      ['USD', '2.5'],
    ]),
    [
      ['USD', '-10', '3456'],
      ['CAD', '3', '3456'],
    ],
  );
  assert.deepEqual(readRows(null), [['USD', null, '3456']], 'unknown cash keeps the stored balance');
  const total = { balance: { total: { amount: '-410.2', currency: 'CAD' } } };
  assert.deepEqual(readRows([], { ...total, account_category: 'LOC' }), [['CAD', '-410.2', '3456']]);
  assert.deepEqual(
    readRows([], total),
    [['CAD', null, '3456']],
    'the total of an investment account includes its investments',
  );
});
