-- The shared catalog of listings, their price history, and caches of market data.
-- Members read the catalog alone. Only the service reads history, caches and the counts of provider calls.

create table public.tracked_tickers_latest (
  symbol text primary key check (symbol ~ '^[A-Z0-9][A-Z0-9.^=/-]{0,31}$'),
  -- Four bytes in each row of the history instead of a symbol.
  ticker_id integer generated always as identity unique,
  asset_type text not null check (asset_type in ('stock', 'etf', 'mutual_fund', 'bond')),
  name text,
  exchange text,
  -- Not unique, since several listings share an ISIN.
  isin text check (isin ~ '^[A-Z]{2}[A-Z0-9]{9}[0-9]$'),
  -- ISO 4217. Prices in minor units (GBp, ZAc, ILA) are converted before they are stored.
  currency text check (currency ~ '^[A-Z]{3}$'),
  -- The minor unit in which the provider quotes the listing, or null where it quotes in the currency itself.
  declared_unit text check (declared_unit in ('GBp', 'GBX', 'ZAc', 'ZAC', 'ILA')),
  logo text check (logo ~ '^(https://|/)'),
  logo_source text check (logo_source in ('registry', 'issuer')),
  -- A bond's price is a percent of par, never an amount.
  current_price double precision check (current_price >= 0 and current_price < 'infinity'),
  change_1d double precision check (abs(change_1d) < 'infinity'),
  change_amount double precision check (abs(change_amount) < 'infinity'),
  prev_close double precision check (prev_close >= 0 and prev_close < 'infinity'),
  open double precision check (open >= 0 and open < 'infinity'),
  day_low double precision check (day_low >= 0 and day_low < 'infinity'),
  day_high double precision check (day_high >= 0 and day_high < 'infinity'),
  volume bigint check (volume >= 0),
  market_cap double precision check (market_cap >= 0 and market_cap < 'infinity'),
  -- A fund's size in the listing's currency. Companies have market_cap instead.
  fund_assets double precision check (fund_assets > 0 and fund_assets < 'infinity'),
  price_at timestamptz,
  delayed_minutes integer not null default 0 check (delayed_minutes >= 0),
  -- The provider of the price. 'simulator' is sample data, which every answer marks as such.
  source text not null default 'simulator',
  -- When and why the last quote was rejected, such as a jump that looks like a change of unit.
  quarantined_at timestamptz,
  quarantine_reason text,
  registered_at timestamptz not null default now(),
  -- The feeds of mutual funds and bonds have a price, but no change since the day before.
  check (asset_type in ('stock', 'etf') or (change_1d is null and change_amount is null and prev_close is null))
);
comment on table public.tracked_tickers_latest is 'Every known ticker with its newest price. Shared by all members.';
create index tracked_tickers_latest_symbol_prefix on public.tracked_tickers_latest (symbol text_pattern_ops);
-- Holds a name's words with and without accents and punctuation, so that "mcdonalds" finds "McDonald's".
create index tracked_tickers_latest_name_words on public.tracked_tickers_latest using gin (to_tsvector('simple',
  coalesce(name, '') || ' ' || regexp_replace(normalize(lower(coalesce(name, '')), NFKD), '[^a-z0-9 ]+', '', 'g')));
-- Holds the name as one word without a leading "the", so that "jp morgan" finds "JPMorgan Chase".
create index tracked_tickers_latest_name_joined on public.tracked_tickers_latest
  (regexp_replace(normalize(lower(name), NFKD), '^the |[^a-z0-9]+', '', 'g') text_pattern_ops);
create index tracked_tickers_latest_isin on public.tracked_tickers_latest (isin) where isin is not null;
alter table public.tracked_tickers_latest enable row level security;
create policy tracked_tickers_latest_read_all on public.tracked_tickers_latest for select to authenticated using (true);
grant select on public.tracked_tickers_latest to authenticated;

create table public.tracked_tickers_historical (
  ticker_id integer not null references public.tracked_tickers_latest (ticker_id) on delete cascade,
  d date not null,
  close double precision not null check (close >= 0 and close < 'infinity'),
  open real,
  high real,
  low real,
  volume bigint,
  -- The index includes the close, so that the last closes of many tickers are read without touching the table.
  primary key (ticker_id, d) include (close)
) with (autovacuum_vacuum_insert_scale_factor = 0.005);
comment on table public.tracked_tickers_historical is 'Server only, no policy: daily candles. Dates are in the time zone of the exchange.';
alter table public.tracked_tickers_historical enable row level security;

