import type { ServiceSql } from '../../../platform/database/roles.ts';
import { normalizeCandles, yearOfCandles } from '../history/backfill-history.ts';
import { insertTickers } from './catalog-queries.ts';
import { writeHistories } from '../history/history-queries.ts';
import { candleToCurrency, readCurrency } from '../../domain/currency-units.ts';
import { newTicker } from './new-ticker.ts';
import type { MarketDataProvider } from '../../domain/market-data-provider.ts';

/** Well-known listings whose year of candles stands ready from the first run. */
const FAMILIAR = `
AAPL MSFT NVDA AMZN GOOGL META TSLA AMD AVGO ORCL ADBE COST JPM KO DIS LLY XOM BRK.B
VOO SPY QQQ VTI SCHD VXUS VOD.L ZXZZT`
  .trim()
  .split(/\s/);

/** Adds the provider's first listings and the familiar ones' history; existing rows stay. Returns the new rows' number. */
export async function seedCatalog(sql: ServiceSql, provider: MarketDataProvider, now: Date): Promise<number> {
  const { firstListings: listings } = provider;
  if (listings.size === 0) return 0;
  const made = await insertTickers(sql, [...listings.values()].map(newTicker));
  const range = yearOfCandles(now);
  const histories = [];
  for (const { symbol, ticker_id: tickerId } of made) {
    if (!FAMILIAR.includes(symbol)) continue;
    const answer = await provider.dailyCandles(symbol, range, AbortSignal.timeout(5_000));
    const { unit } = readCurrency(listings.get(symbol)!.currency);
    if (answer.ok)
      histories.push({
        tickerId,
        candles: normalizeCandles(answer.value, range).map((candle) => candleToCurrency(candle, unit)),
      });
  }
  if (histories.length > 0) await writeHistories(sql, histories);
  return made.length;
}
