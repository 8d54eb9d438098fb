-- Members' own SQL runs as the role "assistant" and may name only the views of the schema "assistant".
-- The service's parser rejects other schemas. If a statement passed it, these rights and policies would still hold.

-- The views run with the rights of "assistant", so it needs the columns and functions that they use.
grant execute on function public.get_tier(text) to assistant;
grant execute on function public.holding_value(numeric, double precision, text) to assistant;
grant select (idp_id, id, symbol, position, created_at, updated_at) on public.watchlist_items to assistant;
grant select (idp_id, id, name, kind, type, currency, balance, created_at) on public.accounts to assistant;
grant select (idp_id, account_id, symbol, quantity, cost_basis) on public.manual_public_holdings to assistant;
grant select (idp_id, account_id, symbol, name, quantity, cost_basis, currency, institution_value) on public.connected_holdings to assistant;
grant select (idp_id, d, currency, cash, investments) on public.net_worth_snapshots to assistant;
-- get_tier() reads these with its caller's rights. Whole tables, so that billing may change which columns it reads.
grant select on public.subscriptions, public.tier_grants, public.member_tiers to assistant;
grant select (tier, watchlist_limit) on public.plans to assistant;
grant select (symbol, ticker_id, asset_type, name, exchange, currency, current_price, change_1d, change_amount, prev_close, open, day_low,
  day_high, volume, market_cap, price_at) on public.tracked_tickers_latest to assistant;

create policy watchlist_items_assistant on public.watchlist_items for select to assistant using (idp_id = public.member_id());
create policy accounts_assistant on public.accounts for select to assistant using (idp_id = public.member_id());
create policy manual_public_holdings_assistant on public.manual_public_holdings for select to assistant using (idp_id = public.member_id());
create policy connected_holdings_assistant on public.connected_holdings for select to assistant using (idp_id = public.member_id());
create policy net_worth_snapshots_assistant on public.net_worth_snapshots for select to assistant using (idp_id = public.member_id());
create policy subscriptions_assistant on public.subscriptions for select to assistant using (idp_id = public.member_id());
create policy tier_grants_assistant on public.tier_grants for select to assistant using (idp_id = public.member_id());
create policy plans_assistant on public.plans for select to assistant using (true);
create policy tracked_tickers_latest_assistant on public.tracked_tickers_latest for select to assistant using (true);

create schema assistant;
grant usage on schema assistant to assistant;

create view assistant.watchlist_items with (security_invoker = true, security_barrier = true) as
  select w.symbol, w.position, w.created_at, w.updated_at from public.watchlist_items w;
comment on view assistant.watchlist_items is 'The member''s watchlist in their order, including rows beyond the plan''s limit.';

create view assistant.accounts with (security_invoker = true, security_barrier = true) as
  select a.id, a.name, a.kind, a.type, a.currency, a.balance, a.created_at from public.accounts a;
comment on view assistant.accounts is 'The member''s accounts. The balance is cash only.';

create view assistant.holdings with (security_invoker = true, security_barrier = true) as
  select h.account_id, h.symbol, coalesce(t.name, h.symbol) as name, t.asset_type, h.quantity, h.cost_basis, t.currency,
         t.current_price as price, public.holding_value(h.quantity, t.current_price, t.asset_type) as value
    from public.manual_public_holdings h join public.tracked_tickers_latest t on t.symbol = h.symbol
  union all
  select c.account_id, c.symbol, coalesce(t.name, c.name), t.asset_type, c.quantity, c.cost_basis,
         case when t.current_price is null or t.currency is null then c.currency else t.currency end, t.current_price,
         case when t.current_price is null or t.currency is null then c.institution_value
              else public.holding_value(c.quantity, t.current_price, t.asset_type) end
    from public.connected_holdings c left join public.tracked_tickers_latest t on t.symbol = c.symbol;
comment on view assistant.holdings is 'The member''s holdings, one row per account and holding. value is at the newest price, in currency.';

create view assistant.net_worth with (security_invoker = true, security_barrier = true) as
  select s.d as day, s.currency, s.cash, s.investments, s.cash + s.investments as total from public.net_worth_snapshots s;
