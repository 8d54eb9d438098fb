import type { ServiceSql } from '../../platform/database/roles.ts';
import { registerExistingSymbols } from '../../market-data/services/catalog/register-existing-symbols.ts';
import type { WatchlistMarket } from './context.ts';
import { deleteWatchlist, insertList } from './queries.ts';

/**
 * Symbols of the demo list, in list order, with every kind of row. AAPL and NVDA are also held. ADBE, COST and ORCL
 * report within days in sample data. A share class, ETFs and a fund follow. The list is longer than the limit of the
 * Free plan.
 */
const DEMO_SYMBOLS = `
  AAPL NVDA ADBE COST VOO ORCL BRK.B VTSAX 912810TX6 VOD.L AMZN GOOGL META TSLA JPM LLY KO QQQ XOM DIS
  AMD AVGO SPY`
  .trim()
  .split(/\s+/);

/**
 * Symbols that exist only in sample data: a bond by its CUSIP, and a listing in London. A provider returns only
 * ordinary US listings.
 */
const SAMPLE_ONLY_SYMBOLS: ReadonlySet<string> = new Set(['912810TX6', 'VOD.L']);

/**
 * Registers the demo account's symbols and returns the step that writes them as its list. Symbols that the provider
 * does not have are omitted. Throws `Failure` UNAVAILABLE if a look-up is unavailable.
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
