-- Every table that grows with many rows a member has its owner first in its key, so that the schema can be distributed by member one day, and
-- a member's rows stand together in the key until then. Nothing is lost and nothing is renumbered: only keys, policies and functions change.
--
-- Readers and writers of these tables wait until the end: 3.1 s for a million rows each of lists, holdings and events, in memory; a disk may take
-- several times that. docs/runbooks/large-migrations.md says how to go about it where the tables are large.

-- Who the member is: the one thing that policies compare the owner with. Without a subquery, which a distributed server refuses in policies.
-- No search path is set, since that would keep the planner from writing the body in the place of the call; "return" binds every name here and now.
-- The setting of the sub alone is read first: for 500,000 rows that are all the member's 0.32 s, where the subquery of before took 0.22 s and claims
-- parsed for each row 0.76 s with two processes (npm run lab -- measure-policies). Of a list among others' an index reads the member's rows alone.
create function public.member_id() returns text
  language sql stable
  return coalesce(
    nullif(pg_catalog.current_setting('request.jwt.claim.sub', true), ''),
    nullif(pg_catalog.current_setting('request.jwt.claims', true), '')::pg_catalog.jsonb ->> 'sub');
comment on function public.member_id() is 'The member in whose name the transaction runs; null outside one.';
grant execute on function public.member_id() to authenticated, service_role;

alter policy all_users_read_own on public.all_users using (idp_id = public.member_id());
alter policy subscriptions_read_own on public.subscriptions using (idp_id = public.member_id());
alter policy dashboard_layouts_own on public.dashboard_layouts using (idp_id = public.member_id()) with check (idp_id = public.member_id());
alter policy accounts_own on public.accounts using (idp_id = public.member_id()) with check (idp_id = public.member_id());
alter policy manual_public_holdings_own on public.manual_public_holdings
  using (idp_id = public.member_id()) with check (idp_id = public.member_id());
alter policy net_worth_snapshots_read_own on public.net_worth_snapshots using (idp_id = public.member_id());
alter policy watchlist_items_read_own on public.watchlist_items using (idp_id = public.member_id());
alter policy watchlist_items_reorder_own on public.watchlist_items
  using (idp_id = public.member_id()) with check (idp_id = public.member_id());
alter policy watchlist_items_remove_own on public.watchlist_items using (idp_id = public.member_id());

-- The keys. net_worth_snapshots has its owner first already.
alter table public.manual_public_holdings drop constraint manual_public_holdings_account_id_idp_id_fkey;
alter table public.watchlist_items drop constraint watchlist_items_pkey, add primary key (idp_id, id);
alter table public.manual_public_holdings drop constraint manual_public_holdings_pkey, add primary key (idp_id, id);
alter table public.analytics_events drop constraint analytics_events_pkey, add primary key (idp_id, id);
alter table public.accounts drop constraint accounts_pkey, drop constraint accounts_id_idp_id_key, add primary key (idp_id, id);
-- The key begins with what these two served.
drop index public.accounts_idp_id;
drop index public.manual_public_holdings_account;
create index manual_public_holdings_account on public.manual_public_holdings (idp_id, account_id);
-- The account must be the same member's: row-level security alone would not see a foreign account's id.
alter table public.manual_public_holdings
  add foreign key (idp_id, account_id) references public.accounts (idp_id, id) on delete cascade;

-- Functions that depend on no table, neither by a row type nor by a parsed body: distributing a table would drop them. In plpgsql, since a
-- distributed server takes no parameters of SQL functions into its tables.
create or replace function public.tier_of(p_idp_id text) returns text
  language plpgsql stable set search_path = '' as $$
begin
  return coalesce(
    (select s.tier from public.subscriptions s
      where s.idp_id = p_idp_id
        and (s.status in ('active', 'trialing', 'past_due')
          or (s.status = 'canceled' and s.current_period_end > now()))),
    'free');
end
$$;

create or replace function public.net_worth_of_members(p_idp_ids text[]) returns table (idp_id text, currency text, cash numeric, investments numeric)
  language plpgsql stable set search_path = '' as $$
begin
  return query
    with owned as (
      select a.idp_id, a.currency, a.balance as cash, 0::numeric as investments
        from public.accounts a where a.idp_id = any (p_idp_ids)
      union all
      select h.idp_id, t.currency, 0::numeric, public.holding_value(h.quantity, t.current_price, t.asset_type)
        from public.held_positions h
        join public.tracked_tickers_latest t on t.symbol = h.symbol
       where h.idp_id = any (p_idp_ids) and t.current_price is not null and t.currency is not null
    )
    select o.idp_id, o.currency, sum(o.cash), sum(o.investments)
      from owned o group by o.idp_id, o.currency;
end
$$;

create or replace function public.net_worth_of(p_idp_id text) returns table (currency text, cash numeric, investments numeric)
  language plpgsql stable set search_path = '' as $$
begin
  return query select n.currency, n.cash, n.investments from public.net_worth_of_members(array[p_idp_id]) n;
end
$$;

