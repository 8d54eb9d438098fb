import type { ServiceSql } from '../database/roles.ts';

/** The connected account and the one by hand, which are merged. */
interface Pair {
  accountId: string;
  duplicateId: string;
}

interface MergedAccount {
  id: string;
  kind: string;
  currency: string;
  balance: string;
}

/** Makes changes of a member's holdings wait for each other until the transaction ends. */
export async function lockHoldingsOf(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(`select pg_advisory_xact_lock(hashtextextended('holdings:' || $1, 0))`, [idpId]);
}

/** The two accounts, locked; undefined where one of them is not the member's, or of the other kind. */
export async function lockMergedAccounts(
  sql: ServiceSql,
  idpId: string,
  { accountId, duplicateId }: Pair,
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

/** A holding by hand; `goes` where the connected account has it too, with a cost if one was entered. */
interface MergedHolding {
  id: string;
  symbol: string;
  quantity: string;
  goes: boolean;
}

export function listMergedHoldings(
  sql: ServiceSql,
  idpId: string,
  { accountId, duplicateId }: Pair,
): Promise<MergedHolding[]> {
  return sql.query<MergedHolding>(
    `select h.id, h.symbol, h.quantity,
            row_number() over (partition by h.symbol, h.quantity order by h.created_at, h.id) <= (
              select count(*) from public.connected_holdings c
               where c.idp_id = $1 and c.account_id = $2 and c.symbol = h.symbol and c.quantity = h.quantity
                 and (h.cost_basis is null or c.cost_basis is not null)) as goes
       from public.manual_public_holdings h where h.idp_id = $1 and h.account_id = $3
      order by h.symbol, h.created_at, h.id`,
    [idpId, accountId, duplicateId],
  );
}

export async function deleteManualHoldings(sql: ServiceSql, idpId: string, ids: readonly string[]): Promise<void> {
  await sql.query(`delete from public.manual_public_holdings where idp_id = $1 and id = any($2::uuid[])`, [idpId, ids]);
}

/** Gives the connected account the member's name of it, and takes the other away or empties its cash. */
export async function finishMerge(
  sql: ServiceSql,
  idpId: string,
  { accountId, duplicateId, isEmpty }: Pair & { isEmpty: boolean },
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

/** Notes that the account by hand is another one. False where the member has no such connected account. */
export async function keepDuplicate(sql: ServiceSql, idpId: string, accountId: string): Promise<boolean> {
  const rows = await sql.query(
    `update public.accounts set duplicate_answered_at = coalesce(duplicate_answered_at, now())
      where idp_id = $1 and id = $2 and connection_id is not null returning id`,
    [idpId, accountId],
  );
  return rows.length > 0;
}
