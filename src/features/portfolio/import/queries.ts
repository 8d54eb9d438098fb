import type { ServiceSql } from '../../../platform/database/roles.ts';
import { lockFlows } from '../net-worth/flow-queries.ts';
import type { FileChoices, KeptChoices } from './holdings-file.ts';

/** Stored account. `balance` is a decimal number in `currency`. */
export interface AccountState {
  id: string;
  name: string;
  kind: string;
  currency: string;
  balance: string;
}

/** Stored manual holding. */
export interface HoldingState {
  id: string;
  account_id: string;
  symbol: string;
  quantity: string;
  cost_basis: string | null;
}

/** A member's accounts and manual holdings, oldest first. */
export interface PortfolioState {
  accounts: AccountState[];
  holdings: HoldingState[];
}

/**
 * Serializes changes to a member's portfolio until the transaction ends. Locks are taken in the same order as by other
 * changes, which prevents deadlocks.
 */
export async function lockPortfolio(sql: ServiceSql, idpId: string): Promise<void> {
  await lockFlows(sql, idpId);
  await sql.query(`select from public.accounts where idp_id = $1 and kind = 'manual' order by id for update`, [idpId]);
  await sql.query(`select from public.manual_public_holdings where idp_id = $1 order by id for update`, [idpId]);
}

export async function readPortfolio(sql: ServiceSql, idpId: string): Promise<PortfolioState> {
  const accounts = await sql.query<AccountState>(
    `select a.id, a.name, a.kind, a.currency, a.balance from public.accounts a
      where a.idp_id = $1 order by a.created_at, a.name, a.id`,
    [idpId],
  );
  const holdings = await sql.query<HoldingState>(
    `select h.id, h.account_id, h.symbol, h.quantity, h.cost_basis from public.manual_public_holdings h
      where h.idp_id = $1 order by h.created_at, h.id`,
    [idpId],
  );
  return { accounts, holdings };
}

/** Rows that an import writes. Amounts are decimal numbers. */
export interface ImportChanges {
  newAccounts: readonly Pick<AccountState, 'id' | 'name' | 'currency' | 'balance'>[];
  changedBalances: readonly Pick<AccountState, 'id' | 'balance'>[];
  newHoldings: readonly HoldingState[];
  changedHoldings: readonly Pick<HoldingState, 'id' | 'quantity' | 'cost_basis'>[];
  deletedHoldingIds: readonly string[];
}

export async function writeChanges(sql: ServiceSql, idpId: string, changes: ImportChanges): Promise<void> {
  await sql.query(
    `insert into public.accounts (idp_id, id, name, currency, balance)
     select $1, n.id, n.name, n.currency, n.balance
       from jsonb_to_recordset($2::jsonb) as n (id uuid, name text, currency text, balance numeric)`,
    [idpId, JSON.stringify(changes.newAccounts)],
  );
  await sql.query(
    `update public.accounts a set balance = n.balance, updated_at = now()
       from jsonb_to_recordset($2::jsonb) as n (id uuid, balance numeric) where a.idp_id = $1 and a.id = n.id`,
    [idpId, JSON.stringify(changes.changedBalances)],
  );
  await sql.query(`delete from public.manual_public_holdings where idp_id = $1 and id = any($2::uuid[])`, [
    idpId,
    changes.deletedHoldingIds,
  ]);
  await sql.query(
    `update public.manual_public_holdings h
        set quantity = n.quantity, cost_basis = n.cost_basis, updated_at = now(),
            quantity_changed_at = case when h.quantity = n.quantity then h.quantity_changed_at else $3 end
       from jsonb_to_recordset($2::jsonb) as n (id uuid, quantity numeric, cost_basis numeric)
      where h.idp_id = $1 and h.id = n.id`,
    [idpId, JSON.stringify(changes.changedHoldings), new Date()],
  );
  await sql.query(
    `insert into public.manual_public_holdings (idp_id, id, account_id, symbol, quantity, cost_basis)
     select $1, n.id, n.account_id, n.symbol, n.quantity, n.cost_basis
       from jsonb_to_recordset($2::jsonb)
         as n (id uuid, account_id uuid, symbol text, quantity numeric, cost_basis numeric)`,
    [idpId, JSON.stringify(changes.newHoldings)],
  );
}

/** Returns the choices that a member has kept for files. */
export async function readKeptChoices(sql: ServiceSql, idpId: string): Promise<KeptChoices> {
  const rows = await sql.query<FileChoices & { header_key: string }>(
    `select c.header_key, c.columns, c.kind from public.import_columns c where c.idp_id = $1`,
    [idpId],
  );
  return new Map(rows.map(({ header_key: headerKey, columns, kind }) => [headerKey, { columns, kind }]));
}

/** Maximum number of headers with kept choices of one member. */
export const KEPT_HEADERS = 50;

/**
 * Keeps the member's choices for a header. Null keeps the earlier choice. Beyond the limit, the headers that changed
 * first are dropped.
 */
