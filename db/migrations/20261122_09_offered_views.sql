-- Tables have owners: what one place needs of another's table it reads through a view that the owner offers for that purpose
-- (scripts/house/table-owners.ts lists them). Views run with the reader's rights, so that row-level security holds.
-- Takes no lock on any table that holds rows, and no time.

-- Of investments. A second source of holdings joins here with "union all", and every reader has it.
create view public.held_positions with (security_invoker = true) as
  select h.idp_id, h.account_id, h.symbol, h.quantity, h.cost_basis from public.manual_public_holdings h;
comment on view public.held_positions is 'Everything that members hold, whatever brought it: one row per holding.';
revoke all on public.held_positions from service_role;
grant select on public.held_positions to authenticated, service_role;

-- Of the watchlist.
create view public.watched_symbols with (security_invoker = true) as select w.symbol from public.watchlist_items w;
comment on view public.watched_symbols is 'Symbols on the lists, as often as they are watched; whose they are is not said.';
revoke all on public.watched_symbols from service_role;
grant select on public.watched_symbols to service_role;

-- Put together for market data of what the slices offer, as app.ts puts functions together. "Union all" lets the planner see into it;
-- whoever reads it asks for distinct symbols.
create view market.symbols_in_use with (security_invoker = true) as
  select w.symbol from public.watched_symbols w union all select p.symbol from public.held_positions p;
comment on view market.symbols_in_use is 'Symbols that somebody watches or holds, as often as that is so: what market data keeps fresh.';
revoke all on market.symbols_in_use from service_role;
grant select on market.symbols_in_use to service_role;

-- Of identity.
create view public.living_members with (security_invoker = true) as
  select u.idp_id from public.all_users u where u.deleted_at is null;
comment on view public.living_members is 'Identifiers of the members that are not deleted.';
revoke all on public.living_members from service_role;
grant select on public.living_members to service_role;

-- Of market data.
create view market.awaited_prices with (security_invoker = true) as
  select n.ticker_id
    from market.quote_notes n join public.tracked_tickers_latest t using (ticker_id)
   where t.current_price is null and n.sample_dropped_at > now() - interval '7 days';
comment on view market.awaited_prices is 'Listings whose sample price went in the last week and whose real one is on the way.';
revoke all on market.awaited_prices from service_role;
grant select on market.awaited_prices to service_role;
