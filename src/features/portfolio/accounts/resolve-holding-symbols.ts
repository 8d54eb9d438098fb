import type { ServiceSql } from '../../../platform/database/roles.ts';
import { loadSpelling } from '../../../market-data/services/catalog/catalog-spelling.ts';
import { normalizeSymbol } from '../../../market-data/domain/normalize-symbol.ts';
import type { RegisterSymbol } from '../holdings/add-holding.ts';
import { readShareCurrencies } from './connected-queries.ts';
import type { ConnectedHolding } from './contract.ts';

/** Maximum number of new symbols per reading. The next reading looks up the rest. */
const MAX_LOOKUPS = 25;

/**
 * Returns the holdings with symbols of the catalog. A missing symbol is looked up within the member's limit. An unknown
 * one becomes null, and the institution's value counts.
 */
export async function resolveHoldingSymbols(
  { sql, registerSymbol }: { sql: ServiceSql; registerSymbol: RegisterSymbol },
  idpId: string,
  holdings: readonly ConnectedHolding[],
): Promise<ConnectedHolding[]> {
  const normalizedSymbols = [...new Set(holdings.flatMap(({ symbol }) => (symbol && normalizeSymbol(symbol)) || []))];
  const { toCatalogSymbol, existing: catalogSymbols } = await loadSpelling(sql, normalizedSymbols);
  const listedSymbols = new Set(normalizedSymbols.map(toCatalogSymbol).filter((symbol) => catalogSymbols.has(symbol)));
  const missingSymbols = normalizedSymbols.map(toCatalogSymbol).filter((symbol) => !catalogSymbols.has(symbol));
  for (const symbol of missingSymbols.slice(0, MAX_LOOKUPS)) {
    const registration = await registerSymbol(idpId, symbol);
    if (registration.ok) listedSymbols.add(symbol);
    else if (registration.reason === 'rate_limited' || registration.reason === 'unavailable') break;
  }
  const currencyBySymbol = await readShareCurrencies(sql, [...listedSymbols]);
  return holdings.map((holding) => {
    const normalizedSymbol = holding.symbol === null ? undefined : normalizeSymbol(holding.symbol);
    const symbol = normalizedSymbol === undefined ? undefined : toCatalogSymbol(normalizedSymbol);
    // An equal symbol in another currency is another listing.
    const isListed =
      symbol !== undefined &&
      currencyBySymbol.has(symbol) &&
      (currencyBySymbol.get(symbol) ?? holding.currency) === holding.currency &&
      Number(holding.quantity) > 0;
    return { ...holding, symbol: isListed ? symbol : null };
  });
}
