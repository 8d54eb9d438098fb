import type { ServiceSql } from '../../../platform/database/roles.ts';
import type { AssetType } from '../../../market-data/contract.ts';

/** Seeded holding. If the catalog lacks `preferred`, `nth` selects a listing of the kind and currency. */
export interface SeededHolding {
  idp_id: string;
  account: string;
  currency: string;
  balance: number;
  kind: AssetType;
  preferred: string;
  nth: number;
  quantity: number;
  /** Cost as a share of today's value. */
  cost_ratio: number;
}

/** Inserts accounts and holdings for members without an account. Lines without a matching listing are omitted. */
export async function insertSeededHoldings(sql: ServiceSql, lines: readonly SeededHolding[]): Promise<void> {
  await sql.query(
    `with plan as (
       select p.* from jsonb_to_recordset($1::jsonb) as p (idp_id text, account text, currency text, balance numeric,
         kind text, preferred text, nth integer, quantity numeric, cost_ratio numeric)
        where p.idp_id <> all (array(select a.idp_id from public.accounts a where a.idp_id = any ($2::text[])))
     ), inserted_accounts as (
       insert into public.accounts (idp_id, name, currency, balance)
       select distinct p.idp_id, p.account, p.currency, p.balance from plan p
       returning id, idp_id, name
     )
     insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity, cost_basis)
     select p.idp_id, m.id, t.symbol, p.quantity,
       round(public.holding_value(p.quantity, t.current_price, t.asset_type) * p.cost_ratio, 2)
       from plan p join inserted_accounts m on m.idp_id = p.idp_id and m.name = p.account
      cross join lateral (
        select l.symbol, l.current_price, l.asset_type
          from (select c.*, row_number() over (order by c.ticker_id) - 1 as position
                  from public.listings c
                 where c.asset_type = p.kind and c.currency = p.currency) l
         where l.symbol = p.preferred or l.position = p.nth
         order by (l.symbol = p.preferred) desc limit 1) t`,
    [JSON.stringify(lines), [...new Set(lines.map(({ idp_id }) => idp_id))]],
  );
}

/**
 * Inserts a year of weekly snapshots and those of the last six days before `today`, for members without a snapshot. The
 * day before the latest session is one of these. Values use past closes if available.
 */
export async function insertSeededHistory(sql: ServiceSql, members: readonly string[], today: string): Promise<void> {
  await sql.query(
    `with days as (
       select g::date as d from generate_series($2::date - 364, $2::date - 7, interval '7 days') g
       union all
       select g::date from generate_series($2::date - 6, $2::date - 1, interval '1 day') g
     ), members_without_history as (
       select m.id as idp_id from unnest($1::text[]) m (id)
        where m.id <> all (array(select s.idp_id from public.net_worth_snapshots s where s.idp_id = any ($1::text[])))
     ), owned as (
       select a.idp_id, w.d, a.currency, a.balance as cash, 0::numeric as investments, false as sample
         from members_without_history n join public.accounts a on a.idp_id = n.idp_id cross join days w
       union all
       select h.idp_id, w.d, t.currency, 0,
         public.holding_value(h.quantity, coalesce(past.close, earliest.close, t.current_price), t.asset_type),
              t.source = 'simulator' and coalesce(past.close, earliest.close, t.current_price) is not null
         from members_without_history n join public.held_positions h on h.idp_id = n.idp_id
         join public.listings t on t.symbol = h.symbol and t.currency is not null
        cross join days w
         left join lateral (select x.close from public.tracked_tickers_historical x
                             where x.ticker_id = t.ticker_id and x.d <= w.d order by x.d desc limit 1) past on true
         left join lateral (select x.close from public.tracked_tickers_historical x
                             where x.ticker_id = t.ticker_id order by x.d limit 1) earliest on true
     )
     insert into public.net_worth_snapshots (idp_id, d, currency, cash, investments, sample)
     select o.idp_id, o.d, o.currency, sum(o.cash), coalesce(sum(o.investments), 0), bool_or(o.sample) from owned o
       group by o.idp_id, o.d, o.currency
     on conflict do nothing`,
    [members, today],
  );
}
