import type { ServiceSql } from '../../platform/database/roles.ts';
import { registerExistingSymbols } from '../../market-data/services/catalog/register-existing-symbols.ts';
import type { WatchlistMarket } from './context.ts';
import type { WatchlistTier } from './contract.ts';
import { addItems } from './queries.ts';

/**
 * A first list per tier: the kinds that look different (a dotted class, a listing in pounds, a fund, a bond) are on the
 * longest.
 */
const SEED_LISTS: Readonly<Record<WatchlistTier, readonly string[]>> = {
  free: ['AAPL', 'MSFT', 'NVDA', 'VOO', 'AMZN'],
  pro: ['NVDA', 'AMD', 'AVGO', 'TSLA', 'COST', 'JPM', 'QQQ', 'VTI'],
  max: ['AAPL', 'MSFT', 'GOOGL', 'META', 'BRK.B', 'JPM', 'LLY', 'XOM', 'KO', 'VOO', 'SCHD', 'VXUS'],
};

/**
 * Gives each of the first run's members a list, with charts as soon as the worker runs; symbols that are there already
 * stay as they are. Throws `Failure` UNAVAILABLE before anything is added where a symbol cannot be looked up now.
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
