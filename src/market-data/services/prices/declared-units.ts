import { parseCurrency } from '../../domain/currency-units.ts';
import type { ProviderResult, Listing } from '../../domain/market-data-provider.ts';
import { type ListedUnit, recordUnit } from './unit-queries.ts';
import type { MarketContext } from '../shared/market-context.ts';

/**
 * Returns the unit that the provider declared for its prices. null is the currency itself, and undefined is undeclared.
 */
export function getDeclaredUnit(
  { declared_unit: declared, units }: ListedUnit,
  source: string,
): string | null | undefined {
  return declared === null ? null : units?.[source];
}

/** Fetches and stores the unit in which a provider quotes a listing. Returns undefined if it is unavailable now. */
export async function fetchUnit(
  { sql, providers }: Pick<MarketContext, 'sql' | 'providers'>,
  listed: ListedUnit,
  source: string,
  signal: AbortSignal,
): Promise<string | null | undefined> {
  const result = await providers.callOne(source, 'lookup', (provider) => provider.lookup(listed.symbol, signal));
  const unit = result && toUnit(result, listed.currency);
  if (unit !== undefined) await recordUnit(sql, listed.symbol, source, unit);
  return unit;
}

/** If a provider declares no currency, nothing is scaled. A currency other than that of the listing is ignored. */
function toUnit(result: ProviderResult<Listing>, listedCurrency: string | null): string | null | undefined {
  if (!result.ok) return result.reason === 'unknown' || result.reason === 'unsupported' ? null : undefined;
  const { currency, unit } = parseCurrency(result.value.currency);
  return currency === null || currency === listedCurrency ? unit : undefined;
}
