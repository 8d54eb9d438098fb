import type { ServiceSql } from '../../platform/database/roles.ts';
import { registerExistingSymbols } from '../../market-data/services/catalog/register-existing-symbols.ts';
import type { WatchlistMarket } from './context.ts';
import type { WatchlistTier } from './contract.ts';
import { addItems } from './queries.ts';

/**
 * Sample list of each tier. The longest list has the special rows: a dotted share class, a listing in pounds, a fund
 * and a bond.
 */
const SEED_LISTS: Readonly<Record<WatchlistTier, readonly string[]>> = {
  free: ['AAPL', 'MSFT', 'NVDA', 'VOO', 'AMZN'],
  pro: ['NVDA', 'AMD', 'AVGO', 'TSLA', 'COST', 'JPM', 'QQQ', 'VTI'],
  max: ['AAPL', 'MSFT', 'GOOGL', 'META', 'BRK.B', 'JPM', 'LLY', 'XOM', 'KO', 'VOO', 'SCHD', 'VXUS'],
};

/**
 * Adds a list for each sample member. Charts follow when the worker runs. Existing symbols are kept. Throws `Failure`
 * UNAVAILABLE before any change if a look-up is unavailable.
 */
export async function seedWatchlists(
  sql: ServiceSql,
  members: readonly { idp_user_id: string; tier: WatchlistTier }[],
  market: Pick<WatchlistMarket, 'registerSymbol' | 'requestBackfill'>,
): Promise<void> {
  const seedSymbols = [...new Set(members.flatMap(({ tier }) => SEED_LISTS[tier]))];
  const registeredSymbols = new Set((await registerExistingSymbols(market, seedSymbols)).map(({ symbol }) => symbol));
  for (const { idp_user_id: idpId, tier } of members) {
    const symbols = SEED_LISTS[tier].filter((symbol) => registeredSymbols.has(symbol));
    if (symbols.length > 0) await addItems(sql, idpId, symbols);
    await Promise.all(symbols.map((symbol) => market.requestBackfill(symbol)));
  }
}
