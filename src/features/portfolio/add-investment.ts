import type { MemberSql } from '../../platform/database/roles.ts';
import { loadSpelling } from '../../market-data/services/catalog/catalog-spelling.ts';
import type { LookupRateLimited } from '../../market-data/services/catalog/lookup-rate-limit.ts';
import type { Registration } from '../../market-data/services/catalog/register-symbol.ts';
import { normaliseSymbol } from '../../market-data/domain/normalise-symbol.ts';
import { findAccount } from './account-queries.ts';
import { type HoldingRow, insertHolding, type NewHolding } from './queries.ts';

/** Makes the catalog's row of a symbol that it lacks, within what a member may have looked up in a minute. */
export type RegisterSymbol = (idpId: string, symbol: string) => Promise<Registration | LookupRateLimited>;

export type AddInvestmentResult =
  | { ok: true; row: HoldingRow }
  | Exclude<Registration | LookupRateLimited, { ok: true }>
  | { ok: false; reason: 'no_account' | 'connected' | 'limit_reached' | 'unknown' };

/**
 * Add Investment: the account must be the member's own and kept by hand, then the symbol is registered in the shared
 * catalog where that lacks it, then the holding is written. The account comes first, so that no member makes us ask a
 * provider in the name of another member's account.
 */
export async function addInvestment(
  sql: MemberSql,
  registerSymbol: RegisterSymbol,
  newHolding: NewHolding,
): Promise<AddInvestmentResult> {
  const account = await findAccount(sql, newHolding.account_id);
  if (!account) return { ok: false, reason: 'no_account' };
  if (account.kind !== 'manual') return { ok: false, reason: 'connected' };
  const normalizedSymbol = normaliseSymbol(newHolding.symbol);
  if (normalizedSymbol === undefined) return { ok: false, reason: 'unknown' };
  const spelling = await loadSpelling(sql, [normalizedSymbol]);
  const symbol = spelling.toCatalogSymbol(normalizedSymbol);
  if (!spelling.existing.has(symbol)) {
    const registration = await registerSymbol(newHolding.idpId, symbol);
    if (!registration.ok) return registration;
  }
  return insertHolding(sql, { ...newHolding, symbol });
}
