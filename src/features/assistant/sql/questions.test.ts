import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, test } from 'vitest';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { ADA, createSqlRunner, seedSqlFixture } from '../../../../test/support/sql-fixture.ts';
import { toJsonValue } from './to-json-value.ts';

const questions = readFileSync(new URL('../../../../test/support/sql-attacks/questions.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => ({ question: line.slice(0, line.indexOf(' | ')), sql: line.slice(line.indexOf(' | ') + 3) }));

/** A database with several members on a cluster, and a database with only Ada's rows. */
let distributedDb: TestDatabase;
let singleNodeDb: TestDatabase;
let unguarded: pg.Client;
beforeAll(async () => {
  [distributedDb, singleNodeDb] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await Promise.all([seedSqlFixture(distributedDb), seedSqlFixture(singleNodeDb)]);
  await singleNodeDb.owner('delete from public.all_users where idp_id <> $1', [ADA]);
  unguarded = new pg.Client({ connectionString: singleNodeDb.ownerUrl });
  await unguarded.connect();
  await unguarded.query("set search_path = assistant, pg_catalog; set timezone = 'UTC'; set datestyle = 'ISO, YMD'");
});
afterAll(async () => {
  await unguarded.end();
  await Promise.all([distributedDb.drop(), singleNodeDb.drop()]);
});

/** Returns the server's result without any guard, in the format of the tool. */
async function answerUnguarded(sql: string) {
  const query = { text: sql, rowMode: 'array' as const, types: { getTypeParser: () => String } };
  const { fields, rows } = await unguarded.query<(string | null)[]>(query as pg.QueryArrayConfig);
  return {
    columns: fields.map(({ name }) => name),
    rows: rows.map((row) => row.map((value, index) => toJsonValue(value, fields[index]!.dataTypeID))),
  };
}

/** Returns rows in their order, or sorted if the statement has no ORDER BY. */
const sortUnlessOrdered = (rows: readonly unknown[], sql: string): string[] => {
  const serializedRows = rows.map((row) => JSON.stringify(row));
  return / order by /.test(sql.replaceAll(/over \([^)]*\)/g, '')) ? serializedRows : serializedRows.toSorted();
};

test('returns the rows of an unguarded server for common questions', async () => {
  assert.ok(questions.length >= 200);
  const ask = createSqlRunner(distributedDb.database);
  for (const { question, sql } of questions) {
    const answer = await ask(sql);
    assert.ok(answer.ok, `${question} ${JSON.stringify(answer)} ${sql}`);
    const { columns, rows } = await answerUnguarded(sql);
    assert.deepEqual(answer.columns, columns, question);
    assert.deepEqual(sortUnlessOrdered(answer.rows, sql), sortUnlessOrdered(rows, sql), question);
  }
});

const ANSWERS_BY_QUESTION: Readonly<Record<string, string>> = {
  'What is on my watchlist?': 'NVDA TSLA AAPL SAP VTI',
  'How many tickers do I watch?': '21',
  'How many Apple shares do I own?': '12',
  'How much did I pay for my Apple shares?': '1900',
  'What is my gain on Apple?': '860',
  'What is my gain on Apple in percent?': '45.26',
  'What is my average cost of Apple?': '158.33',
  'What are my holdings worth?': 'EUR 840 USD 18660',
  'Which positions are at a loss?': 'MSFT -150 US10Y -50',
  'What is my largest position?': 'US10Y 9850',
  'What did my holdings do today in dollars?': '10',
  'Which account has no holdings?': '',
  'How much cash do I have?': 'EUR 900 USD 1750.5',
  'What is my cash share?': '8.58',
  'What was my highest net worth?': '2026-11-20 19750.5',
  'How did my net worth change in a week?': '70',
  "What is Tesla's change today?": '-5.71 -20',
  'How much is a Treasury?': '98.5 percent_of_par',
  "What was Apple's close a week ago?": '228.39',
  'How many days until the end of the year?': '41',
  'What is 1000 at 7 percent in ten years?': '1967.15',
  'How many Apple shares can I buy with my cash?': '7',
  'Which rows of my list are past the twentieth?': 'LOCKED 21',
  'What do I know of LOCKED?': 'LOCKED Locked Holdings plc ',
  'Did my net worth rise since October?': 'true',
};

test.each(Object.entries(ANSWERS_BY_QUESTION))('answers "%s" as computed by hand', async (question, expected) => {
  const { sql } = questions.find((candidate) => candidate.question === question)!;

  const answer = await createSqlRunner(distributedDb.database)(sql);

  assert.ok(answer.ok);
  const values = answer.rows.flat().map((value) => String(value ?? ''));
  const compared = question.includes('on my watchlist') ? values.slice(0, 5) : values;
  assert.equal(compared.join(' '), expected);
});

test('names outputs without an alias like the server', async () => {
  const expressions = [
    'a.name',
    'upper(a.name)',
    '1 + 1',
    '1::int4',
    '(1::int4)::int8',
    'upper(a.name)::varchar',
    'case when true then 1 end',
    '(case when true then 1 end)::int4',
    'case when true then 1 else 2::int4 end',
    'case when true then 1 else (case when true then 1 end) end',
    "case when true then 'x' else a.name end",
    'case when true then 1 else coalesce(2, 3) end',
    'exists (select 1)',
    '1 in (select 1)',
    '1 = any (select 1)',
    '1 > all (select 2)',
    '(select 1)',
    '(select 1 + 1)::int4',
    '(select h.quantity from holdings h limit 1)',
    '(values (1))',
    '(select 1 as n union select 2 order by n limit 1)',
    'coalesce(1, 2)',
    'greatest(1, 2)',
    'nullif(1, 2)',
    'current_date',
    'not true',
  ];
  const ask = createSqlRunner(distributedDb.database);
  for (const expression of expressions) {
    const inner = `select ${expression} from accounts a limit 1`;
    const [name] = (await answerUnguarded(inner)).columns;
    const answer = await ask(`select o."${name}" from (${inner}) o`);
    assert.ok(answer.ok, `${expression} ${JSON.stringify(answer)}`);
    assert.deepEqual(answer.columns, [name], expression);
    const wrong = await ask(`select o.another from (${inner}) o`);
    assert.ok(!wrong.ok && wrong.message.endsWith(`FROM has: o (${name}).`), `${expression} ${JSON.stringify(wrong)}`);
  }
});
