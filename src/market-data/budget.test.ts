import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestDatabase } from '../../test/support/database.ts';
import { createTestDatabase } from '../../test/support/database.ts';
import { connectDatabase } from '../database/connect.ts';
import { callFigures, tidyMarketTables } from './budget-queries.ts';
import type { Budget } from './budget.ts';
import { createBudget } from './budget.ts';
import type { CallClass } from './port.ts';

const PLENTY = 1_000_000;
/** A Saturday: quotes need not be saved for a session. */
const saturday = (): Date => new Date('2026-11-21T12:00:00Z');

let db: TestDatabase;
before(async () => {
  db = await createTestDatabase();
});
after(() => db.drop());

async function takeAll(budget: Budget, use: CallClass): Promise<number> {
  let calls = 0;
  while (await budget.spend(use)) calls += 1;
  return calls;
}

test('two processes racing for one budget take exactly what it holds, of the minute and of the day', async () => {
  const other = connectDatabase(db.urls);
  try {
    const limits = { perMinute: PLENTY, perDay: 53 };
    const budgets = [createBudget(db.database.service, 'raced', limits, saturday), createBudget(other.service, 'raced', limits, saturday)];
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
  const budget = createBudget(db.database.service, 'classes', { perMinute: PLENTY, perDay: 10 }, saturday);
  assert.equal(await takeAll(budget, 'background'), 6);
  assert.equal(await takeAll(budget, 'backfill'), 2);
  assert.equal(await takeAll(budget, 'quotes'), 2);
});

test('quotes leave a part of the day to the others, and the last calls of it are for new symbols', async () => {
  const budget = createBudget(db.database.service, 'parts', { perMinute: PLENTY, perDay: 20 }, saturday);
  assert.deepEqual([await takeAll(budget, 'quotes'), await takeAll(budget, 'background'), await takeAll(budget, 'quotes'), await takeAll(budget, 'backfill')], [14, 4, 0, 2]);
});

test('a provider that refuses for its rate ends the minute for every process', async () => {
  const limits = { perMinute: 50, perDay: PLENTY };
  const [here, there] = [createBudget(db.database.service, 'refused', limits, saturday), createBudget(db.database.service, 'refused', limits, saturday)];
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
  assert.equal(await createBudget(gone.service, 'x', { perMinute: 5, perDay: 5 }, saturday).spend('quotes'), false);
  await gone.close();
});

test('old figures and articles are swept, today\'s stay', async () => {
  await db.owner(`insert into market.provider_calls values ('old', 'minute', now() - interval '3 days', 1), ('old', 'day', now() - interval '61 days', 1), ('old', 'day', date_trunc('day', now()), 1)`);
  await db.owner(`insert into market.news_cache values ('old', '[]', now() - interval '2 days'), ('new', '[]', now())`);
  await tidyMarketTables(db.database.service);
  assert.equal((await db.owner(`select 1 from market.provider_calls where provider = 'old'`)).length, 1);
  assert.deepEqual(await db.owner('select symbols_key from market.news_cache'), [{ symbols_key: 'new' }]);
});
