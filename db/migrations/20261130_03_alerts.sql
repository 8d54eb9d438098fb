-- Price alerts of members, what they fired, and how the member wants to be told.

create table public.alert_settings (
  idp_id text primary key references public.all_users (idp_id) on delete cascade,
  mail boolean not null default false,
  -- Turns mails off without a sign-in, and nothing else.
  unsubscribe_code text not null default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
    check (unsubscribe_code ~ '^[0-9a-f]{64}$'),
  -- When a mail was last begun. The next one waits five minutes, whatever became of it.
  last_mail_at timestamptz
);
create index alert_settings_unsubscribe_code on public.alert_settings (unsubscribe_code);
comment on table public.alert_settings is
  'Server only, no policy: whether a member gets alerts by mail. The rows of alerts and fired alerts reference it and not the member, so that a deletion and a refresh of prices never wait for each other.';
alter table public.alert_settings enable row level security;

create table public.alerts (
  idp_id text not null references public.alert_settings (idp_id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  symbol text not null references public.tracked_tickers_latest (symbol),
  kind text not null check (kind in ('above', 'below', 'move')),
  -- A price in the listing's currency (of a bond, in percent of par), or for a move a percentage of the previous close.
  threshold double precision not null check (threshold > 0 and threshold <= 1e9),
  repeats text not null check (repeats in ('once', 'daily')),
  note text check (char_length(note) between 1 and 200),
  -- Time of the price that the threshold was set or adjusted beside. Only newer prices are evaluated.
  priced_at timestamptz not null,
  -- Last trading day on which the alert fired. One that fires once is deleted instead.
  fired_on date,
  created_at timestamptz not null default now(),
  primary key (idp_id, id)
);
comment on table public.alerts is 'Alerts that wait for a price, at most as many as the plan has tickers.';
-- Finds the alerts that a price meets without those that it does not.
create index alerts_symbol on public.alerts (symbol, kind, threshold);
create index alerts_id on public.alerts (id);
alter table public.alerts enable row level security;
create policy alerts_read_own on public.alerts for select to authenticated using (idp_id = public.member_id());
create policy alerts_remove_own on public.alerts for delete to authenticated using (idp_id = public.member_id());
grant select, delete on public.alerts to authenticated;

create table public.fired_alerts (
  idp_id text not null references public.alert_settings (idp_id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  symbol text not null references public.tracked_tickers_latest (symbol) on delete cascade,
  kind text not null check (kind in ('above', 'below', 'move')),
  threshold double precision not null,
  note text,
  price double precision not null,
  -- The day's move in percent, or null if it is unknown.
  change_1d double precision,
  price_at timestamptz not null,
  delayed_minutes integer not null,
  sample boolean not null,
  fired_at timestamptz not null default now(),
  read_at timestamptz,
  mail_pending boolean not null,
  primary key (idp_id, id)
);
comment on table public.fired_alerts is 'Alerts that fired in the last 90 days, with the price that fired them.';
create index fired_alerts_fired_at on public.fired_alerts (idp_id, fired_at desc);
create index fired_alerts_symbol on public.fired_alerts (symbol);
create index fired_alerts_mail_pending on public.fired_alerts (idp_id) where mail_pending;
alter table public.fired_alerts enable row level security;
create policy fired_alerts_read_own on public.fired_alerts for select to authenticated using (idp_id = public.member_id());
grant select on public.fired_alerts to authenticated;

create function public.lock_price(p_symbol text) returns timestamptz
  language sql volatile set search_path = '' as $$
  select t.price_at from public.tracked_tickers_latest t where t.symbol = p_symbol for share
$$;
comment on function public.lock_price(text) is
  'Returns the time of a listing''s price, which stays the newest until the transaction ends.';

create function public.is_locked_symbol(p_idp_id text, p_symbol text) returns boolean
  language plpgsql stable set search_path = '' as $$
declare
  row_position integer;
begin
  select ranked.row_position into row_position from (
    select w.symbol, row_number() over (order by w.position, w.id)::integer as row_position
      from public.watchlist_items w where w.idp_id = p_idp_id) ranked
   where ranked.symbol = p_symbol;
  if row_position is null then
    return false;
  end if;
  return row_position > (select p.watchlist_limit from public.plans p where p.tier = public.get_tier(p_idp_id));
end
$$;
comment on function public.is_locked_symbol(text, text) is 'Whether the symbol is a locked row of the member''s watchlist.';

-- Raises alert_symbol_locked (P0002) for a locked row of the watchlist, and alert_limit_reached (P0001) at the limit.
create function public.add_alert(p_idp_id text, p_symbol text, p_kind text, p_threshold double precision, p_repeats text, p_note text)
  returns uuid language plpgsql volatile set search_path = '' as $$
declare
  new_id uuid;
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
  values (p_idp_id, p_symbol, p_kind, p_threshold, p_repeats, p_note, coalesce(public.lock_price(p_symbol), '-infinity'))
  returning id into new_id;
  return new_id;
end
$$;
comment on function public.add_alert(text, text, text, double precision, text, text) is
  'Service only: the server has identified the member.';

create view public.alert_symbols with (security_invoker = true) as select distinct a.symbol from public.alerts a;
comment on view public.alert_symbols is 'Symbols with alerts, without the member.';
revoke insert, update, delete on public.alert_symbols from service_role;

create or replace view market.symbols_in_use with (security_invoker = true) as
  select distinct w.symbol from public.watched_symbols w
  union all
  select distinct p.symbol from public.held_positions p
  union all
  select s.symbol from public.alert_symbols s;
comment on view market.symbols_in_use is
  'Watched and held symbols and those with alerts, which may be listed several times. Market data updates these symbols.';
