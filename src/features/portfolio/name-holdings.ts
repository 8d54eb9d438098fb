import type { ServiceSql } from '../../platform/database/roles.ts';
import { readSpelling } from '../../market-data/services/catalog/catalog-spelling.ts';
import { normaliseSymbol } from '../../market-data/domain/normalise-symbol.ts';
import type { RegisterFor } from './add-investment.ts';
import { type ConnectedHolding, readShareCurrencies } from './connected-queries.ts';

/** New symbols that one reading may have looked up; the next one goes on with the rest. */
const MOST_LOOK_UPS = 25;

/**
 * The holdings with the catalog's own symbols. A symbol that the catalog lacks is looked up, within the member's limit;
 * what stays unknown has none and counts by what the institution says.
 */
export async function nameHoldings(
  { sql, registerFor }: { sql: ServiceSql; registerFor: RegisterFor },
  idpId: string,
  holdings: readonly ConnectedHolding[],
): Promise<ConnectedHolding[]> {
  const written = [...new Set(holdings.flatMap(({ symbol }) => (symbol && normaliseSymbol(symbol)) || []))];
  const { of, known } = await readSpelling(sql, written);
  const found = new Set(written.map(of).filter((symbol) => known.has(symbol)));
  const missing = written.map(of).filter((symbol) => !known.has(symbol));
  for (const symbol of missing.slice(0, MOST_LOOK_UPS)) {
    const registered = await registerFor(idpId, symbol);
    if (registered.ok) found.add(symbol);
    else if (registered.reason === 'rate_limited' || registered.reason === 'unavailable') break;
  }
  const shares = await readShareCurrencies(sql, [...found]);
  return holdings.map((holding) => {
    const plain = holding.symbol === null ? undefined : normaliseSymbol(holding.symbol);
    const symbol = plain === undefined ? undefined : of(plain);
    // The same letters in another currency are another listing.
    const isListed =
      symbol !== undefined &&
      shares.has(symbol) &&
      (shares.get(symbol) ?? holding.currency) === holding.currency &&
      Number(holding.quantity) > 0;
    return { ...holding, symbol: isListed ? symbol : null };
  });
}
