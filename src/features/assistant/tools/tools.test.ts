import assert from 'node:assert/strict';
import { test } from 'vitest';
import { sampleMember, createSources } from '../../../../test/support/sample-sources.ts';
import { AppError } from '../../../errors.ts';
import { createToolContextFactory } from './tool-context.ts';
import { runTool, tools } from './tools.ts';

const context = createToolContextFactory(createSources())(sampleMember);
const runToolForRows = async (name: string, input: unknown, toolContext = context) => {
  const outcome = await runTool(toolContext, name, input);
  assert.ok(outcome.ok, JSON.stringify(outcome));
  return outcome.result.rows;
};

test('returns as many cells as columns from every tool', async () => {
  for (const tool of tools.filter(({ name }) => name !== 'run_sql')) {
    const outcome = await runTool(context, tool.name, 'symbol' in tool.inputSchema.shape ? { symbol: 'aapl' } : {});
    assert.ok(outcome.ok, tool.name);
    const { columns, rows } = outcome.result;
    assert.ok(rows.length > 0, tool.name);
    for (const row of rows) assert.equal(row.length, columns.length, tool.name);
  }
});

test('offers no tool that writes and rejects fields outside the schema', async () => {
  for (const tool of tools) {
    assert.match(tool.name, /^[a-z_]{1,64}$/);
    assert.doesNotMatch(tool.name, /add|create|update|delete|remove|send|buy|sell|order|write/);
    const outcome = await runTool(context, tool.name, { symbol: 'AAPL', sql: 'select 1', idp_id: 'user_bob' });
    assert.ok(!outcome.ok && /The input is not valid/.test(outcome.message), tool.name);
  }
});

test('suggests valid names when the tool or its input is wrong', async () => {
  const unknownTool = await runTool(context, 'send_email', {});
  assert.ok(
    !unknownTool.ok && /There is no tool send_email. There are: run_sql, my_position/.test(unknownTool.message),
  );
  const invalidInput = await runTool(context, 'my_position', { symbol: 7 });
  assert.ok(!invalidInput.ok && /symbol: /.test(invalidInput.message));
});

test('returns only the symbol of a locked row', async () => {
  const locked = (await runToolForRows('watchlist_today', {})).find(([symbol]) => symbol === 'TSLA')!;
  assert.deepEqual(
    locked.filter((cell) => cell !== null),
    ['TSLA', true],
  );
  const lockedMove = await runTool(context, 'why_moving', { symbol: 'TSLA' });
  assert.ok(!lockedMove.ok && /neither held nor among the rows/.test(lockedMove.message));
});

test('returns an empty list during the demo tour and none outside the rollout', async () => {
  assert.deepEqual(
    await runToolForRows(
      'watchlist_today',
      {},
      createToolContextFactory(createSources())(sampleMember, { demoTour: true }),
    ),
    [],
  );
  const contextOutsideRollout = createToolContextFactory(
    createSources({ watchlist: { isWatchlistOn: async () => false, getWatchlist: () => assert.fail('asked') } }),
  )(sampleMember);
  assert.deepEqual(await runTool(contextOutsideRollout, 'watchlist_today', {}), {
    ok: false,
    message: 'The member has no watchlist.',
  });
});

test('reports unavailable data as an outcome and throws other errors', async () => {
  const unavailable = createToolContextFactory(
    createSources({
      portfolios: {
        getPortfolio: async () => {
          throw new AppError('UNAVAILABLE');
        },
      },
    }),
  )(sampleMember);
  const outcome = await runTool(unavailable, 'my_position', { symbol: 'AAPL' });
  assert.ok(!outcome.ok && /not available right now/.test(outcome.message));
  const brokenContext = createToolContextFactory(
    createSources({ portfolios: { getPortfolio: () => Promise.reject(new TypeError('x')) } }),
  )(sampleMember);
  await assert.rejects(runTool(brokenContext, 'my_position', { symbol: 'AAPL' }), TypeError);
});

test('links only to the articles of a result', async () => {
  const outcome = await runTool(context, 'news', { symbol: 'AAPL' });
  assert.ok(outcome.ok);
  assert.deepEqual(
    outcome.result.links.map(({ url }) => url),
    ['https://news.example.com/apple-outlook'],
  );
});

test('explains the value of a position and net worth with source, time and rate date', async () => {
  const position = await runTool(context, 'my_position', { symbol: 'AAPL' });
  assert.ok(position.ok);
  assert.deepEqual(
    position.result.explain?.terms.map(({ amount, source, price_at: at }) => [amount, source, at]),
    [
      [2300, 'fmp', '2026-11-23T15:15:00.000Z'],
      [460, 'fmp', '2026-11-23T15:15:00.000Z'],
    ],
  );
  const netWorth = await runTool(context, 'net_worth_change', {});
  assert.ok(netWorth.ok);
  assert.deepEqual(
    netWorth.result.explain?.terms.map(({ amount, rate, rate_date: date }) => [amount, rate, date]),
    [
      [2300, null, null],
      [1000, 1.25, '2026-11-20'],
      [460, null, null],
    ],
  );
  assert.deepEqual(netWorth.result.notes.slice(0, 2), [
    'Net worth in the base currency: 3760 USD.',
    'Change since 2026-10-24 in USD: market 160, exchange rates 0, flows 100; time-weighted return 4.4444%.',
  ]);
});

test('returns dividend income by month and security, with its sums and yields', async () => {
  const outcome = await runTool(context, 'dividend_income', { symbol: 'aapl' });
  assert.ok(outcome.ok);
  assert.deepEqual(outcome.result.rows, [
    ['2026-08', 'AAPL', 'Apple Inc.', 'paid', 3, 'USD'],
    ['2027-02', 'AAPL', 'Apple Inc.', 'expected', 3.12, 'USD'],
  ]);
  assert.deepEqual(outcome.result.notes, [
    'Income of all holdings in the next 90 days: 3.12 USD.',
    'Income of all holdings in the next twelve months: 12.48 USD.',
    'Yield on value: 0.45%.',
    'Yield on cost: 0.66%.',
  ]);
  assert.deepEqual(await runToolForRows('dividend_income', { months: 2 }), [], 'months before and after November');
  assert.deepEqual(
    (await runToolForRows('dividend_income', { months: 3 })).map(([month]) => month),
    ['2026-08', '2027-02'],
  );
  assert.deepEqual(await runTool(context, 'dividend_income', { symbol: 'MSFT' }), {
    ok: false,
    message: 'The member holds no MSFT.',
  });
});

test('keeps the largest terms of a long explanation and says so', async () => {
  const { positions } = await createSources().portfolios.getPortfolio(sampleMember);
  const [position] = positions;
  const [term] = position!.explain!.terms;
  const terms = Array.from({ length: 100 }, (_, index) => ({ ...term!, amount: index % 2 === 0 ? index : -index }));
  const long = createToolContextFactory(
    createSources({
      portfolios: {
        getPortfolio: async () => ({
          positions: [{ ...position!, explain: { terms, excluded: [] } }],
          sample_data: false,
        }),
      },
    }),
  )(sampleMember);
  const outcome = await runTool(long, 'my_position', { symbol: 'AAPL' });
  assert.ok(outcome.ok);
  const amounts = outcome.result.explain!.terms.map(({ amount }) => amount);
  assert.deepEqual([amounts.length, amounts[0], amounts.at(-1)], [40, -99, 60]);
  assert.deepEqual(outcome.result.notes, ['explain has the 40 largest of 100 terms and 0 of 0 omissions.']);
});
