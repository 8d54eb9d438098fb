-- Lets members' rows be joined with the catalog through one view. On a cluster it reads a copy on each server.

create view public.listings with (security_invoker = true) as
  select t.ticker_id, t.symbol, t.asset_type, t.name, t.exchange, t.logo, t.logo_source, t.currency, t.current_price, t.change_1d,
         t.change_amount, t.prev_close, t.open, t.day_low, t.day_high, t.volume, t.market_cap, t.price_at, t.delayed_minutes, t.source
    from public.tracked_tickers_latest t;
comment on view public.listings is 'Listings of the catalog with their newest prices, for joins with members'' rows.';
revoke insert, update, delete on public.listings from service_role;
grant select on public.listings to authenticated;

create table public.listing_copies (
  ticker_id integer primary key,
  symbol text not null unique,
  asset_type text not null,
  name text,
  exchange text,
  logo text,
  logo_source text,
  currency text,
  current_price double precision,
  change_1d double precision,
  change_amount double precision,
  prev_close double precision,
  open double precision,
  day_low double precision,
  day_high double precision,
  volume bigint,
  market_cap double precision,
  price_at timestamptz,
  delayed_minutes integer not null,
  source text not null
);
comment on table public.listing_copies is
  'Rows of the view listings on each server of a cluster. Empty on one server. `tally migrate --distribute` fills it and lets the view read it.';
alter table public.listing_copies enable row level security;
create policy listing_copies_read_all on public.listing_copies for select to authenticated, assistant using (true);
grant select on public.listing_copies to authenticated;

-- The changed rows pass through variables, since Citus cannot read a transition table. The update lists the columns in
-- the order of the table, since it sets them to excluded.*.
create function public.copy_listings() returns trigger
  language plpgsql volatile set search_path = '' as $$
declare
  deleted integer[];
  changed jsonb;
begin
  if tg_op = 'DELETE' then
    select pg_catalog.array_agg(o.ticker_id) into deleted from old_rows o;
    if deleted is not null then
      delete from public.listing_copies c where c.ticker_id = any (deleted);
    end if;
    return null;
  end if;
  select pg_catalog.jsonb_agg(pg_catalog.to_jsonb(n)) into changed from new_rows n;
  if changed is not null then
    insert into public.listing_copies
      select c.* from pg_catalog.jsonb_populate_recordset(null::public.listing_copies, changed) c
      on conflict (ticker_id) do update
        set (ticker_id, symbol, asset_type, name, exchange, logo, logo_source, currency, current_price, change_1d, change_amount, prev_close,
             open, day_low, day_high, volume, market_cap, price_at, delayed_minutes, source) = row (excluded.*)
      where (listing_copies.*) is distinct from (excluded.*);
  end if;
  return null;
end
$$;
comment on function public.copy_listings() is 'Trigger of the catalog on a cluster: writes its changes to listing_copies.';
