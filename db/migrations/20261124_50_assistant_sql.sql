-- The member's own SQL, which the service did not write: a login and a role that may read the views of one schema and nothing else.
-- Policies are added and rights taken; each table is locked for a moment and none is rewritten.

-- Both are made where they are missing; what only a superuser may set on the login is said and goes without elsewhere.
do $$
declare
  wanted record;
  left_out text[] := '{}';
begin
  for wanted in
    select * from (values ('assistant', 'nologin noinherit'), ('assistant_authenticator', 'login noinherit connection limit 20'))
      as list (name, attributes)
  loop
    continue when exists (select from pg_catalog.pg_roles where rolname = wanted.name);
    begin
      execute format('create role %I %s', wanted.name, wanted.attributes);
      if wanted.name = 'assistant_authenticator' then
        execute format('comment on role %I is %L', wanted.name, 'login of tally');
      end if;
    exception
      when duplicate_object or unique_violation then
        null; -- another database of this server was migrated at the same moment
      when insufficient_privilege then
        raise exception using errcode = 'insufficient_privilege',
          message = format('the role %I is missing and this owner may make none', wanted.name),
          hint = 'docs/runbooks/external-database.md has the statements by which an administrator makes it.';
    end;
  end loop;
  if not pg_catalog.pg_has_role('assistant_authenticator', 'assistant', 'member') then
    grant assistant to assistant_authenticator;
  end if;
  for wanted in
    select * from (values
      ('default_transaction_read_only', 'on'), ('statement_timeout', '2500ms'), ('transaction_timeout', '3s'), ('lock_timeout', '1s'),
      ('idle_in_transaction_session_timeout', '6s'), ('work_mem', '4MB'), ('hash_mem_multiplier', '1'), ('temp_file_limit', '64MB'),
      ('max_parallel_workers_per_gather', '0'), ('jit', 'off'), ('search_path', 'assistant, pg_catalog')
    ) as list (name, value)
  loop
    continue when not exists (select from pg_catalog.pg_settings where name = wanted.name)
      or exists (select from pg_catalog.pg_db_role_setting s, unnest(s.setconfig) as config
                  where s.setrole = 'assistant_authenticator'::regrole and s.setdatabase = 0 and config like wanted.name || '=%');
    begin
      if wanted.name = 'search_path' then
        alter role assistant_authenticator set search_path = assistant, pg_catalog;
      else
        execute format('alter role assistant_authenticator set %s = %L', wanted.name, wanted.value);
      end if;
    exception
      when insufficient_privilege then
        left_out := left_out || format('%s = %s', wanted.name, wanted.value);
      when internal_error or unique_violation then
        null; -- another database of this server was migrated at the same moment
    end;
  end loop;
  if left_out <> '{}' then
    raise notice 'The login assistant_authenticator goes without %: docs/runbooks/external-database.md says what remains.', array_to_string(left_out, ', ');
  end if;
end
$$;

-- What a client's statement could still do besides reading rows: wake or stop the worker by a notification, fill the server's log, use up
-- transaction numbers, or run a block of code. The roles that need such functions keep them, as 20261122_07 does; members go without.
do $$
declare
  guarded text;
  keeper record;
  closes_functions boolean := pg_catalog.pg_has_role(
    current_user, (select proowner from pg_catalog.pg_proc where oid = 'pg_catalog.pg_notify(text, text)'::regprocedure), 'usage');