create table public.earnings (
  symbol text not null references public.tracked_tickers_latest (symbol) on delete cascade,
  date date not null,
  "when" text check ("when" in ('bmo', 'amc')),
  eps_estimate double precision,
  estimated boolean not null default false,
  sample boolean not null default false,
  updated_at timestamptz not null default now(),
  primary key (symbol, date)
);
comment on table public.earnings is 'Server only, no policy: reports of held companies, filled by a daily job.';
create index earnings_date on public.earnings (date);
alter table public.earnings enable row level security;

create schema market;
comment on schema market is 'Server only: prepared market data, caches and the budget of provider calls.';
grant usage on schema market to service_role;

create table market.recent_closes (
  ticker_id integer primary key references public.tracked_tickers_latest (ticker_id) on delete cascade,
  -- [[date, close], …], oldest first, in the form of the API's answer.
  closes json not null,
  closes_to date not null,
  refreshed_at timestamptz not null default now()
);
comment on table market.recent_closes is 'Server only, no policy: the last 30 closes of each ticker, derived from its history.';
alter table market.recent_closes enable row level security;

create table market.backfills (
  ticker_id integer primary key references public.tracked_tickers_latest (ticker_id) on delete cascade,
  -- The process that claims the row makes the request. An unfinished claim lapses after two minutes.
  claimed_at timestamptz not null default now(),
  done_at timestamptz
);
comment on table market.backfills is 'Server only, no policy: listings with a year of candles, and running fetches.';
alter table market.backfills enable row level security;

create table market.quote_checks (
  ticker_id integer primary key references public.tracked_tickers_latest (ticker_id) on delete cascade,
  -- When the price was last requested, whatever the answer. The oldest request is repeated first.
  requested_at timestamptz,
  -- When a provider last answered, which alone decides whether the price of a day is still missing.
  responded_at timestamptz,
  profile_checked_at timestamptz,
  -- When history and price were last compared to find a split.
  split_checked_at timestamptz,
  -- A split whose history is not adjusted yet: the last day before it, and that day's close after adjustment.
  -- Providers adjust their candles overnight or days later, so both are kept until then.
  pending_split_date date,
  pending_split_close double precision,
  -- When the sample price was removed before a real one had arrived.
  sample_dropped_at timestamptz
);
comment on table market.quote_checks is
  'Server only, no policy: when a listing''s price was last requested and returned (even without a price), and when its profile and splits were last checked.';
alter table market.quote_checks enable row level security;

-- One provider may quote a listing in pence and another in pounds, and a quote does not say which.
create table market.declared_units (
  ticker_id integer not null references public.tracked_tickers_latest (ticker_id) on delete cascade,
  provider text not null,
  -- As in tracked_tickers_latest.declared_unit, as this provider declares it.
  unit text check (unit in ('GBp', 'GBX', 'ZAc', 'ZAC', 'ILA')),
  primary key (ticker_id, provider)
);
comment on table market.declared_units is 'Server only, no policy: the currency unit of each provider for listings that a provider quotes in a minor unit.';
alter table market.declared_units enable row level security;

-- The service fetches logos once and serves them itself, so that no other host learns what a member follows.
create table market.logos (
  ticker_id integer primary key references public.tracked_tickers_latest (ticker_id) on delete cascade,
  -- The provider's address of the logo, or null if it was not requested yet or does not exist.
  address text check (address ~ '^https?://'),
  image bytea check (octet_length(image) between 1 and 102400),
  media_type text check (media_type in ('image/png', 'image/jpeg', 'image/webp', 'image/gif')),
  -- The process that updates this time makes the request.
  tried_at timestamptz,
  check ((image is null) = (media_type is null))
);
comment on table market.logos is 'Server only, no policy: logos fetched from market-data providers.';
alter table market.logos enable row level security;

create table market.provider_calls (
  provider text not null,
  -- Start of the minute or of the day that the calls are counted in.
  period text not null check (period in ('minute', 'day')),
  starts_at timestamptz not null,
  used integer not null check (used >= 0),
  -- Calls for quotes are spread over the day, so they are counted apart.
  quotes integer not null default 0 check (quotes >= 0),
  primary key (provider, period, starts_at)
);
comment on table market.provider_calls is 'Server only, no policy: calls to each provider by all processes. quotes is the number of calls for prices.';
alter table market.provider_calls enable row level security;

-- Processes share the answer to a provider request that one of them makes.
create table market.call_leases (
  name text primary key,
  leased_until timestamptz not null,
  result jsonb,
  finished_at timestamptz
);
comment on table market.call_leases is 'Server only, no policy: provider requests that one process makes for all, and their results. The next request deletes old rows.';
create index call_leases_leased_until on market.call_leases (leased_until);
alter table market.call_leases enable row level security;

