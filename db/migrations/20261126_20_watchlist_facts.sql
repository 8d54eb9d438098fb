-- Changes of a list are reported in their own transaction: an event stands with its change, or neither does. Adds
-- functions only; nothing waits.

create function public.capture_fact(p_idp_id text, p_event text, p_properties jsonb, p_declined boolean)
returns void language plpgsql set search_path = '' as $$
begin
  insert into public.analytics_events (idp_id, id, event, properties, occurred_at, local_only)
  select p_idp_id, gen_random_uuid(), p_event, p_properties, clock_timestamp(),
         p_declined or exists (select from public.analytics_choices c where c.idp_id = p_idp_id and not c.enabled);
end
$$;
comment on function public.capture_fact(text, text, jsonb, boolean) is
  'An event in the transaction of its change, with the caller''s rights; kept here alone where the browser or the member declines.';
revoke execute on function public.capture_fact(text, text, jsonb, boolean) from public;
grant execute on function public.capture_fact(text, text, jsonb, boolean) to authenticated, service_role;

-- Members change their lists with their own rights, and report in their own name what changes there. They read no event.
grant insert (idp_id, id, event, properties, occurred_at, local_only) on public.analytics_events to authenticated;
create policy analytics_events_report_own on public.analytics_events for insert to authenticated
  with check (idp_id = public.member_id() and event in ('watchlist_symbol_removed', 'watchlist_reordered'));
comment on table public.analytics_events is
  'Captured events, an outbox where an analytics service is configured. Members write two kinds of their own and read none.';
grant select on public.analytics_choices to authenticated;
create policy analytics_choices_read_own on public.analytics_choices for select to authenticated using (idp_id = public.member_id());
comment on table public.analytics_choices is
  'Whether a member''s events are captured and forwarded; without a row they are. Members read their own.';

-- A change goes on without its plan where that cannot be read now: the event then says less.
create function public.plan_for_event(p_idp_id text, out tier text, out watchlist_limit integer)
language plpgsql set search_path = '' set lock_timeout = '250ms' as $$
begin
  select p.tier, p.watchlist_limit into tier, watchlist_limit
    from public.plans p where p.tier = (select public.tier_of(p_idp_id));
exception when others then
  null;
end
$$;
revoke execute on function public.plan_for_event(text) from public;
grant execute on function public.plan_for_event(text) to authenticated, service_role;

create function public.capture_watchlist_change(
  p_idp_id text, p_event text, p_own jsonb, p_declined boolean, p_tier text default null, p_limit integer default null)
returns boolean language plpgsql set search_path = '' as $$
declare
  items integer;
begin
  if p_tier is null then
    select p.tier, p.watchlist_limit into p_tier, p_limit from public.plan_for_event(p_idp_id) p;
  end if;
  select count(*) into items from public.watchlist_items w where w.idp_id = p_idp_id;
  perform public.capture_fact(
    p_idp_id, p_event,
    p_own || jsonb_strip_nulls(jsonb_build_object(
      'feature', 'watchlist', 'tier', p_tier, 'limit', p_limit, 'item_count', items,
      'locked_count', greatest(items - p_limit, case when p_limit is not null then 0 end))),
    p_declined);
  return true;
end
$$;
comment on function public.capture_watchlist_change(text, text, jsonb, boolean, text, integer) is
  'A change of a list, with plan and length as they are behind it and the caller''s rights; under the list''s lock.';
revoke execute on function public.capture_watchlist_change(text, text, jsonb, boolean, text, integer) from public;
grant execute on function public.capture_watchlist_change(text, text, jsonb, boolean, text, integer)
  to authenticated, service_role;
