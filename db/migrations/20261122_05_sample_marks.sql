-- Sample data is marked where it is kept: the price of a listing tells neither where its reports are from nor what a snapshot once counted.

alter table market.earnings_cache
  -- The simulator's answer; a provider's takes its place, never the other way round.
  add column sample boolean not null default false;

alter table public.earnings
  add column sample boolean not null default false;

alter table public.net_worth_snapshots
  -- A price of the simulator is in it.
  add column sample boolean not null default false;

alter table market.quote_notes
  -- When its sample price went without another in its place.
  add column sample_dropped_at timestamptz;

-- What stands there already, as far as it can be told.
update market.earnings_cache c set sample = true
  from public.tracked_tickers_latest t where t.symbol = c.symbol and t.source = 'simulator' and t.price_at is not null;
update public.earnings e set sample = true
  from public.tracked_tickers_latest t where t.symbol = e.symbol and t.source = 'simulator' and t.price_at is not null;
update public.net_worth_snapshots s set sample = true
 where s.investments <> 0
   and (not exists (select from public.tracked_tickers_latest t where t.price_at is not null and t.source <> 'simulator')
        or exists (select from public.manual_public_holdings h join public.tracked_tickers_latest t on t.symbol = h.symbol
                    where h.idp_id = s.idp_id and t.currency = s.currency and t.source = 'simulator' and t.price_at is not null));