begin
  if not closes_functions then
    raise notice 'pg_notify(), pg_logical_emit_message() and DO stay open to clients: docs/runbooks/external-database.md has the statements by which a superuser closes them.';
  else
    select string_agg(oid::regprocedure::text, ', ') into guarded from pg_catalog.pg_proc
     where pronamespace = 'pg_catalog'::regnamespace
       and proname in ('pg_notify', 'pg_logical_emit_message', 'pg_export_snapshot', 'pg_current_xact_id', 'txid_current');
    execute format('revoke execute on function %s from public', guarded);
    revoke usage on language plpgsql from public;
  end if;
  for keeper in
    select r.rolname as name
      from pg_catalog.pg_roles r
     where not r.rolsuper and closes_functions
       and (r.rolname !~ '^pg_' or r.rolname = 'pg_database_owner')
       and r.rolname not in ('assistant', 'assistant_authenticator', 'authenticator')
       and not exists (select from (values ('anon'), ('authenticated')) as client (name) where pg_catalog.pg_has_role(client.name, r.oid, 'member'))
       and (r.rolcanlogin or r.rolname = 'service_role' or not pg_catalog.pg_has_role('authenticator', r.oid, 'member'))
  loop
    begin
      execute format('grant execute on function %s to %I', guarded, keeper.name);
      if keeper.name not in ('service_role', 'service_authenticator') then
        execute format('grant usage on language plpgsql to %I', keeper.name);
      end if;
    exception
      when undefined_object then
        null; -- dropped at this moment
    end;
  end loop;
  -- Its login puts the claims on before it becomes the role that may not.
  if pg_catalog.pg_has_role(
    current_user, (select proowner from pg_catalog.pg_proc where oid = 'pg_catalog.set_config(text, text, boolean)'::regprocedure), 'usage')
  then
    grant execute on function pg_catalog.set_config(text, text, boolean) to assistant_authenticator;
  end if;
end
$$;

-- What the role may read of the tables, by column. Names of the schema "public" are closed to its statements by the parser alone, so
-- that row-level security stands behind it.
grant execute on function public.member_id() to assistant;
grant execute on function public.tier_of(text) to assistant;
grant execute on function public.holding_value(numeric, double precision, text) to assistant;
grant select (idp_id, id, symbol, position, created_at, updated_at) on public.watchlist_items to assistant;
grant select (idp_id, id, name, kind, type, currency, balance, created_at) on public.accounts to assistant;
grant select (idp_id, account_id, symbol, quantity, cost_basis) on public.manual_public_holdings to assistant;
grant select (idp_id, account_id, symbol, name, quantity, cost_basis, currency, institution_value) on public.connected_holdings to assistant;
grant select (idp_id, d, currency, cash, investments) on public.net_worth_snapshots to assistant;
grant select (idp_id, tier, status, current_period_end) on public.subscriptions to assistant;
grant select (idp_id, tier) on public.tier_grants to assistant;
grant select (tier, watchlist_limit) on public.plans to assistant;
grant select (symbol, ticker_id, asset_type, name, exchange, currency, current_price, change_1d, change_amount, prev_close, open, day_low,
  day_high, volume, market_cap, price_at) on public.tracked_tickers_latest to assistant;
grant select (ticker_id, d, close) on public.tracked_tickers_historical to assistant;

create policy watchlist_items_assistant on public.watchlist_items for select to assistant using (idp_id = public.member_id());
create policy accounts_assistant on public.accounts for select to assistant using (idp_id = public.member_id());
create policy manual_public_holdings_assistant on public.manual_public_holdings for select to assistant using (idp_id = public.member_id());
create policy connected_holdings_assistant on public.connected_holdings for select to assistant using (idp_id = public.member_id());
create policy net_worth_snapshots_assistant on public.net_worth_snapshots for select to assistant using (idp_id = public.member_id());
create policy subscriptions_assistant on public.subscriptions for select to assistant using (idp_id = public.member_id());
create policy tier_grants_assistant on public.tier_grants for select to assistant using (idp_id = public.member_id());
create policy plans_assistant on public.plans for select to assistant using (true);
create policy tracked_tickers_latest_assistant on public.tracked_tickers_latest for select to assistant using (true);
create policy tracked_tickers_historical_assistant on public.tracked_tickers_historical for select to assistant using (true);
comment on table public.tracked_tickers_historical is
  'No policy for members, who get charts from the server: daily candles; dates are the exchange''s own.';

create schema assistant;
grant usage on schema assistant to assistant;

create view assistant.watchlist_items with (security_invoker = true, security_barrier = true) as
  select w.symbol, w.position, w.created_at, w.updated_at from public.watchlist_items w;
comment on view assistant.watchlist_items is 'The member''s watchlist in their order; it is not filtered by plan.';

create view assistant.accounts with (security_invoker = true, security_barrier = true) as
  select a.id, a.name, a.kind, a.type, a.currency, a.balance, a.created_at from public.accounts a;
