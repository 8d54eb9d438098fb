import assert from 'node:assert/strict';
import { test } from 'vitest';
import { FINNHUB_KEY, startFinnhubFake } from '../../../../test/fakes/finnhub/finnhub-fake.ts';
import { FMP_KEY, startFmpFake } from '../../../../test/fakes/fmp/fmp-fake.ts';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { createMarket } from '../../../../test/support/market-fixture.ts';

const range = { from: '2026-11-20', to: '2027-02-18' };

test("uses Finnhub's report hours when both keys are set, and FMP for the rest", async (t) => {
  const [db, fmp, finnhub] = await Promise.all([createTestDatabase(t), startFmpFake(), startFinnhubFake()]);
  t.onTestFinished(async () => {
    await Promise.all([fmp.close(), finnhub.close()]);
  });
  const marketData = createMarket(db.database, {
    fmp: { key: FMP_KEY, baseUrl: fmp.url, callsPerMinute: 10_000 },
    finnhub: { key: FINNHUB_KEY, baseUrl: finnhub.url, callsPerMinute: 10_000 },
  });
  const symbols = ['AAPL', 'MSFT', 'VOD.L', 'KO', 'PEP', 'IBM'];
  await db.owner(`insert into public.tracked_tickers_latest (symbol, asset_type) select unnest($1::text[]), 'stock'`, [
    symbols,
  ]);
  fmp.state.earnings.push({ symbol: 'VOD.L', date: '2027-02-03', epsEstimated: 0.1 });
  const fetchReports = async (symbolsToFetch: readonly string[]) => {
    await db.owner('delete from market.earnings_cache');
    await db.owner('delete from market.earnings_scans');
    const { reports, complete } = await marketData.earnings(symbolsToFetch, range, { untilDone: true });
    return { complete, reports: reports.map(({ symbol, date, when }) => [symbol, date, when]) };
  };
  const all = {
    complete: true,
    reports: [
      ['MSFT', '2027-01-26', null],
      ['AAPL', '2027-01-28', 'amc'],
      ['VOD.L', '2027-02-03', null],
    ],
  };
  assert.deepEqual(await fetchReports(['AAPL', 'MSFT', 'VOD.L']), all, 'fetched one by one');
  assert.deepEqual(await fetchReports(symbols), all, 'fetched by a market-wide scan');

  fmp.requests.length = 0;
  assert.deepEqual(await fetchReports(['AAPL']), { complete: true, reports: [['AAPL', '2027-01-28', 'amc']] });
  assert.equal(fmp.requests.length, 0, 'FMP is not called for known reports');

  finnhub.failWith('a server error');
  assert.deepEqual(await fetchReports(['AAPL']), { complete: true, reports: [['AAPL', '2027-01-28', null]] });
  const someReports = await fetchReports(symbols);
  assert.deepEqual(
    [someReports.complete, someReports.reports],
    [
      false,
      [
        ['MSFT', '2027-01-26', null],
        ['AAPL', '2027-01-28', null],
        ['VOD.L', '2027-02-03', null],
      ],
    ],
    'Finnhub may have more reports',
  );
});
