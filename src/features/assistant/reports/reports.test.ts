import assert from 'node:assert/strict';
import { test } from 'vitest';
import { sampleMember, createSources } from '../../../../test/support/sample-sources.ts';
import type { Position } from '../../portfolio/holdings/contract.ts';
import { type ReportKind, routes } from '../contract.ts';
import { createToolContextFactory } from '../tools/tool-context.ts';
import { MODEL_HINT, writeReport } from './reports.ts';

type SourceOverrides = Parameters<typeof createSources>[0];
async function write(
  kind: ReportKind,
  options: { symbol?: string; days?: number } = {},
  overrides: SourceOverrides = {},
) {
  const result = await writeReport(createToolContextFactory(createSources(overrides))(sampleMember), kind, options);
  assert.ok(result.ok, JSON.stringify(result));
  return routes.getReport.responses[200].parse({ ...result.report, with_model: null });
}
const getTexts = ({ lines }: Awaited<ReturnType<typeof write>>) => lines.map(({ text }) => text);

test("reports a move with its time, earnings, news and the member's position", async () => {
  const report = await write('why_moving', { symbol: 'aapl' });
  assert.deepEqual(getTexts(report), [
    'Apple Inc. (AAPL) is up 2.22% today at $230.00 (as of 10:15 AM ET; market open).',
    '41M have traded and the day’s range is $225.50 to $231.00.',
    'AAPL reports on Nov 25, 2026 after the close, in 2 market days. Analysts expect $2.65 a share.',
    '“Apple raises its outlook for the holidays” (Example Wire, 8:05 AM ET)',
    'These articles were published around the move; the figures do not show whether one of them caused it.',
    'The move is +$59.94 on what you hold.',
  ]);
  assert.deepEqual(
    report.sources.map(({ url }) => url),
    ['https://news.example.com/apple-outlook'],
  );
  assert.deepEqual(
    report.lines.map((line) => line.private),
    [false, false, false, false, false, true],
  );
});

test('names an extreme of the year when the day has it, also if the price has left it', async () => {
  const getTickerDetail = createSources().watchlist.getTickerDetail;
  const listExtremes = async (range: { low_52w: number; high_52w: number }): Promise<string[]> => {
    const lines = await write(
      'why_moving',
      { symbol: 'AAPL' },
      {
        watchlist: {
          getTickerDetail: async (...request) => {
            const found = await getTickerDetail(...request);
            return found.ok ? { ...found, detail: { ...found.detail, ...range } } : found;
          },
        },
      },
    );
    return getTexts(lines).filter((text) => text.includes('52 weeks'));
  };
  assert.deepEqual(await listExtremes({ low_52w: 180, high_52w: 240 }), []);
  assert.deepEqual(await listExtremes({ low_52w: 180, high_52w: 231 }), [
    'The day’s high is the highest in 52 weeks of closes.',
  ]);
  assert.deepEqual(await listExtremes({ low_52w: 225.5, high_52w: 240 }), [
    'The day’s low is the lowest in 52 weeks of closes.',
  ]);
});

test('states that no cause is known when there is no news or report', async () => {
  const sourcesWithoutNews = {
    dashboard: {
      getNews: async () => ({ articles: [], sample_data: false, complete: true }),
      getUpcomingReports: async () => ({ earnings: [], sample_data: false, complete: true }),
    },
  };
  const lines = getTexts(await write('why_moving', { symbol: 'AAPL' }, sourcesWithoutNews));
  assert.ok(
    lines.includes('No cause was found: no news in the last three days, and no earnings report within a week.'),
  );
});

test('marks the figures of a position as private but not its price', async () => {
  const report = await write('position', { symbol: 'AAPL' });
  assert.deepEqual(
    report.lines.map(({ text, private: isPrivate, amounts }) => [isPrivate, text, amounts]),
    [
      [true, 'You hold 12 AAPL in 2 accounts, worth $2,760.00.', ['12', '$2,760.00']],
      [false, 'Apple Inc. (AAPL) is up 2.22% today at $230.00 (as of 10:15 AM ET).', []],
      [true, 'You paid $1,900.00: +$860.00 (+45.26%) so far.', ['$1,900.00', '+$860.00']],
      [true, 'The move is +$59.94 on what you hold.', ['+$59.94']],
    ],
  );
  assert.deepEqual(report.table?.rows, [
    ['Brokerage', '10', '$2,300.00', '$1,500.00'],
    ['Everyday', '2', '$460.00', '$400.00'],
  ]);
  assert.equal(report.table?.private, true);
  assert.deepEqual(report.table?.amount_columns, ['Quantity', 'Value', 'Cost']);
});

test('states a gain without percentage when the cost is zero, and no gain when it is unknown', async () => {
  const { positions } = await createSources().portfolios.getPortfolio(sampleMember);
  const writeGain = async (changes: Partial<Position>): Promise<string[]> => {
    const changed = positions.map((position) => ({ ...position, ...changes }));
    const portfolios = { getPortfolio: async () => ({ positions: changed, sample_data: false }) };
    return getTexts(await write('position', { symbol: 'AAPL' }, { portfolios }));
  };
  const free = await writeGain({ cost_basis: 0, gain: { amount: 2760, percent: null } });
  assert.ok(free.includes('You paid $0.00: +$2,760.00 so far.'), free.join());
  const unknown = await writeGain({ cost_basis: null, gain: null });
  assert.ok(unknown.includes('Gain unknown: no cost basis entered.'), unknown.join());
});

