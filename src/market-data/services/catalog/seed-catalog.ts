import type { ServiceSql } from '../../../platform/database/roles.ts';
import { normalizeCandles, getCandleYear } from '../history/backfill-history.ts';
import { insertTickers } from './catalog-queries.ts';
import { writeHistories } from '../history/history-queries.ts';
import { convertCandle, parseCurrency } from '../../domain/currency-units.ts';
import { toNewTicker } from './new-ticker.ts';
import type { MarketDataProvider } from '../../domain/market-data-provider.ts';

/** Well-known listings that have a year of candles from the first run. */
const FAMILIAR_SYMBOLS = `
AAPL MSFT NVDA AMZN GOOGL META TSLA AMD AVGO ORCL ADBE COST JPM KO DIS LLY XOM BRK.B
VOO SPY QQQ VTI SCHD VXUS VOD.L ZXZZT`
  .trim()
  .split(/\s/);

/**
 * Inserts the provider's seed listings and the history of the familiar ones. Existing rows stay unchanged. Returns the
 * number of new rows.
 */
export async function seedCatalog(sql: ServiceSql, provider: MarketDataProvider, now: Date): Promise<number> {
  const { seedListings: listings } = provider;
  if (listings.size === 0) return 0;
  const createdRows = await insertTickers(sql, [...listings.values()].map(toNewTicker));
  const range = getCandleYear(now);
  const histories = [];
  for (const { symbol, ticker_id: tickerId } of createdRows) {
    if (!FAMILIAR_SYMBOLS.includes(symbol)) continue;
    const answer = await provider.dailyCandles(symbol, range, AbortSignal.timeout(5_000));
    const { unit } = parseCurrency(listings.get(symbol)!.currency);
    if (answer.ok)
      histories.push({
        tickerId,
        candles: normalizeCandles(answer.value, range).map((candle) => convertCandle(candle, unit)),
      });
  }
  if (histories.length > 0) await writeHistories(sql, histories);
  return createdRows.length;
}
