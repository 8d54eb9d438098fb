-- What the feeds need to know of a listing, how it is found, and which year of candles has been fetched.

-- Pence, cents and agorot as the provider declares them (GBp, ZAc, ILA): quotes come without a currency, so the unit that
-- the listing was declared in decides how they are scaled. Null: in the currency itself.
alter table public.tracked_tickers_latest
  add column declared_unit text check (declared_unit in ('GBp', 'GBX', 'ZAc', 'ZAC', 'ILA'));

-- Search by the beginning of a symbol and by the beginnings of a name's words.
create index tracked_tickers_latest_symbol_prefix on public.tracked_tickers_latest (symbol text_pattern_ops);
create index tracked_tickers_latest_name_words on public.tracked_tickers_latest using gin (to_tsvector('simple', coalesce(name, '')));

create table market.backfills (
  ticker_id integer primary key references public.tracked_tickers_latest (ticker_id) on delete cascade,
  -- Whoever takes the row makes the one request; a claim without an end is free again after two minutes.
  claimed_at timestamptz not null default now(),
  done_at timestamptz
);
comment on table market.backfills is 'Server only, no policy: which listings have their year of candles, and who is fetching one.';
alter table market.backfills enable row level security;
grant select, insert, update, delete on market.backfills to service_role;
