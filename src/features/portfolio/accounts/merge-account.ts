import type { ServiceSql } from '../../../platform/database/roles.ts';
import type { AccountMerge } from './contract.ts';
import { withFlows } from '../net-worth/flow-queries.ts';
import { deleteManualHoldings, finishMerge, listMergedHoldings, lockMergedAccounts } from './merge-queries.ts';

interface MergeRequest {
  idpId: string;
  /** Connected account, which is kept. */
  accountId: string;
  /** Manual account. */
  duplicateId: string;
  /** Returns the effects without any change. */
  isDryRun: boolean;
}

type MergeResult = { ok: true; merge: AccountMerge } | { ok: false; reason: 'not_found' | 'currency_mismatch' };

/**
 * Merges a manual account into the connected account that it duplicates. The manual cash no longer counts. A holding is
 * deleted if the connected account has the symbol in that quantity. Other holdings stay in the manual account. Returns
 * `not_found`, or `currency_mismatch` if the currencies differ.
 */
export function mergeAccount(sql: ServiceSql, request: MergeRequest): Promise<MergeResult> {
  const { idpId, accountId, duplicateId, isDryRun } = request;
  return withFlows(sql, idpId, async (transaction): Promise<MergeResult> => {
    const { connected, manual } = await lockMergedAccounts(transaction, idpId, { accountId, duplicateId });
    if (!connected || !manual) return { ok: false, reason: 'not_found' };
    if (connected.currency !== manual.currency) return { ok: false, reason: 'currency_mismatch' };
    const holdings = await listMergedHoldings(transaction, idpId, { accountId, duplicateId });
    const removed = holdings.filter((holding) => holding.is_removed);
    const retained = holdings.filter((holding) => !holding.is_removed);
    if (!isDryRun) {
      await deleteManualHoldings(
        transaction,
        idpId,
        removed.map(({ id }) => id),
      );
      await finishMerge(transaction, idpId, { accountId, duplicateId, isEmpty: retained.length === 0 });
    }
    const toMergedHoldings = (rows: typeof holdings) =>
      rows.map(({ symbol, quantity }) => ({ symbol, quantity: Number(quantity) }));
    return {
      ok: true,
      merge: {
        balance: Number(manual.balance),
        currency: manual.currency,
        removed: toMergedHoldings(removed),
        kept: toMergedHoldings(retained),
        account_removed: retained.length === 0,
      },
    };
  });
}
