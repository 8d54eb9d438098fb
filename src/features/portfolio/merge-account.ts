import type { ServiceSql } from '../../platform/database/roles.ts';
import type { AccountMerge } from './contract.ts';
import { toNumber } from './present-holdings.ts';
import {
  deleteManualHoldings,
  finishMerge,
  listMergedHoldings,
  lockHoldingsOf,
  lockMergedAccounts,
} from './merge-queries.ts';

interface MergeRequest {
  idpId: string;
  /** The connected account, which stays. */
  accountId: string;
  /** The manual account. */
  duplicateId: string;
  /** Returns what would change, and changes nothing. */
  isDryRun: boolean;
}

type Merged = { ok: true; merge: AccountMerge } | { ok: false; reason: 'not_found' | 'not_alike' };

/**
 * Merges a manual account into the connected account that it duplicates. The manual cash no longer counts. A holding is
 * deleted where the connected account has the same symbol and quantity; any other stays in the manual account. Refused
 * as `not_found`, or as `not_alike` where the currencies differ.
 */
export function mergeAccount(sql: ServiceSql, request: MergeRequest): Promise<Merged> {
  const { idpId, accountId, duplicateId, isDryRun } = request;
  return sql.transaction(async (transaction): Promise<Merged> => {
    await lockHoldingsOf(transaction, idpId);
    const { connected, manual } = await lockMergedAccounts(transaction, idpId, { accountId, duplicateId });
    if (!connected || !manual) return { ok: false, reason: 'not_found' };
    if (connected.currency !== manual.currency) return { ok: false, reason: 'not_alike' };
    const holdings = await listMergedHoldings(transaction, idpId, { accountId, duplicateId });
    const [removed, kept] = [holdings.filter((one) => one.is_removed), holdings.filter((one) => !one.is_removed)];
    if (!isDryRun) {
      await deleteManualHoldings(
        transaction,
        idpId,
        removed.map(({ id }) => id),
      );
      await finishMerge(transaction, idpId, { accountId, duplicateId, isEmpty: kept.length === 0 });
    }
    const present = (rows: typeof holdings) =>
      rows.map(({ symbol, quantity }) => ({ symbol, quantity: toNumber(quantity) }));
    return {
      ok: true,
      merge: {
        balance: toNumber(manual.balance),
        currency: manual.currency,
        removed: present(removed),
        kept: present(kept),
        account_removed: kept.length === 0,
      },
    };
  });
}