export async function keepColumns(
  sql: ServiceSql,
  idpId: string,
  headerKey: string,
  { columns, kind }: FileChoices,
): Promise<void> {
  await sql.query(
    `insert into public.import_columns (idp_id, header_key, columns, kind) values ($1, $2, $3::text[], $4)
     on conflict (idp_id, header_key) do update
       set columns = coalesce(excluded.columns, import_columns.columns),
           kind = coalesce(excluded.kind, import_columns.kind), changed_at = excluded.changed_at`,
    [idpId, headerKey, columns, kind],
  );
  await sql.query(
    `delete from public.import_columns c
      where c.idp_id = $1 and c.header_key in (
        select o.header_key from public.import_columns o where o.idp_id = $1
         order by o.changed_at desc, o.header_key offset ${KEPT_HEADERS})`,
    [idpId],
  );
}

/** Deletes the choice that a member has kept for a header, if any. */
export async function deleteKeptChoice(sql: ServiceSql, idpId: string, headerKey: string): Promise<void> {
  await sql.query(`delete from public.import_columns where idp_id = $1 and header_key = $2`, [idpId, headerKey]);
}

/** Accounts and manual holdings as JSON text with the exact digits and times of the database. */
export async function captureState(sql: ServiceSql, idpId: string, accountIds: readonly string[]): Promise<string> {
  const [row] = await sql.query<{ state: string }>(
    `select jsonb_build_object(
        'accounts', (select coalesce(jsonb_agg(to_jsonb(a) order by a.id), '[]') from public.accounts a
                      where a.idp_id = $1 and a.id = any($2::uuid[])),
        'holdings', (select coalesce(jsonb_agg(to_jsonb(h) order by h.id), '[]') from public.manual_public_holdings h
                      where h.idp_id = $1 and h.account_id = any($2::uuid[])))::text as state`,
    [idpId, accountIds],
  );
  return row!.state;
}

/** Last import of a member, with the state of its accounts before and after it. */
export interface StoredImport {
  id: string;
  before: string;
  after: string;
}

/** Stores the member's last import in place of an earlier one. */
export async function saveImport(sql: ServiceSql, idpId: string, { id, before, after }: StoredImport): Promise<void> {
  await sql.query(
    `insert into public.holding_imports (idp_id, id, state_before, state_after)
     values ($1, $2, $3::jsonb, $4::jsonb)
     on conflict (idp_id) do update set id = excluded.id, state_before = excluded.state_before,
       state_after = excluded.state_after, created_at = excluded.created_at, undone_at = null`,
    [idpId, id, before, after],
  );
}

/** Returns the member's last import if it has this id, locked until the transaction ends. */
export async function lockImport(
  sql: ServiceSql,
  idpId: string,
  id: string,
): Promise<{ accountIds: readonly string[]; isUndone: boolean; isUnchanged: boolean } | undefined> {
  const [row] = await sql.query<{ account_ids: string[]; is_undone: boolean; state_after: string }>(
    `select array(select a ->> 'id' from jsonb_array_elements(i.state_after -> 'accounts') a) as account_ids,
            i.undone_at is not null as is_undone, i.state_after::text as state_after
       from public.holding_imports i where i.idp_id = $1 and i.id = $2 for update`,
    [idpId, id],
  );
  if (!row) return undefined;
  const current = await captureState(sql, idpId, row.account_ids);
  return { accountIds: row.account_ids, isUndone: row.is_undone, isUnchanged: current === row.state_after };
}

/** Restores the rows of the last import's accounts as they were before it. */
export async function restoreState(sql: ServiceSql, idpId: string, accountIds: readonly string[]): Promise<void> {
  await sql.query(
    `with unchanged as materialized (
       select b.holding from public.holding_imports i, jsonb_array_elements(i.state_before -> 'holdings') b (holding)
        where i.idp_id = $1
     )
     delete from public.manual_public_holdings h
      where h.idp_id = $1 and h.account_id = any($2::uuid[])
        and not exists (select from unchanged u where u.holding = to_jsonb(h))`,
    [idpId, accountIds],
  );
  await sql.query(
    `delete from public.accounts a using public.holding_imports i
      where i.idp_id = $1 and a.idp_id = $1 and a.id = any($2::uuid[])
        and not exists (select from jsonb_array_elements(i.state_before -> 'accounts') b
                         where (b ->> 'id')::uuid = a.id)`,
    [idpId, accountIds],
  );
  await sql.query(
    `update public.accounts a set balance = b.balance, updated_at = b.updated_at
       from public.holding_imports i,
            jsonb_to_recordset(i.state_before -> 'accounts') as b (id uuid, balance numeric, updated_at timestamptz)
      where i.idp_id = $1 and a.idp_id = $1 and a.id = b.id`,
    [idpId],
  );
  await sql.query(
    `insert into public.manual_public_holdings
       (idp_id, id, account_id, symbol, quantity, cost_basis, created_at, updated_at, quantity_changed_at)
     select $1, b.id, b.account_id, b.symbol, b.quantity, b.cost_basis, b.created_at, b.updated_at, b.quantity_changed_at
       from public.holding_imports i, jsonb_to_recordset(i.state_before -> 'holdings')
              as b (id uuid, account_id uuid, symbol text, quantity numeric, cost_basis numeric,
                    created_at timestamptz, updated_at timestamptz, quantity_changed_at timestamptz)
      where i.idp_id = $1
        and not exists (select from public.manual_public_holdings h where h.idp_id = $1 and h.id = b.id)`,
    [idpId],
  );
  await sql.query(
    `update public.holding_imports set undone_at = now(), state_before = '{}', state_after = '{}' where idp_id = $1`,
    [idpId],
  );
}
