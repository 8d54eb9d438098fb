import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'vitest';
import { findOwnershipProblems } from './table-ownership.ts';

const schema = readFileSync(new URL('../../db/schema.sql', import.meta.url), 'utf8');
const findProblems = (path: string, sql: string): string[] =>
  findOwnershipProblems([{ path, text: `export const q = \`${sql}\`;\n` }], schema);

test('accepts a query when the folder owns its tables or may read them', () => {
  const sql = 'select tier from public.plans join watchlist_items w on true';
  assert.deepEqual(findProblems('src/features/watchlist/queries.ts', sql), []);
});

const violations: [title: string, path: string, sql: string, expected: RegExp][] = [
  [
    "another feature's table is read",
    'src/features/watchlist/queries.ts',
    'select id from public.accounts',
    /belongs to portfolio/,
  ],
  [
    'its table is named without a schema',
    'src/features/watchlist/queries.ts',
    'select 1 from plans join accounts a on true',
    /names public\.accounts/,
  ],
  [
    'an offered table is written',
    'src/features/watchlist/queries.ts',
    'update public.plans set tier = 1',
    /writes public\.plans/,
  ],
  [
    "another feature's table is in a schema other than public",
    'src/features/watchlist/queries.ts',
    'select 1 from pay_sandbox.objects',
    /belongs to embedded\/payments/,
  ],
  [
    "another feature's function is called",
    'src/features/watchlist/queries.ts',
    'select public.get_net_worth($1)',
    /get_net_worth/,
  ],
  [
    "a shared folder reads a feature's view",
    'src/market-data/queries.ts',
    'select 1 from public.held_positions',
    /a shared folder must not read a feature's table/,
  ],
  [
    'the table has no owner',
    'src/features/watchlist/queries.ts',
    'select id from public.nowhere',
    /which has no owner/,
  ],
  [
    'a fragment stands beside queries.ts',
    'src/features/watchlist/parts.ts',
    'mine as (select id from public.accounts)',
    /belongs to portfolio/,
  ],
  [
    'it stands outside queries.ts',
    'src/features/watchlist/routes.ts',
    '\\n  select id\\n  from watchlist_items',
    /holds SQL/,
  ],
  ['it stands in a command', 'cli/main.ts', 'INSERT INTO watchlist_items VALUES (1)', /holds SQL/],
];

for (const [title, path, sql, expected] of violations) {
  test(`rejects a query when ${title}`, () => {
    const problems = findProblems(path, sql);
    assert.equal(problems.length, 1, problems.join('\n'));
    assert.match(problems[0]!, expected);
  });
}

const wrongSchemas: [title: string, schema: string, expected: RegExp][] = [
  ['a table has no owner', `${schema}\ncreate table public.orphans (\n);\n`, /public\.orphans, which has no owner/],
  [
    "a function reads another owner's table",
    schema.replace(/(?<=FUNCTION public\.get_tier[^]*?)public\.member_tiers/, 'public.accounts'),
    /public\.get_tier \(billing\) names public\.accounts/,
  ],
  [
    'a table of the list is gone',
    schema.replace('create table public.plans', 'create table if not exists public.plans'),
    /names public\.plans, which db\/schema\.sql does not have/,
  ],
];

for (const [title, text, expected] of wrongSchemas) {
  test(`rejects the schema when ${title}`, () => {
    assert.ok(findOwnershipProblems([], text).some((problem) => expected.test(problem)));
  });
}