create or replace function public.lock_watchlist(p_idp_id text) returns void
  language plpgsql volatile set search_path = '' as $$
begin
  if row_security_active('public.watchlist_items') and p_idp_id is distinct from public.member_id() then
    raise exception using errcode = 'insufficient_privilege', message = 'a member locks no list but their own';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('watchlist:' || p_idp_id, 0));
end
$$;

create or replace function public.number_watchlist(p_idp_id text) returns void
  language plpgsql volatile set search_path = '' as $$
begin
  update public.watchlist_items w set position = ranked.place
    from (select i.id, row_number() over (order by i.position, i.id) as place
            from public.watchlist_items i where i.idp_id = p_idp_id) ranked
   where w.idp_id = p_idp_id and w.id = ranked.id and w.position <> ranked.place;
end
$$;

-- Removal closes its gap itself, under the lock that it takes first, as add and reorder do. A bare DELETE, by whoever may, leaves a gap: lists
-- number their rows as they are read, and the next change of the list closes it.
drop trigger watchlist_items_close_gaps on public.watchlist_items;
drop function public.close_watchlist_gaps();

-- Removes one of the caller's rows and says which symbol it was; null where there is none.
create function public.remove_watchlist_item(p_id uuid) returns text
  language plpgsql volatile set search_path = '' as $$
declare
  caller text := public.member_id();
  removed text;
begin
  if caller is null then
    raise exception using errcode = 'insufficient_privilege', message = 'remove_watchlist_item runs in the name of a member';
  end if;
  perform public.lock_watchlist(caller);
  delete from public.watchlist_items w where w.idp_id = caller and w.id = p_id returning w.symbol into removed;
  if found then
    perform public.number_watchlist(caller);
  end if;
  return removed;
end
$$;
comment on function public.remove_watchlist_item(uuid) is 'Runs with the member''s own rights, under row-level security.';
grant execute on function public.remove_watchlist_item(uuid) to authenticated, service_role;

drop function public.add_watchlist_item(text, text, integer);
create function public.add_watchlist_item(p_idp_id text, p_symbol text, p_position integer default null)
  returns table (id uuid, symbol text, "position" integer, created_at timestamptz, updated_at timestamptz)
  language plpgsql volatile rows 1 set search_path = '' as $$
#variable_conflict use_column
declare
  total integer;
  last integer;
  place integer;
begin
  perform public.lock_watchlist(p_idp_id);
  select count(*), max(w.position) into total, last from public.watchlist_items w where w.idp_id = p_idp_id;
  if exists (select from public.watchlist_items w where w.idp_id = p_idp_id and w.symbol = p_symbol) then
    raise exception using errcode = 'unique_violation', message = 'watchlist_duplicate';
  end if;
  if total >= public.watchlist_limit_of(p_idp_id) then
    raise exception using errcode = 'P0001', message = 'watchlist_limit_reached';
  end if;
  if last > total then
    perform public.number_watchlist(p_idp_id);
  end if;
  place := least(greatest(coalesce(p_position, total + 1), 1), total + 1);
  if place <= total then
    update public.watchlist_items w set position = w.position + 1 where w.idp_id = p_idp_id and w.position >= place;
  end if;
  return query
    insert into public.watchlist_items as w (idp_id, symbol, position) values (p_idp_id, p_symbol, place)
    returning w.id, w.symbol, w.position, w.created_at, w.updated_at;
end
$$;
comment on function public.add_watchlist_item(text, text, integer) is 'Service only: the server has resolved who the member is.';
grant execute on function public.add_watchlist_item(text, text, integer) to service_role;

drop function public.reorder_watchlist_items(uuid[]);
create function public.reorder_watchlist_items(p_ids uuid[])
  returns table (id uuid, symbol text, "position" integer, created_at timestamptz, updated_at timestamptz)
  language plpgsql volatile set search_path = '' as $$
#variable_conflict use_column
declare
  caller text := public.member_id();
begin
  if caller is null then
    raise exception using errcode = 'insufficient_privilege', message = 'reorder_watchlist_items runs in the name of a member';
  end if;
  perform public.lock_watchlist(caller);
  if (select count(distinct g.id) from unnest(p_ids) as g (id)) is distinct from cardinality(p_ids)::bigint
    or exists (
      select from (select w.id from public.watchlist_items w where w.idp_id = caller) mine
        full join unnest(p_ids) as g (id) on g.id = mine.id
       where mine.id is null or g.id is null)
  then
    raise exception using errcode = 'P0001', message = 'order_conflict';
  end if;
  update public.watchlist_items w set position = g.ord, updated_at = now()
    from unnest(p_ids) with ordinality as g (id, ord)
   where w.idp_id = caller and w.id = g.id and w.position <> g.ord;
  return query
    select w.id, w.symbol, w.position, w.created_at, w.updated_at from public.watchlist_items w where w.idp_id = caller order by w.position;
end
$$;
comment on function public.reorder_watchlist_items(uuid[]) is 'Runs with the member''s own rights, under row-level security.';
grant execute on function public.reorder_watchlist_items(uuid[]) to authenticated;
