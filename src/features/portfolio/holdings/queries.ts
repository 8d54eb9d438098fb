import type { MemberSql, ServiceSql } from '../../../platform/database/roles.ts';
import { type Holding, HOLDING_LIMIT, type UnlistedHolding } from './contract.ts';
import type { RowsSql } from '../net-worth/row-queries.ts';
import { lockFlows, withFlows } from '../net-worth/flow-queries.ts';
import { type HoldingAmounts } from './holding-figures.ts';
import { addAmounts } from '../net-worth/amounts.ts';

/** Listing with its latest price from the catalog. */
export interface PricedRow extends Pick<
  Holding,
  'symbol' | 'logo' | 'logo_source' | 'asset_type' | 'currency' | 'price'
> {
  name: string | null;
  price_at: Date | null;
  /** Provider of the price. */
  price_source: string | null;
  /** Change of the price since the previous close. */
  price_change: number | null;
  sample: boolean;
}

/** Account of a holding. */
interface OfAccount extends Pick<Holding, 'account_id' | 'account_name'> {
  account_kind: 'manual' | 'bank' | 'brokerage';
}

/** Holding with amounts as strings (`numeric`). */
export interface HoldingRow extends PricedRow, HoldingAmounts, OfAccount, Pick<Holding, 'id'> {
  quantity: string;
  /** Time of the institution's value. Null for a manual holding. */
  as_of: Date | null;
  created_at: Date;
  updated_at: Date;
  /** When the member last changed the quantity. Null for a connected holding, whose earlier quantities are unknown. */
  quantity_changed_at: Date | null;
}

const buildPricedColumns = (name: string, currency: string): string =>
  `t.symbol, ${name} as name, t.logo, t.logo_source, t.asset_type, ${currency} as currency, t.current_price as price,
     t.price_at, t.source as price_source, t.change_amount as price_change,
     t.source = 'simulator' and t.current_price is not null as sample`;
const buildHoldingValueSql = (quantity: string): string =>
  `public.holding_value(${quantity}, t.current_price, t.asset_type)`;
/** Selects the day change of a whole holding. Like the watchlist's, it is null without a previous close. */
const buildChangeAmountSql = (quantity: string): string =>
  `public.holding_value(${quantity}, t.change_amount, t.asset_type)::text as change_amount`;

/** Holding of a connected account that the catalog does not list. The institution's value and cost count. */
export interface UnlistedRow
  extends
    OfAccount,
    Pick<HoldingAmounts, 'value' | 'cost_basis'>,
    Pick<UnlistedHolding, 'id' | 'name' | 'currency'>,
    Record<
      | 'symbol'
      | 'logo'
      | 'logo_source'
      | 'asset_type'
      | 'price'
      | 'price_at'
      | 'price_source'
      | 'price_change'
      | 'change_amount'
      | 'change_1d',
      null
    > {
  quantity: string;
  as_of: Date;
}

/** Listed holding with the day change of its security in percent. */
export interface ListedRow extends HoldingRow {
  change_1d: number | null;
}

/** Listed or unlisted holding. */
export type AnyHoldingRow = ListedRow | UnlistedRow;

/**
 * Selects manual and connected holdings of the member `$1`, by account, then by symbol. Unlisted ones are sorted by
 * name. The catalog's price counts where there is one, else the value of the institution, as in net worth. `h` is a
 * holding.
 */
const buildHoldingsQuery = (condition = 'true'): string =>
  `select h.id, h.account_id, a.name as account_name, a.kind as account_kind, h.quantity::text, h.cost_basis::text,
       case when p.is_priced then ${buildHoldingValueSql('h.quantity')} else h.institution_value end::text as value,
       ${buildChangeAmountSql('h.quantity')}, t.change_1d, h.created_at, h.updated_at, h.quantity_changed_at,
       h.as_of,
       ${buildPricedColumns(
         'coalesce(t.name, h.name)',
         'case when p.is_priced then t.currency else coalesce(h.currency, t.currency) end',
       )}
       from (select m.idp_id, m.id, m.account_id, m.symbol, m.quantity, m.cost_basis, m.created_at, m.updated_at,
                    m.quantity_changed_at,
                    null::text as name, null::text as currency, null::numeric as institution_value,
                    null::timestamptz as as_of
               from public.manual_public_holdings m where m.idp_id = $1
             union all
             select c.idp_id, c.id, c.account_id, c.symbol, c.quantity, c.cost_basis, c.created_at, c.as_of,
                    null, c.name, c.currency, c.institution_value, c.as_of
               from public.connected_holdings c where c.idp_id = $1) h
       join public.accounts a on a.idp_id = $1 and a.id = h.account_id
       left join public.listings t on t.symbol = h.symbol
       cross join lateral (select t.current_price is not null and t.currency is not null as is_priced) p
      where ${condition}
      order by a.created_at, a.name, a.id, h.symbol, h.name, h.created_at, h.id`;

