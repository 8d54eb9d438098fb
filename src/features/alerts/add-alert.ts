import { resolveSymbol } from '../../market-data/services/catalog/catalog-spelling.ts';
import type { LookupRateLimited } from '../../market-data/services/catalog/lookup-rate-limit.ts';
import type { RegistrationFailure } from '../../market-data/services/catalog/register-symbol.ts';
import type { ChangeContext } from './context.ts';
import type { AlertTerms } from './contract.ts';
import { type AlertRow, findAlert, getAddRejection, insertAlert } from './queries.ts';

type AddResult =
  | { ok: true; alert: AlertRow }
  | { ok: false; reason: 'locked' | 'limit' | 'removed' | 'tier_unavailable' }
  | RegistrationFailure
  | LookupRateLimited;

/**
 * Adds an alert and its event in one transaction. The database counts the member's alerts under a lock. A security that
 * the catalog lacks is registered first.
 */
export async function addAlert(
  { deps, member, sql, doNotTrack }: ChangeContext,
  typedSymbol: string,
  terms: AlertTerms,
): Promise<AddResult> {
  const symbol = await resolveSymbol(sql, typedSymbol);
  if (symbol === undefined) return { ok: false, reason: 'unknown' };
  const listing = await deps.lookUp(member.idpId, symbol, (looked) => deps.market.registerSymbol(looked));
  if (!listing.ok) return listing;
  try {
    const id = await deps.database.service.transaction(async (tx) => {
      const newId = await insertAlert(tx, member.idpId, listing.ticker.symbol, terms);
      const properties = { symbol: listing.ticker.symbol, kind: terms.kind, repeats: terms.repeats };
      await deps.captureInTransaction(tx, member.idpId, [{ event: 'alert_added', properties }], {
        declined: doNotTrack,
      });
      return newId;
    });
    const alert = await findAlert(sql, member.idpId, id);
    // A price may have fired the alert since, which deletes one that fires once.
    return alert ? { ok: true, alert } : { ok: false, reason: 'removed' };
  } catch (error) {
    const rejection = getAddRejection(error);
    if (rejection) return { ok: false, reason: rejection };
    const plan = await deps.getTier(member.idpId);
    if (plan.ok) throw error;
    deps.logger.warn({ err: error }, 'failed to add an alert; tier unavailable');
    return { ok: false, reason: 'tier_unavailable' };
  }
}
