import { marketCalendar } from '../../../src/market-data/domain/market-calendar.ts';
import type { TestDatabase } from '../database.ts';

/** The stored rows of a member that every figure on screen follows from. Amounts are decimal text. */
export interface PortfolioRows {
  base: string;
  /** New York's date, YYYY-MM-DD. */
  today: string;
  /** Day of the latest session. */
  session: string;
  accounts: StoredAccount[];
  holdings: StoredHolding[];
  listings: ReadonlyMap<string, StoredListing>;
  /** Units of each currency for one euro by date, oldest first. */
  rates: ReadonlyMap<string, readonly (readonly [date: string, rate: string])[]>;
  snapshots: { date: string; currency: string; cash: string; investments: string }[];
  /** A flow without a date is of today. One without an amount is a quantity at the current price. */
  flows: {
    date: string | null;
    currency: string | null;
    amount: string | null;
    symbol: string | null;
    quantity: string | null;
  }[];
}

export interface StoredAccount {
  id: string;
  name: string;
  kind: string;
  currency: string;
  balance: string;
  /** Last digits of the number at the institution. */
  mask: string | null;
  isConnected: boolean;
}

export interface StoredHolding {
  id: string;
  account_id: string;
  isConnected: boolean;
  symbol: string | null;
  name: string | null;
  quantity: string;
  cost: string | null;
  currency: string | null;
  institution_value: string | null;
}

export interface StoredListing {
  symbol: string;
  name: string | null;
  asset_type: 'stock' | 'etf' | 'mutual_fund' | 'bond';
  currency: string | null;
  price: string | null;
  previous_close: string | null;
  /** New York's date of the price, YYYY-MM-DD. */
  price_day: string | null;
}

const ROWS_SQL = `
  select
    coalesce((select p.base_currency from public.portfolio_settings p where p.idp_id = $1), 'USD') as base,
    (select coalesce(json_agg(json_build_object('id', a.id, 'name', a.name, 'kind', a.kind, 'currency', a.currency,
       'balance', a.balance::text, 'mask', a.mask,
       'isConnected', a.connection_id is not null) order by a.created_at, a.name, a.id), '[]')
       from public.accounts a where a.idp_id = $1) as accounts,
    (select coalesce(json_agg(json_build_object('id', h.id, 'account_id', h.account_id, 'isConnected', false,
       'symbol', h.symbol, 'name', null, 'quantity', h.quantity::text, 'cost', h.cost_basis::text, 'currency', null,
       'institution_value', null)), '[]')
       from public.manual_public_holdings h where h.idp_id = $1) as manual,
    (select coalesce(json_agg(json_build_object('id', h.id, 'account_id', h.account_id, 'isConnected', true,
       'symbol', h.symbol, 'name', h.name, 'quantity', h.quantity::text, 'cost', h.cost_basis::text,
       'currency', h.currency, 'institution_value', h.institution_value::text)), '[]')
       from public.connected_holdings h where h.idp_id = $1) as connected,
    (select coalesce(json_agg(json_build_object('symbol', t.symbol, 'name', t.name, 'asset_type', t.asset_type,
       'currency', t.currency, 'price', t.current_price::text, 'previous_close', t.prev_close::text,
       'price_day', (t.price_at at time zone 'America/New_York')::date::text)), '[]')
       from public.tracked_tickers_latest t
      where t.symbol in (select h.symbol from public.manual_public_holdings h where h.idp_id = $1
                         union select h.symbol from public.connected_holdings h where h.idp_id = $1
                         union select f.symbol from public.net_worth_flows f where f.idp_id = $1)) as listings,
    (select coalesce(json_agg(json_build_object('date', s.d::text, 'currency', s.currency, 'cash', s.cash::text,
       'investments', s.investments::text) order by s.d, s.currency), '[]')
       from public.net_worth_snapshots s where s.idp_id = $1) as snapshots,
    (select coalesce(json_agg(json_build_object('date', f.d::text, 'currency', f.currency, 'amount', f.amount::text,
       'symbol', f.symbol, 'quantity', f.quantity::text)), '[]')
       from public.net_worth_flows f where f.idp_id = $1) as flows,
    (select json_agg(json_build_array(r.currency, r.rows)) from
       (select e.currency, json_agg(json_build_array(e.d::text, e.rate::text) order by e.d) as rows
          from market.exchange_rates e group by e.currency) r) as rates`;

type Answer = Pick<PortfolioRows, 'base' | 'accounts' | 'snapshots' | 'flows'> & {
  manual: StoredHolding[];
  connected: StoredHolding[];
  listings: StoredListing[];
  rates: [string, [string, string][]][];
};

/** Reads the rows of a member with the id `idpId`. */
export async function readPortfolioRows(
  database: TestDatabase,
  idpId: string,
  now = new Date(),
): Promise<PortfolioRows> {
  const [row] = await database.owner<Answer>(ROWS_SQL, [idpId]);
  const { manual, connected, listings, rates, ...rows } = row!;
  return {
    ...rows,
    today: marketCalendar.toNewYorkDate(now),
    session: marketCalendar.getLatestSessionDay(now),
    holdings: [...manual, ...connected],
    listings: new Map(listings.map((listing) => [listing.symbol, listing])),
    rates: new Map(rates),
  };
}
