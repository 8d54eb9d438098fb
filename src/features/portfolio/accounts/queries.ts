import { queryFirstRow } from '../../../platform/database/query-first-row.ts';
import type { MemberSql, ServiceSql } from '../../../platform/database/roles.ts';
import { type Account, ACCOUNT_LIMIT, type AccountChanges } from './contract.ts';
import { computeFlows, toCashPart } from '../net-worth/compute-flows.ts';
import type { RowsSql } from '../net-worth/row-queries.ts';
import { deleteFlows, insertFlows, listParts, lockFlows, withFlows } from '../net-worth/flow-queries.ts';

/** Row of an account. PostgreSQL returns `numeric` as a string. */
export interface AccountRow extends Omit<Account, 'balance' | 'totals' | 'created_at' | 'updated_at'> {
  balance: string;
  created_at: Date;
  updated_at: Date;
}

/** Columns of an account `a` of the member `$1`. */
const accountColumns = `a.id, a.name, a.kind, a.currency, a.balance::text, a.created_at, a.updated_at,
  (select count(*)::int from public.manual_public_holdings h where h.idp_id = $1 and h.account_id = a.id)
    + (select count(*)::int from public.connected_holdings c where c.idp_id = $1 and c.account_id = a.id)
    as holding_count`;

/** Selects the accounts of the member `$1`, oldest first, then by name. */
export const accountsSql: RowsSql<AccountRow> = `select ${accountColumns} from public.accounts a where a.idp_id = $1
      order by a.created_at, a.name, a.id`;

export const findAccount = (sql: MemberSql, id: string) =>
  queryFirstRow<AccountRow>(sql, `select ${accountColumns} from public.accounts a where a.idp_id = $1 and a.id = $2`, [
    sql.idpId,
    id,
  ]);

/**
 * Inserts a manual account and records its balance as a flow. Returns `undefined` if the limit is reached. Concurrent
 * callers are serialized.
 */
export function insertAccount(
  sql: MemberSql,
  idpId: string,
  account: Pick<Account, 'name' | 'currency' | 'balance'>,
): Promise<AccountRow | undefined> {
  return sql.transaction(async (transaction) => {
    await lockFlows(transaction, idpId);
    // Count in a separate statement, because Citus rejects `insert … select` by a member.
    const [{ account_count: count } = { account_count: 0 }] = await transaction.query<{ account_count: number }>(
      `select count(*)::int as account_count from public.accounts a where a.idp_id = $1 and a.connection_id is null`,
      [idpId],
    );
    if (count >= ACCOUNT_LIMIT) return undefined;
    const [row] = await transaction.query<AccountRow>(
      `insert into public.accounts (idp_id, name, currency, balance) values ($1, $2, $3, $4)
       returning id, name, kind, currency, balance::text, created_at, updated_at, 0 as holding_count`,
      [idpId, account.name, account.currency, account.balance],
    );
    await insertFlows(transaction, idpId, computeFlows([], [toCashPart(row!)]));
    return row;
  });
}

/** Updates the given fields of a manual account. Returns false if the account does not exist or is connected. */
export function updateAccount(sql: MemberSql, idpId: string, id: string, changes: AccountChanges): Promise<boolean> {
  return withFlows(sql, idpId, async (transaction) => {
    const rows = await transaction.query(
      `update public.accounts
          set name = coalesce($3, name), balance = coalesce($4::numeric, balance), updated_at = now()
        where idp_id = $1 and id = $2 and kind = 'manual'
        returning id`,
      [idpId, id, changes.name ?? null, changes.balance ?? null],
    );
    return rows.length > 0;
  });
}

/**
 * Deletes a manual account with its holdings and records what this withdraws from net worth. Returns false if the
 * account does not exist or is connected.
 */
export function deleteAccount(sql: MemberSql, idpId: string, id: string): Promise<boolean> {
  return sql.transaction(async (transaction) => {
    await lockFlows(transaction, idpId);
    const parts = await listParts(transaction, idpId, id);
    const rows = await transaction.query(
      `delete from public.accounts where idp_id = $1 and id = $2 and kind = 'manual' returning id`,
      [idpId, id],
    );
    if (rows.length === 0) return false;
    await insertFlows(transaction, idpId, computeFlows(parts, []));
    return true;
  });
}

/** Returns how many accounts and holdings a member has. */
export async function countAccountsAndHoldings(
  sql: ServiceSql,
  idpId: string,
): Promise<{ accounts: number; holdings: number }> {
  const [row] = await sql.query<{ accounts: number; holdings: number }>(
    `select (select count(*)::int from public.accounts a where a.idp_id = $1) as accounts,
       (select count(*)::int from public.held_positions h where h.idp_id = $1) as holdings`,
    [idpId],
  );
  return row!;
}

/**
 * Deletes a member's accounts, holdings, imports with their columns, net worth snapshots, flows and settings. Locks are
 * taken in the same order as by concurrent changes, which prevents deadlocks. The daily job locks snapshots by date and
 * currency.
 */
export async function deletePortfolio(sql: ServiceSql, idpId: string): Promise<void> {
  await lockFlows(sql, idpId);
  await sql.query(`select from public.net_worth_snapshots where idp_id = $1 order by d, currency for update`, [idpId]);
  await sql.query(`delete from public.net_worth_snapshots where idp_id = $1`, [idpId]);
  await deleteFlows(sql, idpId);
  await sql.query(`delete from public.accounts where idp_id = $1`, [idpId]);
  await sql.query(`delete from public.portfolio_settings where idp_id = $1`, [idpId]);
  await sql.query(`delete from public.holding_imports where idp_id = $1`, [idpId]);
  await sql.query(`delete from public.import_columns where idp_id = $1`, [idpId]);
}
