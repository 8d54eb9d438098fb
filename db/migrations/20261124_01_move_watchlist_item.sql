-- Moves one row of the member's list, whatever else has changed: a whole order that was read a moment ago is refused under churn.
create function public.move_watchlist_item(p_id uuid, p_position integer)
returns table (id uuid, "position" integer)
language plpgsql set search_path = '' as $$
#variable_conflict use_column
declare
  caller text := public.member_id();
  old integer;
  place integer;
begin
  if caller is null then
    raise exception using errcode = 'insufficient_privilege', message = 'move_watchlist_item runs in the name of a member';
  end if;
  perform public.lock_watchlist(caller);
  -- The gaps that a bare DELETE leaves are closed first, so that positions are places.
  perform public.number_watchlist(caller);
  select w.position into old from public.watchlist_items w where w.idp_id = caller and w.id = p_id;
  if not found then
    return;
  end if;
  select least(greatest(p_position, 1), count(*)::integer) into place from public.watchlist_items w where w.idp_id = caller;
  if place <> old then
    update public.watchlist_items w
       set updated_at = now(),
           position = case when w.id = p_id then place when place < old then w.position + 1 else w.position - 1 end
     where w.idp_id = caller and w.position between least(old, place) and greatest(old, place);
  end if;
  return query select w.id, w.position from public.watchlist_items w where w.idp_id = caller order by w.position;
end
$$;
comment on function public.move_watchlist_item(uuid, integer) is 'Runs with the member''s own rights, under row-level security.';
revoke execute on function public.move_watchlist_item(uuid, integer) from public;
grant execute on function public.move_watchlist_item(uuid, integer) to authenticated;
