import type { ServiceSql } from '../../platform/database/roles.ts';
import { registerExistingSymbols } from '../../market-data/services/catalog/register-existing-symbols.ts';
import type { WatchlistMarket } from './context.ts';
import { deleteWatchlist, insertList } from './queries.ts';

/**
 * Every kind of row on one list, in its order: companies that are held too (AAPL, NVDA), reports in days (ADBE, COST,
 * ORCL in sample data), a class of shares, ETFs, a fund. It is longer than the free plan takes.
 */
const DEMO_SYMBOLS = `
  AAPL NVDA ADBE COST VOO ORCL BRK.B VTSAX 912810TX6 VOD.L AMZN GOOGL META TSLA JPM LLY KO QQQ XOM DIS
  AMD AVGO SPY`
  .trim()
  .split(/\s+/);

/** Rows that only sample data has: a bond by its CUSIP, a listing in London. A provider gets ordinary US listings. */
const SAMPLE_ONLY_SYMBOLS: ReadonlySet<string> = new Set(['912810TX6', 'VOD.L']);

/**
 * Registers the demo account's symbols and returns the step that makes them its list; a symbol that the provider does
 * not know is left out. Throws `Failure` UNAVAILABLE where one cannot be looked up now.
 */
export async function prepareDemoList(
  market: Pick<WatchlistMarket, 'source' | 'registerSymbol' | 'requestBackfill'>,
  idpId: string,
): Promise<(sql: ServiceSql) => Promise<void>> {
  const availableSymbols = DEMO_SYMBOLS.filter(
    (symbol) => market.source === 'simulator' || !SAMPLE_ONLY_SYMBOLS.has(symbol),
  );
  const symbols = (await registerExistingSymbols(market, availableSymbols)).map(({ symbol }) => symbol);
  await Promise.all(symbols.map((symbol) => market.requestBackfill(symbol)));
  return async (sql) => {
    await deleteWatchlist(sql, idpId);
    await insertList(sql, idpId, symbols);
  };
}
