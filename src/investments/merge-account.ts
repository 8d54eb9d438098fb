import type { ServiceSql } from '../database/roles.ts';
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
  /** The account by hand. */
  duplicateId: string;
  /** Only tells what would be done. */
  isDryRun: boolean;
}

type Merged = { ok: true; merge: AccountMerge } | { ok: false; reason: 'not_found' | 'not_alike' };

/**
 * Merges an account by hand into the connected account that it repeats. Its cash counts no longer; a holding goes where
 * the connected account has the same one in the same quantity, and any other stays in the account by hand.
 */
export function mergeAccount(sql: ServiceSql, request: MergeRequest): Promise<Merged> {
  const { idpId, accountId, duplicateId, isDryRun } = request;
  return sql.transaction(async (transaction): Promise<Merged> => {
    await lockHoldingsOf(transaction, idpId);
    const { connected, manual } = await lockMergedAccounts(transaction, idpId, { accountId, duplicateId });
    if (!connected || !manual) return { ok: false, reason: 'not_found' };
    if (connected.currency !== manual.currency) return { ok: false, reason: 'not_alike' };
    const holdings = await listMergedHoldings(transaction, idpId, { accountId, duplicateId });
    const [removed, kept] = [holdings.filter(({ goes }) => goes), holdings.filter(({ goes }) => !goes)];
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
        ...{ removed: present(removed), kept: present(kept), account_removed: kept.length === 0 },
      },
    };
  });
}
