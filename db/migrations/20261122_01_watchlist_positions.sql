-- A member may write any positive position into his own rows, so a list can have gaps. An add at the end took the list's length for its last
-- position and met a row there. Gaps are closed under the lock before a row is placed.

create function public.number_watchlist(p_idp_id text) returns void
  language sql volatile set search_path = ''
begin atomic
  update public.watchlist_items w set position = ranked.place
    from (select i.id, row_number() over (order by i.position, i.id) as place
            from public.watchlist_items i where i.idp_id = p_idp_id) ranked
   where w.id = ranked.id and w.position <> ranked.place;
end;
comment on function public.number_watchlist(text) is 'Makes the positions of a list 1..n in its order, with the caller''s rights; under the list''s lock.';
grant execute on function public.number_watchlist(text) to authenticated, service_role;

create or replace function public.add_watchlist_item(p_idp_id text, p_symbol text, p_position integer default null)
  returns public.watchlist_items
  language plpgsql volatile set search_path = '' as $$
declare
  total integer;
  last integer;
  place integer;
  added public.watchlist_items;
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
  insert into public.watchlist_items (idp_id, symbol, position) values (p_idp_id, p_symbol, place) returning * into added;
  return added;
end
$$;

create or replace function public.add_watchlist_items(p_idp_id text, p_symbols text[], p_dry_run boolean default false)
  returns table (ordinal integer, symbol text, outcome text)
  language plpgsql volatile set search_path = '' as $$
declare
  total integer;
  last integer;
  room integer;
begin
  perform public.lock_watchlist(p_idp_id);
  select count(*), max(w.position) into total, last from public.watchlist_items w where w.idp_id = p_idp_id;
  room := public.watchlist_limit_of(p_idp_id) - total;
  if last > total and not p_dry_run then
    perform public.number_watchlist(p_idp_id);
  end if;
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

create or replace function public.close_watchlist_gaps() returns trigger
  language plpgsql volatile set search_path = '' as $$
declare
  owner text;
begin
  for owner in select distinct g.idp_id from gone g order by 1 loop
    perform public.lock_watchlist(owner);
    perform public.number_watchlist(owner);
  end loop;
  return null;
end
$$;
