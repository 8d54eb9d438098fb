-- What the feeds note of a listing beside its price, where no client can read it.
create table market.quote_notes (
  ticker_id integer primary key references public.tracked_tickers_latest (ticker_id) on delete cascade,
  -- When its price was last asked for, whatever came back: who has waited longest comes first.
  asked_at timestamptz,
  -- When its history was last held against its price because of a split.
  split_checked_at timestamptz
);
comment on table market.quote_notes is 'Server only, no policy: when a listing was last asked for, and looked at for a split.';
alter table market.quote_notes enable row level security;
grant select, insert, update, delete on market.quote_notes to service_role;

-- Providers disagree on units: of a listing in pence one may quote pence and the other pounds, and no quote says which.
create table market.declared_units (
  ticker_id integer not null references public.tracked_tickers_latest (ticker_id) on delete cascade,
  provider text not null,
  -- As in tracked_tickers_latest.declared_unit, by this provider's own word; null: in the currency itself.
  unit text check (unit in ('GBp', 'GBX', 'ZAc', 'ZAC', 'ILA')),
  primary key (ticker_id, provider)
);
comment on table market.declared_units is 'Server only, no policy: in which unit each provider quotes the listings that somebody quotes in a minor one.';
alter table market.declared_units enable row level security;
grant select, insert, update, delete on market.declared_units to service_role;
