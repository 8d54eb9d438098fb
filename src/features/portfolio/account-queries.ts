import type { MemberSql, ServiceSql } from '../../platform/database/roles.ts';
import { type Account, ACCOUNT_LIMIT, type AccountChanges } from './contract.ts';

/** Money comes as text (`numeric`). */
export interface AccountRow extends Omit<Account, 'balance' | 'created_at' | 'updated_at'> {
  balance: string;
  created_at: Date;
  updated_at: Date;
}

const accountColumns = `a.id, a.name, a.kind, a.currency, a.balance, a.created_at, a.updated_at,
  (select count(*)::int from public.manual_public_holdings h where h.idp_id = a.idp_id and h.account_id = a.id)
    + (select count(*)::int from public.connected_holdings c where c.idp_id = a.idp_id and c.account_id = a.id)
    as holding_count`;

/** The member's accounts, oldest first; those made in the same moment by name. */
export function listAccounts(sql: MemberSql): Promise<AccountRow[]> {
  return sql.query<AccountRow>(`select ${accountColumns} from public.accounts a order by a.created_at, a.name, a.id`);
}

export async function findAccount(sql: MemberSql, id: string): Promise<AccountRow | undefined> {
  const [row] = await sql.query<AccountRow>(`select ${accountColumns} from public.accounts a where a.id = $1`, [id]);
  return row;
}

/** Inserts a manual account; `undefined` where that is one too many. Concurrent callers wait for each other. */
export function insertAccount(
  sql: MemberSql,
  idpId: string,
  account: Pick<Account, 'name' | 'currency' | 'balance'>,
): Promise<AccountRow | undefined> {
  return sql.transaction(async (transaction) => {
    await transaction.query(`select pg_advisory_xact_lock(hashtextextended('accounts:' || $1, 0))`, [idpId]);
    // Counted on its own: a distributed server takes no member's insert whose row is the result of a query.
    const [{ has } = { has: 0 }] = await transaction.query<{ has: number }>(
      `select count(*)::int as has from public.accounts a where a.idp_id = $1 and a.connection_id is null`,
      [idpId],
    );
    if (has >= ACCOUNT_LIMIT) return undefined;
    const [insertedAccount] = await transaction.query<{ id: string }>(
      `insert into public.accounts (idp_id, name, currency, balance) values ($1, $2, $3, $4) returning id`,
      [idpId, account.name, account.currency, account.balance],
    );
    return insertedAccount && findAccount(transaction, insertedAccount.id);
  });
}

/** Changes what is named of a manual account. False where the row is not there or came with a connection. */
export async function updateAccount(sql: MemberSql, id: string, changes: AccountChanges): Promise<boolean> {
  const rows = await sql.query(
    `update public.accounts
        set name = coalesce($2, name), balance = coalesce($3::numeric, balance), updated_at = now()
      where id = $1 and kind = 'manual'
      returning id`,
    [id, changes.name ?? null, changes.balance ?? null],
  );
  return rows.length > 0;
}

/** Deletes a manual account with its holdings. False where the row is not there or is a connected account. */
export async function deleteAccount(sql: MemberSql, id: string): Promise<boolean> {
  const rows = await sql.query(`delete from public.accounts where id = $1 and kind = 'manual' returning id`, [id]);
  return rows.length > 0;
}

/** How many accounts a member has, and how many holdings. */
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
 * Removes all that a member owned: net worth by day, then accounts with their holdings. Rows are locked in the order of
 * the changes that may be under way: snapshots as the daily job writes them, an account before its holdings.
 */
export async function deletePortfolio(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(`select pg_advisory_xact_lock(hashtextextended('accounts:' || $1, 0))`, [idpId]);
  await sql.query(`select pg_advisory_xact_lock(hashtextextended('holdings:' || $1, 0))`, [idpId]);
  await sql.query(`select from public.net_worth_snapshots where idp_id = $1 order by d, currency for update`, [idpId]);
  await sql.query(`delete from public.net_worth_snapshots where idp_id = $1`, [idpId]);
  await sql.query(`delete from public.accounts where idp_id = $1`, [idpId]);
}