/** Selects all holdings of the member `$1`. */
export const holdingsSql: RowsSql<AnyHoldingRow> = buildHoldingsQuery();

/** Cash of an account. */
export interface CashRow {
  id: string;
  name: string;
  currency: string;
  balance: string;
}

/** Selects the cash of the accounts of the member `$1`, oldest account first. */
export const cashSql: RowsSql<CashRow> = `select a.id, a.name, a.currency, a.balance::text
       from public.accounts a where a.idp_id = $1 order by a.created_at, a.name, a.id`;

/** Returns the kind of the member's account. */
export async function findAccountKind(sql: MemberSql, id: string): Promise<OfAccount['account_kind'] | undefined> {
  const [row] = await sql.query<{ kind: OfAccount['account_kind'] }>(
    'select a.kind from public.accounts a where a.idp_id = $1 and a.id = $2',
    [sql.idpId, id],
  );
  return row?.kind;
}

const isListed = (row: AnyHoldingRow): row is ListedRow => row.symbol !== null;
const isUnlisted = (row: AnyHoldingRow): row is UnlistedRow => row.symbol === null;

/** Separates holdings that the catalog lists from others. */
export const splitHoldings = (rows: readonly AnyHoldingRow[]): { listed: ListedRow[]; unlisted: UnlistedRow[] } => ({
  listed: rows.filter(isListed),
  unlisted: rows.filter(isUnlisted),
});

/** Returns the member's holdings, separated by whether the catalog lists them. */
export async function listHoldings(sql: MemberSql): Promise<{ listed: ListedRow[]; unlisted: UnlistedRow[] }> {
  return splitHoldings(await sql.query<AnyHoldingRow>(holdingsSql, [sql.idpId]));
}

async function findHolding(sql: MemberSql, id: string): Promise<HoldingRow | undefined> {
  const rows = await sql.query<AnyHoldingRow>(buildHoldingsQuery('h.id = $2'), [sql.idpId, id]);
  return rows.find(isListed);
}

type InsertedHolding = { ok: true; row: HoldingRow } | { ok: false; reason: 'no_account' | 'limit_reached' };

/** New holding of a member. */
export interface NewHolding extends Pick<Holding, 'account_id' | 'symbol' | 'quantity' | 'cost_basis'> {
  idpId: string;
}

/** Inserts a holding into the member's own account, within the limit. Concurrent callers are serialized. */
export function insertHolding(sql: MemberSql, holding: NewHolding): Promise<InsertedHolding> {
  return withFlows(sql, holding.idpId, async (transaction) => {
    // The lock serializes a concurrent deletion of the account.
    const accounts = await transaction.query(
      `select a.id from public.accounts a where a.idp_id = $1 and a.id = $2 and a.kind = 'manual' for key share`,
      [holding.idpId, holding.account_id],
    );
    if (accounts.length === 0) return { ok: false, reason: 'no_account' };
    // Count in a separate statement, because Citus rejects `insert … select` by a member.
    const [{ holding_count: count } = { holding_count: 0 }] = await transaction.query<{ holding_count: number }>(
      `select count(*)::int as holding_count from public.manual_public_holdings h where h.idp_id = $1`,
      [holding.idpId],
    );
    if (count >= HOLDING_LIMIT) return { ok: false, reason: 'limit_reached' };
    const [insertedHolding] = await transaction.query<{ id: string }>(
      `insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity, cost_basis)
       values ($1, $2, $3, $4, $5) returning id`,
      [holding.idpId, holding.account_id, holding.symbol, holding.quantity, holding.cost_basis],
    );
    const row = insertedHolding && (await findHolding(transaction, insertedHolding.id));
    return row ? { ok: true, row } : { ok: false, reason: 'limit_reached' };
  });
}

/** Changes of a manual holding. With `split` the new quantity is the result of a stock split, so nothing was added. */
interface HoldingChanges {
  quantity?: number | undefined;
  cost_basis?: number | null | undefined;
  split?: boolean | undefined;
}

