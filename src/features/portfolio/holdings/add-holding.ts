import type { MemberSql } from '../../../platform/database/roles.ts';
import { loadSpelling } from '../../../market-data/services/catalog/catalog-spelling.ts';
import type { LookupRateLimited } from '../../../market-data/services/catalog/lookup-rate-limit.ts';
import type { Registration } from '../../../market-data/services/catalog/register-symbol.ts';
import { normalizeSymbol } from '../../../market-data/domain/normalize-symbol.ts';
import { findAccountKind, type HoldingRow, insertHolding, type NewHolding } from './queries.ts';

/** Registers a symbol that the catalog lacks, within the member's look-ups per minute. */
export type RegisterSymbol = (idpId: string, symbol: string) => Promise<Registration | LookupRateLimited>;

export type AddHoldingResult =
  | { ok: true; row: HoldingRow }
  | Exclude<Registration | LookupRateLimited, { ok: true }>
  | { ok: false; reason: 'no_account' | 'connected' | 'limit_reached' | 'unknown' };

/**
 * Adds a holding in three steps: check that the account is the member's own manual account, register the symbol in
 * the shared catalog if missing, insert the holding. The account is checked first, so that another member's account id
 * causes no provider call.
 */
export async function addHolding(
  sql: MemberSql,
  registerSymbol: RegisterSymbol,
  newHolding: NewHolding,
): Promise<AddHoldingResult> {
  const kind = await findAccountKind(sql, newHolding.account_id);
  if (!kind) return { ok: false, reason: 'no_account' };
  if (kind !== 'manual') return { ok: false, reason: 'connected' };
  const normalizedSymbol = normalizeSymbol(newHolding.symbol);
  if (normalizedSymbol === undefined) return { ok: false, reason: 'unknown' };
  const spelling = await loadSpelling(sql, [normalizedSymbol]);
  const symbol = spelling.toCatalogSymbol(normalizedSymbol);
  if (!spelling.existing.has(symbol)) {
    const registration = await registerSymbol(newHolding.idpId, symbol);
    if (!registration.ok) return registration;
  }
  return insertHolding(sql, { ...newHolding, symbol });
}
