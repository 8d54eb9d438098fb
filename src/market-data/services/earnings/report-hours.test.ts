import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'vitest';
import { FINNHUB_KEY, startFinnhubFake } from '../../../../test/fakes/finnhub/finnhub-fake.ts';
import { FMP_KEY, startFmpFake } from '../../../../test/fakes/fmp/fmp-fake.ts';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { createMarket } from '../../../../test/support/market-fixture.ts';

const range = { from: '2026-11-20', to: '2027-02-18' };

/** Starts market data with both providers and six companies, of which FMP alone reports VOD.L. */
async function startWithBothProviders(t: TestContext) {
  const [db, fmp, finnhub] = await Promise.all([createTestDatabase(t), startFmpFake(), startFinnhubFake()]);
  t.onTestFinished(async () => {
    await Promise.all([fmp.close(), finnhub.close()]);
  });
  const marketData = createMarket(db.database, {
    fmp: { key: FMP_KEY, baseUrl: fmp.url, callsPerMinute: 10_000 },
    finnhub: { key: FINNHUB_KEY, baseUrl: finnhub.url, callsPerMinute: 10_000 },
  });
  await db.owner(`insert into public.tracked_tickers_latest (symbol, asset_type) select unnest($1::text[]), 'stock'`, [
    SIX_SYMBOLS,
  ]);
  fmp.state.earnings.push({ symbol: 'VOD.L', date: '2027-02-03', epsEstimated: 0.1 });
  /** Fetches reports without cached ones. */
  const fetchReports = async (symbols: readonly string[]) => {
    await db.owner('delete from market.earnings_cache');
    await db.owner('delete from market.earnings_scans');
    const { reports, complete } = await marketData.earnings(symbols, range, { untilDone: true });
    return { complete, reports: reports.map(({ symbol, date, when }) => [symbol, date, when]) };
  };
  return { fmp, finnhub, fetchReports };
}

const SIX_SYMBOLS = ['AAPL', 'MSFT', 'VOD.L', 'KO', 'PEP', 'IBM'];
/** All reports, with the hour of Apple's as Finnhub returns it. */
const createReports = (appleHour: string | null) => [
  ['MSFT', '2027-01-26', null],
  ['AAPL', '2027-01-28', appleHour],
  ['VOD.L', '2027-02-03', null],
];

describe('with both providers', () => {
  test.for([
    ['one by one', SIX_SYMBOLS.slice(0, 3)],
    ['by a market-wide scan', SIX_SYMBOLS],
  ] as const)("uses Finnhub's report hours, and FMP for the rest, fetched %s", async ([, symbols], t) => {
    const { fetchReports } = await startWithBothProviders(t);

    assert.deepEqual(await fetchReports(symbols), { complete: true, reports: createReports('amc') });
  });

  test('does not call FMP for reports that Finnhub knows', async (t) => {
    const { fmp, fetchReports } = await startWithBothProviders(t);

    const { complete, reports } = await fetchReports(['AAPL']);

    assert.deepEqual([complete, reports], [true, [['AAPL', '2027-01-28', 'amc']]]);
    assert.equal(fmp.requests.length, 0);
  });

  test("returns FMP's reports without hours when Finnhub fails", async (t) => {
    const { finnhub, fetchReports } = await startWithBothProviders(t);
    finnhub.failWith('a server error');

    const known = await fetchReports(['AAPL']);
    const scanned = await fetchReports(SIX_SYMBOLS);

    assert.deepEqual(known, { complete: true, reports: [['AAPL', '2027-01-28', null]] });
    assert.deepEqual(scanned, { complete: false, reports: createReports(null) }, 'Finnhub may have more reports');
  });
});
