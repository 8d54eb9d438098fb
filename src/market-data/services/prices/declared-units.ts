import { readCurrency } from '../../domain/currency-units.ts';
import type { Answer, Listing } from '../../domain/market-data-provider.ts';
import { type ListedUnit, noteUnit } from './unit-queries.ts';
import type { MarketContext } from '../shared/market-context.ts';

/** The unit of a provider's prices by its own word. `null`: the currency itself; `undefined`: it has not said yet. */
export function unitOf({ declared_unit: declared, units }: ListedUnit, source: string): string | null | undefined {
  return declared === null ? null : units?.[source];
}

/** Asks a provider in which unit it quotes a listing, and notes the answer. `undefined`: it cannot be had now. */
export async function askUnit(
  { sql, providers }: Pick<MarketContext, 'sql' | 'providers'>,
  listed: ListedUnit,
  source: string,
  signal: AbortSignal,
): Promise<string | null | undefined> {
  const said = await providers.callOne(source, 'lookup', (provider) => provider.lookup(listed.symbol, signal));
  const unit = said && readUnit(said, listed.currency);
  if (unit !== undefined) await noteUnit(sql, listed.symbol, source, unit);
  return unit;
}

/** Where a provider names no currency nothing is scaled; another currency than the listing's is no answer. */
function readUnit(said: Answer<Listing>, listedIn: string | null): string | null | undefined {
  if (!said.ok) return said.reason === 'unknown' || said.reason === 'unsupported' ? null : undefined;
  const { currency, unit } = readCurrency(said.value.currency);
  return currency === null || currency === listedIn ? unit : undefined;
}
