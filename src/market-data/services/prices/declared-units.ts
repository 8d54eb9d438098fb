import { parseCurrency } from '../../domain/currency-units.ts';
import type { ProviderResult, Listing } from '../../domain/market-data-provider.ts';
import { type ListedUnit, recordUnit } from './unit-queries.ts';
import type { MarketContext } from '../shared/market-context.ts';

/** The unit of a provider's prices by its own word. `null`: the currency itself; `undefined`: it has not said yet. */
export function getDeclaredUnit(
  { declared_unit: declared, units }: ListedUnit,
  source: string,
): string | null | undefined {
  return declared === null ? null : units?.[source];
}

/** Asks a provider in which unit it quotes a listing, and notes the answer. `undefined`: it cannot be had now. */
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

/** Where a provider names no currency nothing is scaled; another currency than the listing's is no answer. */
function toUnit(result: ProviderResult<Listing>, listedCurrency: string | null): string | null | undefined {
  if (!result.ok) return result.reason === 'unknown' || result.reason === 'unsupported' ? null : undefined;
  const { currency, unit } = parseCurrency(result.value.currency);
  return currency === null || currency === listedCurrency ? unit : undefined;
}
