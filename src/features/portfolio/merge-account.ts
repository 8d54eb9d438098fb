import type { ServiceSql } from '../../platform/database/roles.ts';
import type { AccountMerge } from './contract.ts';
import { toNumber } from './holding-responses.ts';
import {
  deleteManualHoldings,
  finishMerge,
  listMergedHoldings,
  lockHoldings,
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

type MergeResult = { ok: true; merge: AccountMerge } | { ok: false; reason: 'not_found' | 'not_alike' };

/**
 * Merges a manual account into the connected account that it duplicates. The manual cash no longer counts. A holding is
 * deleted where the connected account has the same symbol and quantity; any other stays in the manual account. Refused
 * as `not_found`, or as `not_alike` where the currencies differ.
 */
export function mergeAccount(sql: ServiceSql, request: MergeRequest): Promise<MergeResult> {
  const { idpId, accountId, duplicateId, isDryRun } = request;
  return sql.transaction(async (transaction): Promise<MergeResult> => {
    await lockHoldings(transaction, idpId);
    const { connected, manual } = await lockMergedAccounts(transaction, idpId, { accountId, duplicateId });
    if (!connected || !manual) return { ok: false, reason: 'not_found' };
    if (connected.currency !== manual.currency) return { ok: false, reason: 'not_alike' };
    const holdings = await listMergedHoldings(transaction, idpId, { accountId, duplicateId });
    const [removed, retained] = [
      holdings.filter((holding) => holding.is_removed),
      holdings.filter((holding) => !holding.is_removed),
    ];
    if (!isDryRun) {
      await deleteManualHoldings(
        transaction,
        idpId,
        removed.map(({ id }) => id),
      );
      await finishMerge(transaction, idpId, { accountId, duplicateId, isEmpty: retained.length === 0 });
    }
    const toMergedHoldings = (rows: typeof holdings) =>
      rows.map(({ symbol, quantity }) => ({ symbol, quantity: toNumber(quantity) }));
    return {
      ok: true,
      merge: {
        balance: toNumber(manual.balance),
        currency: manual.currency,
        removed: toMergedHoldings(removed),
        kept: toMergedHoldings(retained),
        account_removed: retained.length === 0,
      },
    };
  });
}
