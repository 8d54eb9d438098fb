import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestDatabase } from '../../test/support/database.ts';
import { createTestDatabase } from '../../test/support/database.ts';
import { connectDatabase } from '../database/connect.ts';
import { callFigures, tidyMarketTables } from './budget-queries.ts';
import { createBudget } from './budget.ts';

const PLENTY = 1_000_000;

let db: TestDatabase;
before(async () => {
  db = await createTestDatabase();
});
after(() => db.drop());

test('two processes racing for one budget take exactly what it holds, of the minute and of the day', async () => {
  const other = connectDatabase(db.urls);
  try {
    const limits = { perMinute: PLENTY, perDay: 37 };
    const budgets = [createBudget(db.database.service, 'raced', limits), createBudget(other.service, 'raced', limits)];
    const taken = await Promise.all(Array.from({ length: 120 }, (_, call) => budgets[call % 2]!.spend('quotes')));
    assert.equal(taken.filter(Boolean).length, 37);
    const figures = await callFigures(other.service);
    const used = (span: string) => figures.filter((row) => row.provider === 'raced' && row.span === span).reduce((sum, row) => sum + row.used, 0);
    assert.deepEqual([used('day'), used('minute')], [37, 37], 'a refused call is counted nowhere');
  } finally {
    await other.close();
  }
});

test('when little is left, prices still come: reports and news stop first, then history', async () => {
  const budget = createBudget(db.database.service, 'classes', { perMinute: PLENTY, perDay: 10 });
  const takeAll = async (use: 'quotes' | 'backfill' | 'background') => {
    let calls = 0;
    while (await budget.spend(use)) calls += 1;
    return calls;
  };
  assert.equal(await takeAll('background'), 6);
  assert.equal(await takeAll('backfill'), 2);
  assert.equal(await takeAll('quotes'), 2);
});

test('a provider that refuses for its rate ends the minute for every process', async () => {
  const limits = { perMinute: 50, perDay: PLENTY };
  const [here, there] = [createBudget(db.database.service, 'refused', limits), createBudget(db.database.service, 'refused', limits)];
  // Where the minute turns between the two calls there is one more try.
  for (let round = 0; round < 2; round += 1) {
    assert.equal(await there.spend('quotes'), true);
    await here.exhaust();
    if (!(await there.spend('quotes'))) return;
  }
  assert.fail('the other process may still call');
});

test('without its database a budget has nothing to spend', async () => {
  const gone = connectDatabase({ authenticator: 'postgres://a:b@127.0.0.1:1/x', service: 'postgres://a:b@127.0.0.1:1/x' });
  assert.equal(await createBudget(gone.service, 'x', { perMinute: 5, perDay: 5 }).spend('quotes'), false);
  await gone.close();
});

test('old figures and articles are swept, today\'s stay', async () => {
  await db.owner(`insert into market.provider_calls values ('old', 'minute', now() - interval '3 days', 1), ('old', 'day', now() - interval '61 days', 1), ('old', 'day', date_trunc('day', now()), 1)`);
  await db.owner(`insert into market.news_cache values ('old', '[]', now() - interval '2 days'), ('new', '[]', now())`);
  await tidyMarketTables(db.database.service);
  assert.equal((await db.owner(`select 1 from market.provider_calls where provider = 'old'`)).length, 1);
  assert.deepEqual(await db.owner('select symbols_key from market.news_cache'), [{ symbols_key: 'new' }]);
});