test('lists the movers of the day without locked rows', async () => {
  const report = await write('list_today');
  assert.deepEqual(getTexts(report), [
    'Of 2 tickers, 1 is up and 1 is down, as of 10:15 AM ET (US market: open).',
    'Top gainers: AAPL +2.22%.',
    'Top losers: MSFT −2.38%.',
    'You hold 1 of them.',
    '1 saved ticker beyond your plan is locked and not included.',
  ]);
  assert.doesNotMatch(JSON.stringify(report), /TSLA/);
});

test('limits the earnings report to the requested days', async () => {
  assert.match(
    getTexts(await write('reports_ahead', { days: 1 }))[0]!,
    /^No company that you hold or watch is known to/,
  );
  assert.deepEqual(getTexts(await write('reports_ahead', { days: 7 })), [
    '1 report of companies that you hold or watch is due in the next 7 days.',
    'AAPL reports on Nov 25, 2026 after the close, in 2 market days. Analysts expect $2.65 a share.',
  ]);
});

test('has the horizon of the dashboard’s card when no days are named', async () => {
  assert.match(
    getTexts(await write('reports_ahead'))[0]!,
    /^1 report of companies that you hold or watch is due in the next 90 days/,
  );
});

test('adds up to the gain without a currency that nobody holds', async () => {
  const read = createSources().portfolios.getNetWorth;
  const getNetWorth: typeof read = async (...args) => {
    const netWorth = await read(...args);
    const [dollars] = netWorth.currencies;
    const changes = netWorth.base.changes.map((change) => ({
      ...change,
      market: -2647.976,
      exchange_rates: 22.514,
      gain: -2625.462,
    }));
    const empty = { ...dollars!, currency: 'EUR', cash: 0, liabilities: 0, investments: 0, total: 0, history: [] };
    return { ...netWorth, currencies: [...netWorth.currencies, empty], base: { ...netWorth.base, changes } };
  };
  const report = await write('net_worth_change', {}, { portfolios: { getNetWorth } });
  assert.deepEqual(
    report.table?.rows.map(([currency]) => currency),
    ['USD'],
  );
  // -2,647.98 and 22.52 are -2,625.46. Each rounded alone would give -2,625.47.
  assert.match(getTexts(report).join(), /Gain −\$2,625\.46 .*Market −\$2,647\.98, exchange rates \+\$22\.52,/s);
});

test('reports the gain of net worth apart from what was added', async () => {
  assert.deepEqual(getTexts(await write('net_worth_change')).slice(0, 2), [
    '$3,760.00 now. Gain +$160.00 (+4.44%) since Oct 24, 2026.',
    'Market +$160.00, exchange rates $0.00, added or withdrawn +$100.00.',
  ]);
});

test('states that a source was unavailable and marks sample data', async () => {
  const unavailable = {
    dashboard: { getUpcomingReports: async () => ({ earnings: [], sample_data: false, complete: false }) },
    watchlist: { getWatchlist: async () => undefined },
  };
  assert.deepEqual((await write('reports_ahead', {}, unavailable)).incomplete.length, 1);
  assert.match(getTexts(await write('list_today', {}, unavailable))[0]!, /is unavailable right now/);
});

test('shows figures, currencies and dates of tables in the formats of the screens', async () => {
  assert.deepEqual((await write('list_today')).table?.rows, [
    ['AAPL', 'Apple Inc.', '$230.00', '+2.22%'],
    ['MSFT', 'Microsoft', '$410.00', '−2.38%'],
  ]);
  assert.deepEqual((await write('reports_ahead')).table?.rows, [
    ['AAPL', 'Apple Inc.', 'Nov 25, 2026', 'After close', '$2.65', true],
  ]);
  assert.deepEqual((await write('net_worth_change')).table?.rows, [['USD', '$3,760.00', 'Oct 24, 2026', '$3,500.00']]);
  const { positions } = await createSources().portfolios.getPortfolio(sampleMember);
  const bond = positions.map((position) => ({
    ...position,
    symbol: '912810TX6',
    price: 98.125,
    price_unit: 'percent_of_par' as const,
    accounts: position.accounts.slice(0, 1).map((account) => ({ ...account, cost_basis: null, currency: 'GBP' })),
  }));
  const portfolios = { getPortfolio: async () => ({ positions: bond, sample_data: false }) };
  const report = await write('position', { symbol: '912810TX6' }, { portfolios });
  assert.deepEqual(report.table?.rows, [['Brokerage', '10', '£2,300.00', '–']]);
  assert.match(getTexts(report).join(), / at 98\.125% of par /);
});

test('names no setting of the operator', () => {
  assert.doesNotMatch(MODEL_HINT, /[A-Z]+_[A-Z]+|operator/);
});

test('gives no advice to buy, sell or hold', async () => {
  for (const kind of [
    'why_moving',
    'whats_new',
    'position',
    'list_today',
    'reports_ahead',
    'net_worth_change',
  ] as const)
    for (const text of getTexts(await write(kind, { symbol: 'AAPL' })))
      assert.doesNotMatch(text, /\b(buy|sell|should|recommend|good time)\b/i);
});

test('rejects a missing symbol or one that the member does not have', async () => {
  const context = createToolContextFactory(createSources())(sampleMember);
  assert.deepEqual(await writeReport(context, 'position', {}), { ok: false, reason: 'needs_symbol' });
  const otherSymbol = await writeReport(context, 'why_moving', { symbol: 'TSLA' });
  assert.ok(!otherSymbol.ok && otherSymbol.reason === 'not_yours');
});
