-- The watchlist: an ordered list of tickers that a member follows without owning them.
-- The functions that add to it enforce the plan's limit.

create table public.watchlist_items (
  idp_id text not null references public.all_users (idp_id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  symbol text not null references public.tracked_tickers_latest (symbol),
  position integer not null check (position > 0),
  created_at timestamptz not null default now(),
  -- Members may write this column, and "infinity" has no form in JSON.
  updated_at timestamptz not null default now() constraint watchlist_items_updated_at_finite check (isfinite(updated_at)),
  primary key (idp_id, id),
  unique (idp_id, symbol),
  -- Checked at the end of the transaction, so that a reorder may use a position twice until then.
  -- It is the last unique constraint, since of equal indexes the planner takes the newest.
  -- Reads through this index then remove its entries of deleted rows.
  constraint watchlist_items_position unique (idp_id, position) deferrable initially deferred
);
comment on table public.watchlist_items is 'Watched tickers in the member''s order. Holds no prices and never counts as owned.';
create index watchlist_items_symbol on public.watchlist_items (symbol);
alter table public.watchlist_items enable row level security;
create policy watchlist_items_read_own on public.watchlist_items for select to authenticated using (idp_id = public.member_id());
create policy watchlist_items_reorder_own on public.watchlist_items for update to authenticated
  using (idp_id = public.member_id()) with check (idp_id = public.member_id());
create policy watchlist_items_remove_own on public.watchlist_items for delete to authenticated using (idp_id = public.member_id());
-- Members reorder and remove their rows, but never insert one or change its symbol or owner.
grant select, delete on public.watchlist_items to authenticated;
grant update (position, updated_at) on public.watchlist_items to authenticated;

-- Other areas read through this view which symbols are watched, but not by whom.
create view public.watched_symbols with (security_invoker = true) as select w.symbol from public.watchlist_items w;
comment on view public.watched_symbols is 'Watched symbols, one row per list, without the member.';
revoke insert, update, delete on public.watched_symbols from service_role;

-- Each part is distinct, so that the workers of a cluster return each symbol once.
create view market.symbols_in_use with (security_invoker = true) as
  select distinct w.symbol from public.watched_symbols w
  union all
  select distinct p.symbol from public.held_positions p;
comment on view market.symbols_in_use is 'Watched and held symbols, which may be listed twice. Market data updates these symbols.';
revoke insert, update, delete on market.symbols_in_use from service_role;

-- Serialises all changes to the length or order of a member's list. Members can lock only their own list.
-- The role is compared by name, since service_role is under row-level security where BYPASSRLS cannot be granted.
create function public.lock_watchlist(p_idp_id text) returns void
  language plpgsql volatile set search_path = '' as $$
begin
  if current_user <> 'service_role' and row_security_active('public.watchlist_items') and p_idp_id is distinct from public.member_id() then
    raise exception using errcode = 'insufficient_privilege', message = 'a member locks no list but their own';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('watchlist:' || p_idp_id, 0));
end
$$;
grant execute on function public.lock_watchlist(text) to authenticated;

-- Closes the gaps that a removal, or a member's direct DELETE or UPDATE, leaves. Returns the length of the list.
create function public.renumber_watchlist_positions(p_idp_id text) returns integer
  language plpgsql volatile set search_path = '' as $$
declare
  total integer;
  last integer;
begin
  select count(*), max(w.position) into total, last from public.watchlist_items w where w.idp_id = p_idp_id;
  -- Positions are distinct, so they are 1..n if the last one is n.
  if last > total then
    update public.watchlist_items w set position = ranked.new_position
      from (select i.id, row_number() over (order by i.position, i.id) as new_position
              from public.watchlist_items i where i.idp_id = p_idp_id) ranked
     where w.idp_id = p_idp_id and w.id = ranked.id and w.position <> ranked.new_position;
  end if;
  return total;
end
$$;
comment on function public.renumber_watchlist_positions(text) is 'Renumbers the positions of a list as 1..n, with the caller''s rights, and returns n. The caller must hold the lock of the list.';
grant execute on function public.renumber_watchlist_positions(text) to authenticated;

-- Adds one symbol at the end, or at p_position to undo a removal. Locked rows count towards the limit.
-- Returns the new length of the list. Raises watchlist_limit_reached (P0001) at the limit, and unique_violation for a
-- symbol that is listed already.
create function public.add_watchlist_item(p_idp_id text, p_symbol text, p_position integer default null) returns integer
  language plpgsql volatile set search_path = '' as $$
declare
  total integer;
  last integer;
  is_listed boolean;
  new_position integer;
begin
  perform public.lock_watchlist(p_idp_id);
  select count(*), max(w.position), bool_or(w.symbol = p_symbol) into total, last, is_listed
    from public.watchlist_items w where w.idp_id = p_idp_id;
  if is_listed then
    raise exception using errcode = 'unique_violation', message = 'watchlist_duplicate';
  end if;
  if total >= public.get_watchlist_limit(p_idp_id) then
    raise exception using errcode = 'P0001', message = 'watchlist_limit_reached';
  end if;
  if last > total then
    perform public.renumber_watchlist_positions(p_idp_id);
  end if;
  new_position := least(greatest(coalesce(p_position, total + 1), 1), total + 1);
  if new_position <= total then
    update public.watchlist_items w set position = w.position + 1 where w.idp_id = p_idp_id and w.position >= new_position;
  end if;
  insert into public.watchlist_items (idp_id, symbol, position) values (p_idp_id, p_symbol, new_position);
  return total + 1;
