import assert from 'node:assert/strict';
import { test } from 'vitest';
import { sortByReferences } from './load-rows.ts';

const tables = [{ name: 'holdings' }, { name: 'accounts' }, { name: 'members' }];

test('sorts tables after those they reference when they have foreign keys', () => {
  const references = [
    { table: 'holdings', target: 'accounts' },
    { table: 'accounts', target: 'members' },
    { table: 'holdings', target: 'absent' },
  ];
  const names = sortByReferences(tables, references).map(({ name }) => name);
  assert.deepEqual(names, ['members', 'accounts', 'holdings']);
});

test('throws when references form a cycle', () => {
  const references = [
    { table: 'holdings', target: 'accounts' },
    { table: 'accounts', target: 'holdings' },
  ];
  assert.throws(() => sortByReferences(tables, references), /form a cycle: holdings, accounts/);
});
