-- A new alert locks its price before the member: a refresh and a deletion that meet it cannot wait in a circle.

create or replace function public.add_alert(p_idp_id text, p_symbol text, p_kind text, p_threshold double precision, p_repeats text, p_note text)
  returns uuid language plpgsql volatile set search_path = '' as $$
declare
  new_id uuid;
  -- Locked before the member, as a refresh locks it before the alerts that a deletion locks before the member.
  newest_price_at timestamptz := public.lock_price(p_symbol);
begin
  insert into public.alert_settings (idp_id) values (p_idp_id) on conflict do nothing;
  -- The member's additions run one after another. A refresh that fires an alert of the member does not wait for them.
  perform from public.alert_settings s where s.idp_id = p_idp_id for no key update;
  if public.is_locked_symbol(p_idp_id, p_symbol) then
    raise exception using errcode = 'P0002', message = 'alert_symbol_locked';
  end if;
  if (select count(*) from public.alerts a where a.idp_id = p_idp_id) >= public.get_watchlist_limit(p_idp_id) then
    raise exception using errcode = 'P0001', message = 'alert_limit_reached';
  end if;
  insert into public.alerts (idp_id, symbol, kind, threshold, repeats, note, priced_at)
  values (p_idp_id, p_symbol, p_kind, p_threshold, p_repeats, p_note, coalesce(newest_price_at, '-infinity'))
  returning id into new_id;
  return new_id;
end
$$;
