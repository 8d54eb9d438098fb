import type { MemberSql, ServiceSql } from '../../../platform/database/roles.ts';
import type { MemberRange } from '../../../platform/identity/member-range-queries.ts';
import type { RowsSql } from './row-queries.ts';
import type { FlowRow } from './rows.ts';
import { computeFlows, type Flow, type Part } from './compute-flows.ts';

/**
 * Runs a change of accounts or holdings and records what it adds to net worth or withdraws from it, at the prices after
 * the change. Must be called in the change's transaction, before any other lock of the portfolio.
 */
export async function recordFlows<Result>(
  sql: MemberSql | ServiceSql,
  idpId: string,
  change: () => Promise<Result>,
): Promise<Result> {
  // A concurrent change would count twice.
  await lockFlows(sql, idpId);
  const before = await listParts(sql, idpId);
  const result = await change();
  await insertFlows(sql, idpId, computeFlows(before, await listParts(sql, idpId)));
  return result;
}

/** Runs a change of accounts or holdings in a transaction and records its flows. */
export const withFlows = <Sql extends MemberSql | ServiceSql, Result>(
  sql: Sql,
  idpId: string,
  change: (transaction: Sql) => Promise<Result>,
): Promise<Result> =>
  sql.transaction((transaction) => recordFlows(transaction as Sql, idpId, () => change(transaction as Sql)));

/** Serializes changes to a member's accounts and holdings with an advisory lock until the transaction ends. */
export async function lockFlows(sql: MemberSql | ServiceSql, idpId: string): Promise<void> {
  await sql.query(`select pg_advisory_xact_lock(hashtextextended('flows:' || $1, 0))`, [idpId]);
}

/**
 * Returns the cash of each account and each holding with its price, as in net worth. With `accountId` only those of one
 * account. An institution's value is divided by the quantity. The price of a bond is for one unit of its face value.
 */
export function listParts(sql: MemberSql | ServiceSql, idpId: string, accountId?: string): Promise<Part[]> {
  const inAccount = (column: string) => (accountId === undefined ? '' : `and ${column} = $2`);
  return sql.query<Part>(
    `with cash as materialized (
       select a.id, a.currency, a.balance from public.accounts a where a.idp_id = $1 ${inAccount('a.id')}
     ), held as materialized (
       select 'manual' as kind, m.id, m.symbol, m.quantity, m.cost_basis, null::text as currency,
              null::numeric as institution_value
         from public.manual_public_holdings m where m.idp_id = $1 ${inAccount('m.account_id')}
       union all
       select 'connected', c.id, c.symbol, coalesce(nullif(c.quantity, 0), 1), c.cost_basis, c.currency,
              c.institution_value
         from public.connected_holdings c where c.idp_id = $1 ${inAccount('c.account_id')}
     )
     select 'cash' as kind, c.id, c.currency, null as symbol, c.balance::text as quantity, '1' as price,
            null as cost_basis
       from cash c
     union all
     select h.kind, h.id, coalesce(p.currency, h.currency), h.symbol, h.quantity::text,
            coalesce(p.price, h.institution_value / h.quantity)::text, h.cost_basis::text
       from held h left join (
         select t.symbol, t.currency,
                t.current_price::numeric / case t.asset_type when 'bond' then 100 else 1 end as price
           from public.listings t where t.current_price is not null and t.currency is not null
       ) p on p.symbol = h.symbol`,
    accountId === undefined ? [idpId] : [idpId, accountId],
  );
}

/** Inserts flows without a date, which they get with the next snapshot. */
export async function insertFlows(sql: MemberSql | ServiceSql, idpId: string, flows: readonly Flow[]): Promise<void> {
  for (const { currency, amount, symbol, quantity } of flows)
    await sql.query(
      `insert into public.net_worth_flows (idp_id, currency, amount, symbol, quantity) values ($1, $2, $3, $4, $5)`,
      [idpId, currency, amount, symbol, quantity],
    );
}

/**
 * Selects the flows of the member `$1` after the date `$2`, per day and currency. A flow without an amount has the
 * value at the current price, or is omitted without one.
 */
export const flowsSql: RowsSql<FlowRow> = `with dated_flows as materialized (
       select f.d, f.currency, f.amount, f.symbol, f.quantity from public.net_worth_flows f
        where f.idp_id = $1 and (f.d is null or f.d > $2::date)
     ), valued as (
       select f.d, f.currency, f.amount from dated_flows f where f.amount is not null
       union all
       select f.d, t.currency, public.holding_value(f.quantity, t.current_price, t.asset_type)
         from dated_flows f join public.listings t on t.symbol = f.symbol
        where f.amount is null and t.current_price is not null and t.currency is not null
     )
     select v.d::text as date, v.currency, sum(v.amount)::text as amount from valued v
      group by v.d, v.currency order by v.d, v.currency`;

/**
 * Gives the flows of a range of members since the last snapshot the date of a new one. A flow without an amount gets it
 * with the first price of its security, and waits until then.
 */
export async function dateFlows(sql: ServiceSql, date: string, { after, until }: MemberRange): Promise<void> {
  await sql.query(
    `update public.net_worth_flows f
        set currency = t.currency, amount = public.holding_value(f.quantity, t.current_price, t.asset_type)
       from public.listings t
      where f.idp_id > $1 and f.idp_id <= $2 and f.d is null and f.amount is null and t.symbol = f.symbol
        and t.current_price is not null and t.currency is not null`,
    [after, until],
  );
  await sql.query(
    `update public.net_worth_flows f set d = $3::date
      where f.idp_id > $1 and f.idp_id <= $2 and f.d is null and f.amount is not null`,
    [after, until, date],
  );
}

/** Deletes all flows of a member. */
export async function deleteFlows(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(`delete from public.net_worth_flows where idp_id = $1`, [idpId]);
}
