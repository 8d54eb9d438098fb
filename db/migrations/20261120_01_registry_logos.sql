-- Companies' logos as a provider has them. They are fetched once by the server and served from our own origin, so that nobody
-- else learns what a member follows.
create table market.logos (
  ticker_id integer primary key references public.tracked_tickers_latest (ticker_id) on delete cascade,
  -- Where the provider has it; null until somebody has asked, or where there is none.
  address text check (address ~ '^https?://'),
  image bytea check (octet_length(image) between 1 and 102400),
  media_type text check (media_type in ('image/png', 'image/jpeg', 'image/webp', 'image/gif')),
  -- Whoever moves this makes the one request.
  tried_at timestamptz,
  check ((image is null) = (media_type is null))
);
comment on table market.logos is 'Server only, no policy: logos fetched from market-data providers.';
alter table market.logos enable row level security;
grant select, insert, update, delete on market.logos to service_role;

-- Companies that a provider has priced before there were logos get theirs when they are first shown.
update public.tracked_tickers_latest set logo = '/api/logos/registry/' || symbol, logo_source = 'registry'
 where asset_type = 'stock' and logo is null and source <> 'simulator' and symbol ~ '^[A-Z0-9.-]+$';
