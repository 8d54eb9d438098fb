-- The shared ticker catalog with its price history, and what is kept ready of it. Market data belongs to nobody:
-- members read the catalog through their requests; history, caches and the budget are the server's alone.

create table public.tracked_tickers_latest (
  symbol text primary key check (symbol ~ '^[A-Z0-9][A-Z0-9.^=/-]{0,31}$'),
  -- Four bytes instead of a symbol in each of the history's rows.
  ticker_id integer generated always as identity unique,
  asset_type text not null check (asset_type in ('stock', 'etf', 'mutual_fund', 'bond')),
  name text,
  exchange text,
  -- ISO 4217; minor units (GBp, ZAc, ILA) are normalised before they are stored.
  currency text check (currency ~ '^[A-Z]{3}$'),
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
  price_at timestamptz,
  delayed_minutes integer not null default 0 check (delayed_minutes >= 0),
  -- Which provider the price is from; 'simulator' is sample data and is marked as such in every answer.
  source text not null default 'simulator',
  -- Why the last quote was not taken, such as a jump that looks like a change of unit.
  quarantined_at timestamptz,
  quarantine_reason text,
  registered_at timestamptz not null default now(),
  -- Only the stock feed writes day change; fund and bond feeds write the price alone.
  check (asset_type in ('stock', 'etf') or (change_1d is null and change_amount is null and prev_close is null))
);

comment on table public.tracked_tickers_latest is 'Every known ticker with its newest price. Shared by all members.';

alter table public.tracked_tickers_latest enable row level security;
create policy tracked_tickers_latest_read_all on public.tracked_tickers_latest for select to authenticated using (true);
grant select on public.tracked_tickers_latest to authenticated;
grant select, insert, update, delete on public.tracked_tickers_latest to service_role;

create table public.tracked_tickers_historical (
  ticker_id integer not null references public.tracked_tickers_latest (ticker_id) on delete cascade,
  d date not null,
  close double precision not null check (close >= 0 and close < 'infinity'),
  open real,
  high real,
  low real,
  volume bigint,
  -- The close travels in the index, so that the last closes of many tickers are read without touching the table.
  primary key (ticker_id, d) include (close)
) with (autovacuum_vacuum_insert_scale_factor = 0.005);

comment on table public.tracked_tickers_historical is 'Server only, no policy: daily candles; dates are the exchange''s own.';

alter table public.tracked_tickers_historical enable row level security;
grant select, insert, update, delete on public.tracked_tickers_historical to service_role;

create schema market;
comment on schema market is 'Server only: what is kept ready of market data, caches and the budget of calls to providers.';
grant usage on schema market to service_role;

create table market.recent_closes (
  ticker_id integer primary key references public.tracked_tickers_latest (ticker_id) on delete cascade,
  -- [[date, close], …], the last 30 in order, as the API answers them.
  closes json not null,
  closes_to date not null,
  refreshed_at timestamptz not null default now()
);
comment on table market.recent_closes is 'Server only, no policy: the last 30 closes of each ticker, made from its history.';
alter table market.recent_closes enable row level security;
grant select, insert, update, delete on market.recent_closes to service_role;

create table market.provider_calls (
  provider text not null,
  -- Start of the minute or of the day that the calls are counted in.
  span text not null check (span in ('minute', 'day')),
  starts_at timestamptz not null,
  used integer not null check (used >= 0),
  primary key (provider, span, starts_at)
);
comment on table market.provider_calls is 'Server only, no policy: calls spent per provider, shared by all processes.';
alter table market.provider_calls enable row level security;
grant select, insert, update, delete on market.provider_calls to service_role;

create table market.earnings_cache (
  symbol text primary key references public.tracked_tickers_latest (symbol) on delete cascade,
  -- [{ date, when, eps_estimate, estimated }], possibly empty: that a company reports nothing is an answer too.
  reports jsonb not null,
  fetched_at timestamptz not null
);
comment on table market.earnings_cache is 'Server only, no policy: what a provider said of a symbol''s next reports; good for twelve hours.';
alter table market.earnings_cache enable row level security;
grant select, insert, update, delete on market.earnings_cache to service_role;

create table market.news_cache (
  symbols_key text primary key,
  articles jsonb not null,
  fetched_at timestamptz not null
);
comment on table market.news_cache is 'Server only, no policy: articles about a set of symbols.';
create index news_cache_fetched_at on market.news_cache (fetched_at);
alter table market.news_cache enable row level security;
grant select, insert, update, delete on market.news_cache to service_role;

create table public.earnings (
  symbol text not null references public.tracked_tickers_latest (symbol) on delete cascade,
  date date not null,
  "when" text check ("when" in ('bmo', 'amc')),
  eps_estimate double precision,
  estimated boolean not null default false,
  updated_at timestamptz not null default now(),
  primary key (symbol, date)
);
comment on table public.earnings is 'Server only, no policy: reports of held companies, filled by an external job.';
create index earnings_date on public.earnings (date);
alter table public.earnings enable row level security;
grant select, insert, update, delete on public.earnings to service_role;