comment on view assistant.accounts is 'The member''s accounts. The balance is cash alone.';

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
comment on view assistant.holdings is 'What the member holds, a row per account and holding; value is at the newest price, in currency.';

create view assistant.net_worth with (security_invoker = true, security_barrier = true) as
  select s.d as day, s.currency, s.cash, s.investments, s.cash + s.investments as total from public.net_worth_snapshots s;
comment on view assistant.net_worth is 'What the member owned at the end of each day, per currency.';

create view assistant.securities with (security_invoker = true, security_barrier = true) as
  select t.symbol, t.name, t.asset_type, t.exchange, t.currency from public.tracked_tickers_latest t;
comment on view assistant.securities is 'The shared catalog''s names and kinds.';

-- Of the watchlist: rows past the plan's limit, by the saved order.
create view assistant.locked_symbols with (security_invoker = true, security_barrier = true) as
  select ranked.symbol
    from (select w.symbol, row_number() over (order by w.position, w.id) as place from public.watchlist_items w) ranked
   where ranked.place > (select p.watchlist_limit from public.plans p where p.tier = public.tier_of(public.member_id()));
comment on view assistant.locked_symbols is 'Symbols of the member''s locked rows.';

-- Of investments.
create view assistant.held_symbols with (security_invoker = true, security_barrier = true) as
  select h.symbol from public.manual_public_holdings h
  union all
  select c.symbol from public.connected_holdings c where c.symbol is not null;
comment on view assistant.held_symbols is 'Symbols that the member holds, as often as they do.';

-- Put together of both: a locked row only names a symbol, so the catalog's prices leave it out for that member.
create view assistant.prices with (security_invoker = true, security_barrier = true) as
  select t.symbol, t.current_price as price, case t.asset_type when 'bond' then 'percent_of_par' else 'currency' end as price_unit,
         t.currency, t.change_1d, t.change_amount, t.prev_close, t.open, t.day_low, t.day_high, t.volume, t.market_cap, t.price_at
    from public.tracked_tickers_latest t
   where t.symbol <> all (array(select l.symbol from assistant.locked_symbols l except all select h.symbol from assistant.held_symbols h));
comment on view assistant.prices is 'The shared catalog''s prices, without symbols that are locked on the member''s list and not held.';

create view assistant.closes with (security_invoker = true, security_barrier = true) as
  select t.symbol, h.d as day, h.close, t.currency
    from public.tracked_tickers_latest t join public.tracked_tickers_historical h on h.ticker_id = t.ticker_id
   where t.symbol <> all (array(select l.symbol from assistant.locked_symbols l except all select h.symbol from assistant.held_symbols h));
comment on view assistant.closes is 'Daily closes, without symbols that are locked on the member''s list and not held.';

-- Functions of the server whose result grows without bound, under the same name: this schema comes first on the login's search path.
create function assistant.append_text(p_so_far text, p_next text, p_between text) returns text
  language plpgsql immutable parallel safe set search_path = '' as $$
begin
  if p_next is null then
    return p_so_far;
  end if;
  if length(p_so_far) + length(p_next) > 20000 then
    raise exception using errcode = 'program_limit_exceeded', message = 'string_agg() makes at most 20,000 characters; return rows instead';
  end if;
  return case when p_so_far is null then p_next else p_so_far || coalesce(p_between, '') || p_next end;
end
$$;
create aggregate assistant.string_agg(text, text) (sfunc = assistant.append_text, stype = text, parallel = safe);
create function assistant.power(p_base numeric, p_exponent numeric) returns double precision
  language sql immutable parallel safe set search_path = '' return power(p_base::double precision, p_exponent::double precision);
create function assistant.exp(p_exponent numeric) returns double precision
  language sql immutable parallel safe set search_path = '' return exp(p_exponent::double precision);
-- The server's own takes numeric alone, and prices are not: round(price, 2) is what everybody writes.
create function assistant.round(p_value double precision, p_digits integer) returns numeric
  language sql immutable parallel safe set search_path = '' return round(p_value::numeric, p_digits);
revoke execute on all functions in schema assistant from public, service_role;
grant execute on all functions in schema assistant to assistant;

revoke all on all tables in schema assistant from service_role;
grant select on all tables in schema assistant to assistant;
