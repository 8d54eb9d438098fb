import type { ServiceSql } from '../../../platform/database/roles.ts';
import type { DemoDay, PricedListing } from './demo-history.ts';
import type { DemoAccount } from './demo-portfolio.ts';

/** Returns those symbols that have a price, with their closes since a date. */
export function readPricedListings(
  sql: ServiceSql,
  symbols: readonly string[],
  from: string,
): Promise<PricedListing[]> {
  return sql.query<PricedListing>(
    `select t.symbol, t.asset_type, t.currency, t.current_price as price, t.source = 'simulator' as sample,
       coalesce((select json_agg(json_build_array(x.d, x.close) order by x.d) from public.tracked_tickers_historical x
                  where x.ticker_id = t.ticker_id and x.d >= $2::date), '[]') as closes
       from public.listings t
      where t.symbol = any($1::text[]) and t.current_price is not null and t.currency is not null`,
    [symbols, from],
  );
}

/** Inserts the accounts a day apart, so that lists keep their order. Their names differ. */
export async function insertDemoAccounts(
  sql: ServiceSql,
  idpId: string,
  accounts: readonly Omit<DemoAccount, 'holdings'>[],
): Promise<void> {
  await sql.query(
    `insert into public.accounts (idp_id, name, kind, currency, balance, created_at)
     select $1, p.name, p.kind, p.currency, p.balance, now() - interval '400 days' + p.position * interval '1 day'
       from jsonb_to_recordset($2::jsonb)
         as p (position integer, name text, kind text, currency text, balance numeric)`,
    [idpId, JSON.stringify(accounts.map((account, position) => ({ position, ...account })))],
  );
}

export async function insertDemoHoldings(
  sql: ServiceSql,
  idpId: string,
  holdings: readonly { account: string; symbol: string; quantity: number; cost_basis: number | null }[],
): Promise<void> {
  await sql.query(
    `with planned as (
       select a.id as account_id, a.kind, h.symbol, h.quantity, h.cost_basis, t.name, coalesce(t.currency, a.currency)
              as currency
         from jsonb_to_recordset($2::jsonb) as h (account text, symbol text, quantity numeric, cost_basis numeric)
         join public.accounts a on a.idp_id = $1 and a.name = h.account
         join public.listings t on t.symbol = h.symbol
     ), connected as (
       insert into public.connected_holdings
         (idp_id, account_id, external_id, symbol, name, quantity, cost_basis, currency)
       select $1, p.account_id, p.symbol, p.symbol, coalesce(nullif(left(p.name, 300), ''), p.symbol), p.quantity,
              p.cost_basis, p.currency
         from planned p where p.kind <> 'manual'
     )
     insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity, cost_basis)
     select $1, p.account_id, p.symbol, p.quantity, p.cost_basis from planned p where p.kind = 'manual'`,
    [idpId, JSON.stringify(holdings)],
  );
}

export async function insertDemoSnapshots(
  sql: ServiceSql,
  idpId: string,
  snapshots: readonly DemoDay[],
): Promise<void> {
  await sql.query(
    `insert into public.net_worth_snapshots (idp_id, d, currency, cash, investments, sample)
     select $1, s.date, s.currency, s.cash, s.investments, s.sample
       from jsonb_to_recordset($2::jsonb) as s (date date, currency text, cash numeric, investments numeric,
         sample boolean)
      order by s.date, s.currency`,
    [idpId, JSON.stringify(snapshots)],
  );
}

/** Inserts what was added each day, or withdrawn. Today has no snapshot yet. */
export async function insertDemoFlows(
  sql: ServiceSql,
  idpId: string,
  days: readonly DemoDay[],
  today: string,
): Promise<void> {
  await sql.query(
    `insert into public.net_worth_flows (idp_id, d, currency, amount)
     select $1, nullif(s.date, $3::date), s.currency, s.flows
       from jsonb_to_recordset($2::jsonb) as s (date date, currency text, flows numeric) where s.flows <> 0`,
    [idpId, JSON.stringify(days), today],
  );
}