create table market.earnings_cache (
  symbol text primary key references public.tracked_tickers_latest (symbol) on delete cascade,
  -- [{ date, when, eps_estimate, estimated }], empty where the provider knows of no report.
  reports jsonb not null,
  fetched_at timestamptz not null,
  -- A provider's answer replaces the simulator's sample data, and is never replaced by it.
  sample boolean not null default false
);
comment on table market.earnings_cache is 'Server only, no policy: a symbol''s next reports from a provider, valid for twelve hours.';
alter table market.earnings_cache enable row level security;

-- One request fetches the reports of the whole market for all processes, and this table decides who makes it.
create table market.earnings_scans (
  -- The configured providers, such as "fmp+finnhub", so that a change of providers makes a new request.
  sources text primary key,
  -- The process that claims the row makes the request. An unfinished claim lapses after two minutes.
  claimed_at timestamptz not null default now(),
  done_at timestamptz
);
comment on table market.earnings_scans is 'Server only, no policy: time of the last scan of the market''s earnings, and the process that runs it.';
alter table market.earnings_scans enable row level security;

create table market.news_cache (
  symbols_key text primary key,
  articles jsonb not null,
  fetched_at timestamptz not null
);
comment on table market.news_cache is 'Server only, no policy: articles about sets of symbols.';
create index news_cache_fetched_at on market.news_cache (fetched_at);
alter table market.news_cache enable row level security;

create table market.fundamentals (
  symbol text primary key references public.tracked_tickers_latest (symbol) on delete cascade,
  -- { peRatio, dividendYield, description, industry, website }, each null where the provider does not have it.
  fundamentals jsonb not null,
  fetched_at timestamptz not null,
  -- Those of the simulator are never shown beside real prices.
  sample boolean not null
);
comment on table market.fundamentals is 'Server only, no policy: slowly changing figures and the description of a symbol, valid for one day.';
alter table market.fundamentals enable row level security;

create table market.exchange_rates (
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  d date not null,
  -- Units of the currency for one euro.
  rate numeric not null check (rate > 0 and rate < 'infinity'),
  source text not null check (source in ('ecb', 'simulator')),
  primary key (currency, d)
);
comment on table market.exchange_rates is 'Server only, no policy: daily reference rates against the euro. Weekends and holidays have none.';
alter table market.exchange_rates enable row level security;

create view market.pending_prices with (security_invoker = true) as
  select n.ticker_id
    from market.quote_checks n join public.tracked_tickers_latest t using (ticker_id)
   where t.current_price is null and n.sample_dropped_at > now() - interval '7 days';
comment on view market.pending_prices is 'Listings whose sample price was removed in the last week and that have no real price yet.';
revoke insert, update, delete on market.pending_prices from service_role;

-- Every screen takes the dates of reports from this function, so that they agree.
create function market.upcoming_reports(p_symbols text[], p_from date)
  returns table (symbol text, date date, "when" text, eps_estimate double precision, estimated boolean, sample boolean)
  language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
begin
  return query
  with reports as (
    select e.symbol, e.date, e."when", e.eps_estimate, e.estimated, e.sample, 'table' as source,
           max(e.updated_at) over (partition by e.symbol, e.sample) as fetched_at
      from public.earnings e where e.symbol = any (p_symbols) and e.date >= p_from
    union all
    select c.symbol, r.date, r."when", r.eps_estimate, coalesce(r.estimated, false), c.sample, 'cache', c.fetched_at
      from market.earnings_cache c, jsonb_to_recordset(c.reports)
        as r (date date, "when" text, eps_estimate double precision, estimated boolean)
     where c.symbol = any (p_symbols) and r.date >= p_from
  ), ranked as (
    select k.*, rank() over (partition by k.symbol order by k.sample, k.fetched_at desc, k.source) as precedence
      from reports k
     -- A sample report goes with a sample price alone: screens mark the two as one.
     where not k.sample or exists (select from public.tracked_tickers_latest t
       where t.symbol = k.symbol and t.source = 'simulator' and t.current_price is not null)
  )
  select r.symbol, r.date, r."when", r.eps_estimate, r.estimated, r.sample from ranked r where r.precedence = 1;
end
$$;
comment on function market.upcoming_reports(text[], date) is
  'Reports of these companies from a date on. Of table and cache the later fetch is used, and real data is preferred over sample data.';