/**
 * Updates the given fields (`cost_basis: null` deletes the cost). Returns `undefined` if the member has no such
 * holding.
 */
export function updateHolding(
  sql: MemberSql,
  idpId: string,
  id: string,
  changes: HoldingChanges,
): Promise<HoldingRow | undefined> {
  const update = async (transaction: MemberSql): Promise<HoldingRow | undefined> => {
    const [updatedHolding] = await transaction.query<{ id: string }>(
      `update public.manual_public_holdings
          set quantity = coalesce($3::numeric, quantity),
              quantity_changed_at = case when $6 or quantity = coalesce($3::numeric, quantity)
                then quantity_changed_at else $7 end,
              cost_basis = case when $5 then $4::numeric else cost_basis end,
              updated_at = now()
        where idp_id = $1 and id = $2
        returning id`,
      [
        idpId,
        id,
        changes.quantity ?? null,
        changes.cost_basis ?? null,
        changes.cost_basis !== undefined,
        changes.split ?? false,
        // A cluster rejects `now()` in a case.
        new Date(),
      ],
    );
    return updatedHolding && findHolding(transaction, id);
  };
  if (!changes.split) return withFlows(sql, idpId, update);
  return sql.transaction(async (transaction) => {
    // Else a concurrent change would record the split as its own flow.
    await lockFlows(transaction, idpId);
    return update(transaction);
  });
}

/** Returns whether the member's holding is connected and therefore read-only. */
export async function isConnectedHolding(sql: MemberSql, id: string): Promise<boolean> {
  const rows = await sql.query('select from public.connected_holdings c where c.idp_id = $1 and c.id = $2', [
    sql.idpId,
    id,
  ]);
  return rows.length > 0;
}

/** Deletes a manual holding. Returns false if the member has no such holding. */
export function deleteHolding(sql: MemberSql, idpId: string, id: string): Promise<boolean> {
  return withFlows(sql, idpId, async (transaction) => {
    const rows = await transaction.query(
      'delete from public.manual_public_holdings where idp_id = $1 and id = $2 returning id',
      [idpId, id],
    );
    return rows.length > 0;
  });
}

/** Holdings of one symbol in one account. */
export interface PositionPartRow extends PricedRow, HoldingAmounts, OfAccount {
  change_1d: number | null;
  quantity: string;
  /** Time of the institution's value, which counts without a price of the catalog. Null for a manual holding. */
  as_of: Date | null;
}

/** Returns listed holdings summed per symbol and account, by symbol, then in the order of the accounts. */
export function sumPositionParts(listed: readonly ListedRow[]): PositionPartRow[] {
  const parts = Map.groupBy(listed, ({ symbol, account_id: account }) => `${account} ${symbol}`);
  return [...parts.values()]
    .map((holdings) => ({
      ...holdings[0]!,
      quantity: addAmounts(holdings.map(({ quantity }) => quantity))!,
      value: addAmounts(holdings.map(({ value }) => value)),
      cost_basis: addAmounts(holdings.map(({ cost_basis: cost }) => cost)),
      change_amount: addAmounts(holdings.map(({ change_amount: change }) => change)),
    }))
    .toSorted((a, b) => Number(a.symbol > b.symbol) - Number(a.symbol < b.symbol));
}

/** Returns the member's holdings of one symbol per account, oldest account first. */
export async function listPositionParts(sql: MemberSql, symbol: string): Promise<PositionPartRow[]> {
  const rows = await sql.query<AnyHoldingRow>(buildHoldingsQuery('h.symbol = $2'), [sql.idpId, symbol]);
  return sumPositionParts(rows.filter(isListed));
}

/** Returns the symbols that the member holds, sorted and without duplicates. */
export async function listHeldSymbols(sql: MemberSql): Promise<string[]> {
  const rows = await sql.query<{ symbol: string }>(
    'select distinct h.symbol from public.held_positions h where h.idp_id = $1 order by h.symbol',
    [sql.idpId],
  );
  return rows.map(({ symbol }) => symbol);
}

/** Returns every company that a member holds. */
export async function listHeldCompanies(sql: ServiceSql): Promise<string[]> {
  const rows = await sql.query<{ symbol: string }>(
    `with held as materialized (select distinct h.symbol from public.held_positions h)
     select t.symbol from held join public.listings t on t.symbol = held.symbol
      where t.asset_type = 'stock' order by t.symbol`,
  );
  return rows.map(({ symbol }) => symbol);
}