comment on view assistant.net_worth is 'The member''s net worth at the end of each day, per currency.';

create view assistant.securities with (security_invoker = true, security_barrier = true) as
  select t.symbol, t.name, t.asset_type, t.exchange, t.currency from public.tracked_tickers_latest t;
comment on view assistant.securities is 'Names and kinds of the shared catalog.';

-- Rows past the plan's limit in the saved order.
create view assistant.locked_symbols with (security_invoker = true, security_barrier = true) as
  select ranked.symbol
    from (select w.symbol, row_number() over (order by w.position, w.id) as row_position from public.watchlist_items w) ranked
   where ranked.row_position > (select p.watchlist_limit from public.plans p where p.tier = public.get_tier(public.member_id()));
comment on view assistant.locked_symbols is 'Symbols of the member''s locked rows.';

create view assistant.held_symbols with (security_invoker = true, security_barrier = true) as
  select h.symbol from public.manual_public_holdings h
  union all
  select c.symbol from public.connected_holdings c where c.symbol is not null;
comment on view assistant.held_symbols is 'Symbols that the member holds, one row per holding.';

-- A locked watchlist row shows no price, so the member's SQL must not read it here either.
create view assistant.prices with (security_invoker = true, security_barrier = true) as
  select t.symbol, t.current_price as price, case t.asset_type when 'bond' then 'percent_of_par' else 'currency' end as price_unit,
         t.currency, t.change_1d, t.change_amount, t.prev_close, t.open, t.day_low, t.day_high, t.volume, t.market_cap, t.price_at
    from public.tracked_tickers_latest t
   where t.symbol <> all (array(select l.symbol from assistant.locked_symbols l except all select h.symbol from assistant.held_symbols h));
comment on view assistant.prices is 'Prices of the shared catalog, without symbols that are locked on the member''s list and not held.';

-- Runs with its owner's rights, since no client may read the price history.
-- The two views in its condition still run with the member's rights.
create view assistant.closes with (security_barrier = true) as
  select t.symbol, h.d as day, h.close, t.currency
    from public.tracked_tickers_latest t join public.tracked_tickers_historical h on h.ticker_id = t.ticker_id
   where t.symbol <> all (array(select l.symbol from assistant.locked_symbols l except all select h.symbol from assistant.held_symbols h));
comment on view assistant.closes is
  'Daily closes, without symbols that are locked on the member''s list and not held. Runs with its owner''s rights, since no client may read the table.';

-- These replace functions of PostgreSQL whose result has no bound. The login's search path finds this schema first.
create function assistant.append_text(p_text text, p_next text, p_separator text) returns text
  language plpgsql immutable parallel safe set search_path = '' as $$
begin
  if p_next is null then
    return p_text;
  end if;
  if length(p_text) + length(p_next) > 20000 then
    raise exception using errcode = 'program_limit_exceeded', message = 'string_agg() makes at most 20,000 characters; return rows instead';
  end if;
  return case when p_text is null then p_next else p_text || coalesce(p_separator, '') || p_next end;
end
$$;
create aggregate assistant.string_agg(text, text) (sfunc = assistant.append_text, stype = text, parallel = safe);
create function assistant.power(p_base numeric, p_exponent numeric) returns double precision
  language sql immutable parallel safe set search_path = '' return power(p_base::double precision, p_exponent::double precision);
create function assistant.exp(p_exponent numeric) returns double precision
  language sql immutable parallel safe set search_path = '' return exp(p_exponent::double precision);
-- PostgreSQL's round(value, digits) takes numeric alone, and prices are double precision.
create function assistant.round(p_value double precision, p_digits integer) returns numeric
  language sql immutable parallel safe set search_path = '' return round(p_value::numeric, p_digits);

-- The defaults gave these to service_role, which has no use for them.
revoke execute on all functions in schema assistant from service_role;
revoke all on all tables in schema assistant from service_role;
grant execute on all functions in schema assistant to assistant;
grant select on all tables in schema assistant to assistant;
