import assert from 'node:assert/strict';
import { test } from 'vitest';
import { sortByReferences } from './load-rows.ts';

const tables = [{ name: 'holdings' }, { name: 'accounts' }, { name: 'members' }];

test('sorts each table behind the tables that it references', () => {
  const references = [
    { table: 'holdings', target: 'accounts' },
    { table: 'accounts', target: 'members' },
    { table: 'holdings', target: 'absent' },
  ];
  const names = sortByReferences(tables, references).map(({ name }) => name);
  assert.deepEqual(names, ['members', 'accounts', 'holdings']);
});

test('throws when tables reference each other in a circle', () => {
  const references = [
    { table: 'holdings', target: 'accounts' },
    { table: 'accounts', target: 'holdings' },
  ];
  assert.throws(() => sortByReferences(tables, references), /form a circle: holdings, accounts/);
});
