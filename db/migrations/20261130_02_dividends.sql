-- Keeps the dividends of held and watched securities, which the daily job fetches.

create table market.dividends (
  symbol text primary key references public.tracked_tickers_latest (symbol) on delete cascade,
  -- [{ ex_date, payment_date, amount, currency, per_year }], newest first, per share after later splits and in currencies,
  -- never in minor units. Empty where no provider knows of a dividend.
  payments jsonb not null,
  fetched_at timestamptz not null,
  -- Those of the simulator are never shown beside real prices.
  sample boolean not null
);
comment on table market.dividends is 'Server only, no policy: dividends of a symbol per share, past and declared.';
alter table market.dividends enable row level security;
