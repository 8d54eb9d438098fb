import assert from 'node:assert/strict';
import { test } from 'vitest';
import { checkSql } from './check-sql.ts';

/** A statement for each clause and kind of node that can contain an expression, with `?` as the placeholder. */
const STATEMENTS_WITH_EXPRESSION = [
  'select ?',
  'select distinct on (?) 1',
  'select 1 from holdings join prices on ? = 1',
  'select 1 from (select ?) x',
  'select 1 from holdings, lateral (select ?) x',
  'select 1 where ? = 1',
  'select 1 group by ?',
  'select 1 group by rollup (?)',
  'select 1 group by grouping sets ((?), ())',
  'select 1 having ? = 1',
  'select 1 order by ?',
  'select 1 limit ?',
  'select 1 offset ?',
  'with x as (select ?) select 1 from x',
  'values (?)',
  'values (1) order by ?',
  'values (1) limit ?',
  'values (1) offset ?',
  'with x as (values (?)) values (1)',
  'select 1 union select ?',
  'select 1 union select 2 order by ?',
  'select 1 union select 2 limit ?',
  'select 1 union select 2 offset ?',
  'with x as (select ?) select 1 union select 2',
  'select count(*) over (partition by ?)',
  'select count(*) over (order by ?)',
  'select count(*) over (order by 1 rows ? preceding)',
  'select count(*) over (order by 1 rows between current row and ? following)',
  'select count(*) over w window w as (partition by ?)',
  'select sum(?)',
  "select string_agg(symbol, ',' order by ?) from holdings",
  'select count(*) filter (where ? = 1)',
  'select percentile_cont(?) within group (order by 1)',
  'select percentile_cont(0.5) within group (order by ?)',
  'select grouping(?) group by 1',
  'select (? + 1)::text',
  'select 1 = any (array[?])',
  'select 1 in (1, ?)',
  'select ? in (select 1)',
  'select 1 = any (select ?)',
  'select exists (select ?)',
  'select ? between 1 and 2',
  'select nullif(1, ?)',
  'select not ? = 1',
  'select ? is null',
  'select (? = 1) is true',
  'select case ? when 1 then 1 end',
  'select case when ? = 1 then 1 end',
  'select case when true then ? end',
  'select case when true then 1 else ? end',
  'select coalesce(1, ?)',
  'select greatest(1, ?)',
  'select extract(year from ?)',
  'select 1::numeric(?)',
  'select null::pg_catalog.interval(?)',
];

test('rejects a forbidden table when it is in any clause with an expression', async () => {
  for (const template of STATEMENTS_WITH_EXPRESSION) {
    const sql = template.replace('?', '(select count(*) from public.members)');
    const verdict = await checkSql(sql);
    assert.ok(!verdict.ok, sql);
    assert.match(verdict.message, /There is no table public\.members|length or precision/, sql);
  }
});

test('finds the tables and column names of each clause when a statement is VALUES', async () => {
  for (const clause of ['order by', 'limit', 'offset'])
    assert.deepEqual(await checkSql(`values (1) ${clause} (select count(*) from watchlist_items)`), {
      ok: true,
      tables: new Set(['watchlist_items']),
    });
  assert.deepEqual(await checkSql('values (1), (2) order by column1'), { ok: true, tables: new Set() });
  const unknown = await checkSql('values (1), (2) order by column2');
  assert.ok(!unknown.ok && unknown.rule === 'name');
});