end
$$;
comment on function public.add_watchlist_item(text, text, integer) is 'Service only: the server has identified the member.';

-- Adds many symbols at once and returns each outcome: added, duplicate (of the list or the input) or over_limit.
create function public.add_watchlist_items(p_idp_id text, p_symbols text[], p_dry_run boolean default false)
  returns table (ordinal integer, symbol text, outcome text)
  language plpgsql volatile set search_path = '' as $$
declare
  total integer;
  last integer;
  capacity integer;
begin
  perform public.lock_watchlist(p_idp_id);
  select count(*), max(w.position) into total, last from public.watchlist_items w where w.idp_id = p_idp_id;
  capacity := public.get_watchlist_limit(p_idp_id) - total;
  if last > total and not p_dry_run then
    perform public.renumber_watchlist_positions(p_idp_id);
  end if;
  return query
    with requested as (
      select g.ord::integer as ord, g.sym,
             exists (select from public.watchlist_items w where w.idp_id = p_idp_id and w.symbol = g.sym)
               or row_number() over (partition by g.sym order by g.ord) > 1 as is_duplicate
        from unnest(p_symbols) with ordinality as g (sym, ord)
    ), outcomes as (
      select a.ord, a.sym, a.is_duplicate, count(*) filter (where not a.is_duplicate) over (order by a.ord) as rank from requested a
    ), written as (
      insert into public.watchlist_items (idp_id, symbol, position)
      select p_idp_id, j.sym, total + j.rank::integer from outcomes j where not p_dry_run and not j.is_duplicate and j.rank <= capacity
    )
    select j.ord, j.sym, case when j.is_duplicate then 'duplicate' when j.rank <= capacity then 'added' else 'over_limit' end
      from outcomes j order by j.ord;
end
$$;

-- Removes one of the caller's rows. Returns its symbol and the new length of the list, or no row where there is none.
create function public.remove_watchlist_item(p_id uuid) returns table (symbol text, item_count integer)
  language plpgsql volatile rows 1 set search_path = '' as $$
declare
  caller text := public.member_id();
begin
  if caller is null then
    raise exception using errcode = 'insufficient_privilege', message = 'remove_watchlist_item runs in the name of a member';
  end if;
  perform public.lock_watchlist(caller);
  delete from public.watchlist_items w where w.idp_id = caller and w.id = p_id returning w.symbol into symbol;
  if found then
    item_count := public.renumber_watchlist_positions(caller);
    return next;
  end if;
end
$$;
comment on function public.remove_watchlist_item(uuid) is 'Runs with the member''s own rights, under row-level security.';
grant execute on function public.remove_watchlist_item(uuid) to authenticated;

-- Puts the caller's list into this order. Raises order_conflict unless p_ids holds each id exactly once.
create function public.reorder_watchlist_items(p_ids uuid[])
  returns table (id uuid, "position" integer)
  language plpgsql volatile set search_path = '' as $$
#variable_conflict use_column
declare
  caller text := public.member_id();
  current_ids uuid[];
begin
  if caller is null then
    raise exception using errcode = 'insufficient_privilege', message = 'reorder_watchlist_items runs in the name of a member';
  end if;
  perform public.lock_watchlist(caller);
  select array_agg(w.id order by w.id) into current_ids from public.watchlist_items w where w.idp_id = caller;
  if current_ids is distinct from (select array_agg(g.id order by g.id) from unnest(p_ids) as g (id)) then
    raise exception using errcode = 'P0001', message = 'order_conflict';
  end if;
  update public.watchlist_items w set position = g.ord, updated_at = now()
    from unnest(p_ids) with ordinality as g (id, ord)
   where w.idp_id = caller and w.id = g.id and w.position <> g.ord;
  return query select g.id, g.ord::integer from unnest(p_ids) with ordinality as g (id, ord);
end
$$;
comment on function public.reorder_watchlist_items(uuid[]) is 'Runs with the member''s own rights, under row-level security.';
grant execute on function public.reorder_watchlist_items(uuid[]) to authenticated;

-- Moves one row of the caller's list, which works even after concurrent changes that make a whole order conflict.
create function public.move_watchlist_item(p_id uuid, p_position integer)
  returns table (id uuid, "position" integer)
  language plpgsql set search_path = '' as $$
#variable_conflict use_column
declare
  caller text := public.member_id();
  total integer;
  old_position integer;
  new_position integer;
begin
  if caller is null then
    raise exception using errcode = 'insufficient_privilege', message = 'move_watchlist_item runs in the name of a member';
  end if;
  perform public.lock_watchlist(caller);
  total := public.renumber_watchlist_positions(caller);
  select w.position into old_position from public.watchlist_items w where w.idp_id = caller and w.id = p_id;
  if not found then
    return;
  end if;
  new_position := least(greatest(p_position, 1), total);
  if new_position <> old_position then
    update public.watchlist_items w
       set updated_at = now(),
           position = case when w.id = p_id then new_position when new_position < old_position then w.position + 1 else w.position - 1 end
     where w.idp_id = caller and w.position between least(old_position, new_position) and greatest(old_position, new_position);
  end if;
  return query select w.id, w.position from public.watchlist_items w where w.idp_id = caller order by w.position;
end
$$;
comment on function public.move_watchlist_item(uuid, integer) is 'Runs with the member''s own rights, under row-level security.';
grant execute on function public.move_watchlist_item(uuid, integer) to authenticated;

-- A new installation shows the watchlist to every member.
insert into public.feature_flags (flag, percentage) values ('dashboard-watchlist-v01', 100);
