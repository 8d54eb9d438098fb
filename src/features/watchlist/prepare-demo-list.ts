import type { ServiceSql } from '../../platform/database/roles.ts';
import { registerKnown } from '../../market-data/services/catalog/register-known.ts';
import type { WatchlistMarket } from './context.ts';
import { deleteWatchlistOf, insertList } from './queries.ts';

/**
 * Every kind of row on one list, in its order: companies that are held too (AAPL, NVDA), reports in days (ADBE, COST,
 * ORCL in sample data), a class of shares, ETFs, a fund. It is longer than the free plan takes.
 */
const LIST = `
  AAPL NVDA ADBE COST VOO ORCL BRK.B VTSAX 912810TX6 VOD.L AMZN GOOGL META TSLA JPM LLY KO QQQ XOM DIS
  AMD AVGO SPY`
  .trim()
  .split(/\s+/);

/** Rows that only sample data has: a bond by its CUSIP, a listing in London. A provider gets ordinary US listings. */
const SAMPLE_ONLY: ReadonlySet<string> = new Set(['912810TX6', 'VOD.L']);

/**
 * Registers the demo account's symbols and returns the step that makes them its list; a symbol that the provider does
 * not know is left out. Throws `Failure` UNAVAILABLE where one cannot be looked up now.
 */
export async function prepareDemoList(
  market: Pick<WatchlistMarket, 'source' | 'registerSymbol' | 'requestBackfill'>,
  idpId: string,
): Promise<(sql: ServiceSql) => Promise<void>> {
  const wanted = LIST.filter((symbol) => market.source === 'simulator' || !SAMPLE_ONLY.has(symbol));
  const symbols = (await registerKnown(market, wanted)).map(({ symbol }) => symbol);
  await Promise.all(symbols.map((symbol) => market.requestBackfill(symbol)));
  return async (sql) => {
    await deleteWatchlistOf(sql, idpId);
    await insertList(sql, idpId, symbols);
  };
}
