import type { AssetType } from '../../../market-data/contract.ts';
import type { MarketDataService } from '../../../market-data/services/market-data-service.ts';

/**
 * Fetches the year of closes of each stock and ETF that has none yet, so that a seeded history follows the prices of its
 * days. A provider that is unavailable leaves them out; earlier days then have today's price.
 */
export async function fetchHistories(
  market: Pick<MarketDataService, 'backfillNow'>,
  listings: readonly { symbol: string; asset_type: AssetType }[],
): Promise<void> {
  for (const { symbol, asset_type: kind } of listings)
    if (kind === 'stock' || kind === 'etf') await market.backfillNow(symbol, false);
}
