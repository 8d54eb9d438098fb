import type { ServiceSql } from '../../../platform/database/roles.ts';

/** Ids of the two accounts to merge. */
interface MergeAccountIds {
  /** Connected account, which is kept. */
  accountId: string;
  /** Manual account. */
  duplicateId: string;
}

/** Account of a merge. `balance` is a decimal number in `currency`. */
interface MergedAccount {
  id: string;
  kind: string;
  currency: string;
  balance: string;
}

/** Locks and returns both accounts. Each is undefined if the member has no account with its id and kind. */
export async function lockMergedAccounts(
  sql: ServiceSql,
  idpId: string,
  { accountId, duplicateId }: MergeAccountIds,
): Promise<{ connected: MergedAccount | undefined; manual: MergedAccount | undefined }> {
  const rows = await sql.query<MergedAccount>(
    `select a.id, a.kind, a.currency, a.balance from public.accounts a
      where a.idp_id = $1 and ((a.id = $2 and a.connection_id is not null) or (a.id = $3 and a.kind = 'manual'))
      order by a.id for update`,
    [idpId, accountId, duplicateId],
  );
  return {
    connected: rows.find(({ id, kind }) => id === accountId && kind !== 'manual'),
    manual: rows.find(({ id, kind }) => id === duplicateId && kind === 'manual'),
  };
}

/** Holding of the manual account. */
interface MergedHolding {
  id: string;
  symbol: string;
  quantity: string;
  /** True if the connected account has an equal holding. The merge then deletes this one. */
  is_removed: boolean;
}

/**
 * Returns the holdings of the manual account, by symbol. One is removed per connected holding with equal symbol and
 * quantity, unless that would lose a cost basis.
 */
export function listMergedHoldings(
  sql: ServiceSql,
  idpId: string,
  { accountId, duplicateId }: MergeAccountIds,
): Promise<MergedHolding[]> {
  return sql.query<MergedHolding>(
    `select h.id, h.symbol, h.quantity,
            row_number() over (partition by h.symbol, h.quantity order by h.created_at, h.id) <= (
              select count(*) from public.connected_holdings c
               where c.idp_id = $1 and c.account_id = $2 and c.symbol = h.symbol and c.quantity = h.quantity
                 and (h.cost_basis is null or c.cost_basis is not null)) as is_removed
       from public.manual_public_holdings h where h.idp_id = $1 and h.account_id = $3
      order by h.symbol, h.created_at, h.id`,
    [idpId, accountId, duplicateId],
  );
}

/** Deletes the member's manual holdings with these ids. */
export async function deleteManualHoldings(sql: ServiceSql, idpId: string, ids: readonly string[]): Promise<void> {
  await sql.query(`delete from public.manual_public_holdings where idp_id = $1 and id = any($2::uuid[])`, [idpId, ids]);
}

/**
 * Gives the connected account the manual account's name, unless the member renamed it. If `isEmpty` (no holdings are
 * left), deletes the manual account. Otherwise sets its cash balance to zero.
 */
export async function finishMerge(
  sql: ServiceSql,
  idpId: string,
  { accountId, duplicateId, isEmpty }: MergeAccountIds & { isEmpty: boolean },
): Promise<void> {
  await sql.query(
    `update public.accounts c
        set name = case when c.name = c.original_name then m.name else c.name end,
            duplicate_answered_at = now(), updated_at = now()
       from public.accounts m
      where c.idp_id = $1 and c.id = $2 and m.idp_id = $1 and m.id = $3`,
    [idpId, accountId, duplicateId],
  );
  const change = isEmpty
    ? `delete from public.accounts where idp_id = $1 and id = $2 and kind = 'manual'`
    : `update public.accounts set balance = 0, updated_at = now() where idp_id = $1 and id = $2 and kind = 'manual'`;
  await sql.query(change, [idpId, duplicateId]);
}

/** Records that the manual account is not a duplicate. Returns false if the member has no such connected account. */
export async function dismissDuplicate(sql: ServiceSql, idpId: string, accountId: string): Promise<boolean> {
  const rows = await sql.query(
    `update public.accounts set duplicate_answered_at = least(duplicate_answered_at, now())
      where idp_id = $1 and id = $2 and connection_id is not null returning id`,
    [idpId, accountId],
  );
  return rows.length > 0;
}
