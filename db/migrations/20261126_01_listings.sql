-- Columns of the catalog that members' rows are joined with. `tally migrate --distribute` lets it read a copy on each server.
create view public.listings with (security_invoker = true) as
  select t.ticker_id, t.symbol, t.asset_type, t.name, t.exchange, t.logo, t.logo_source, t.currency, t.current_price, t.change_1d,
         t.change_amount, t.prev_close, t.open, t.day_low, t.day_high, t.volume, t.market_cap, t.price_at, t.delayed_minutes, t.source
    from public.tracked_tickers_latest t;
comment on view public.listings is 'Listings of the catalog with their newest prices, for joins with members'' rows.';
revoke insert, update, delete on public.listings from service_role;
grant select on public.listings to authenticated;
