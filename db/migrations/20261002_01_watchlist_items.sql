-- The watchlist: tickers that a member follows without owning them. One ordered list per member; the plan's limit is held here.

create table public.watchlist_items (
  id uuid primary key default gen_random_uuid(),
  idp_id text not null references public.all_users (idp_id) on delete cascade,
  symbol text not null references public.tracked_tickers_latest (symbol),
  position integer not null check (position > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (idp_id, symbol),
  -- Checked at the end of the transaction, so that a reorder may pass through ties.
  constraint watchlist_items_position unique (idp_id, position) deferrable initially deferred
);
comment on table public.watchlist_items is 'Watched tickers in the member''s order. Holds no prices and never counts as owned.';
create index watchlist_items_symbol on public.watchlist_items (symbol);

alter table public.watchlist_items enable row level security;
create policy watchlist_items_read_own on public.watchlist_items
  for select to authenticated using (idp_id = ((select auth.jwt()) ->> 'sub'));
create policy watchlist_items_reorder_own on public.watchlist_items
  for update to authenticated
  using (idp_id = ((select auth.jwt()) ->> 'sub'))
  with check (idp_id = ((select auth.jwt()) ->> 'sub'));
create policy watchlist_items_remove_own on public.watchlist_items
  for delete to authenticated using (idp_id = ((select auth.jwt()) ->> 'sub'));

-- A row can be reordered but never repointed to another symbol or owner, and never inserted by a client.
grant select, delete on public.watchlist_items to authenticated;
grant update (position, updated_at) on public.watchlist_items to authenticated;
grant select, insert, update, delete on public.watchlist_items to service_role;

-- One lock per member for whatever changes the list's length or order.
create function public.lock_watchlist(p_idp_id text) returns void
  language sql volatile set search_path = ''
  return pg_advisory_xact_lock(hashtextextended('watchlist:' || p_idp_id, 0));
grant execute on function public.lock_watchlist(text) to authenticated, service_role;

-- How many rows a member may have active. Holds the subscription still until the transaction ends, so that an add
-- and a change of plan happen one after the other.
create function public.watchlist_limit_of(p_idp_id text) returns integer
  language plpgsql volatile set search_path = '' as $$
begin
  perform from public.subscriptions s where s.idp_id = p_idp_id for share;
  return (select p.watchlist_limit from public.plans p where p.tier = public.tier_of(p_idp_id));
end
$$;
grant execute on function public.watchlist_limit_of(text) to service_role;

-- Adds one symbol at the end, or at p_position (undo of a removal). All rows count, locked ones too. Raises
-- watchlist_limit_reached (P0001) at the limit and unique_violation where the symbol is on the list already.
create function public.add_watchlist_item(p_idp_id text, p_symbol text, p_position integer default null)
  returns public.watchlist_items
  language plpgsql volatile set search_path = '' as $$
declare
  total integer;
  place integer;
  added public.watchlist_items;
begin
  perform public.lock_watchlist(p_idp_id);
  select count(*) into total from public.watchlist_items w where w.idp_id = p_idp_id;
  if exists (select from public.watchlist_items w where w.idp_id = p_idp_id and w.symbol = p_symbol) then
    raise exception using errcode = 'unique_violation', message = 'watchlist_duplicate';
  end if;
  if total >= public.watchlist_limit_of(p_idp_id) then
    raise exception using errcode = 'P0001', message = 'watchlist_limit_reached';
  end if;
  place := least(greatest(coalesce(p_position, total + 1), 1), total + 1);
  if place <= total then
    update public.watchlist_items w set position = w.position + 1 where w.idp_id = p_idp_id and w.position >= place;
  end if;
  insert into public.watchlist_items (idp_id, symbol, position) values (p_idp_id, p_symbol, place) returning * into added;
  return added;
end
$$;
comment on function public.add_watchlist_item(text, text, integer) is 'Service only: the server has resolved who the member is.';
grant execute on function public.add_watchlist_item(text, text, integer) to service_role;

-- Adds many in one go, each with its outcome: added, duplicate (also within the list itself) or over_limit.
create function public.add_watchlist_items(p_idp_id text, p_symbols text[], p_dry_run boolean default false)
  returns table (ordinal integer, symbol text, outcome text)
  language plpgsql volatile set search_path = '' as $$
declare
  total integer;
  room integer;
begin
  perform public.lock_watchlist(p_idp_id);
  select count(*) into total from public.watchlist_items w where w.idp_id = p_idp_id;
  room := public.watchlist_limit_of(p_idp_id) - total;
  return query
    with asked as (
      select g.ord::integer as ord, g.sym,
             exists (select from public.watchlist_items w where w.idp_id = p_idp_id and w.symbol = g.sym)
               or row_number() over (partition by g.sym order by g.ord) > 1 as known
        from unnest(p_symbols) with ordinality as g (sym, ord)
    ), judged as (
      select a.ord, a.sym, a.known, count(*) filter (where not a.known) over (order by a.ord) as rank from asked a
    ), written as (
      insert into public.watchlist_items (idp_id, symbol, position)
      select p_idp_id, j.sym, total + j.rank::integer from judged j where not p_dry_run and not j.known and j.rank <= room
    )
    select j.ord, j.sym, case when j.known then 'duplicate' when j.rank <= room then 'added' else 'over_limit' end
      from judged j order by j.ord;
end
$$;
grant execute on function public.add_watchlist_items(text, text[], boolean) to service_role;

-- Puts the caller's list into this order: the whole set, each id once, or nothing (order_conflict).
create function public.reorder_watchlist_items(p_ids uuid[]) returns setof public.watchlist_items
  language plpgsql volatile set search_path = '' as $$
declare
  caller text := (select auth.jwt()) ->> 'sub';
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
   where w.id = g.id and w.idp_id = caller and w.position <> g.ord;
  return query select * from public.watchlist_items w where w.idp_id = caller order by w.position;
end
$$;
comment on function public.reorder_watchlist_items(uuid[]) is 'Runs with the member''s own rights, under row-level security.';
grant execute on function public.reorder_watchlist_items(uuid[]) to authenticated;

-- Closes the gap that a removal leaves, so that positions stay 1..n whoever removes.
create function public.close_watchlist_gaps() returns trigger
  language plpgsql volatile set search_path = '' as $$
declare
  owner text;
begin
  for owner in select distinct g.idp_id from gone g order by 1 loop
    perform public.lock_watchlist(owner);
    update public.watchlist_items w set position = ranked.place
      from (select i.id, row_number() over (order by i.position, i.id) as place
              from public.watchlist_items i where i.idp_id = owner) ranked
     where w.id = ranked.id and w.position <> ranked.place;
  end loop;
  return null;
end
$$;
create trigger watchlist_items_close_gaps after delete on public.watchlist_items
  referencing old table as gone for each statement execute function public.close_watchlist_gaps();
