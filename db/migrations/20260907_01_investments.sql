-- What members own: accounts, holdings entered by hand, and the daily worth of both. A watched ticker is none of this.

create table public.accounts (
  id uuid primary key default gen_random_uuid(),
  idp_id text not null references public.all_users (idp_id) on delete cascade,
  name text not null check (char_length(name) between 1 and 120),
  kind text not null default 'manual' check (kind in ('manual', 'bank', 'brokerage')),
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  -- Cash in the account, in its currency.
  balance numeric(20, 4) not null default 0 check (balance between -1e15 and 1e15),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, idp_id)
);
comment on table public.accounts is 'Accounts of a member; those from an aggregator carry its kind.';
create index accounts_idp_id on public.accounts (idp_id);
alter table public.accounts enable row level security;
create policy accounts_own on public.accounts for all to authenticated
  using (idp_id = ((select auth.jwt()) ->> 'sub'))
  with check (idp_id = ((select auth.jwt()) ->> 'sub'));
grant select, delete on public.accounts to authenticated;
-- A member makes manual accounts only; what kind an account is, is not the member's to say.
grant insert (idp_id, name, currency, balance), update (name, balance, updated_at) on public.accounts to authenticated;
grant select, insert, update, delete on public.accounts to service_role;

create table public.manual_public_holdings (
  id uuid primary key default gen_random_uuid(),
  idp_id text not null,
  account_id uuid not null,
  symbol text not null references public.tracked_tickers_latest (symbol),
  -- Shares; for a bond its face value in the listing's currency. The upper bound also keeps NaN out, which sorts last.
  quantity numeric(28, 10) not null check (quantity > 0 and quantity <= 1e12),
  -- What was paid in all, in the listing's currency.
  cost_basis numeric(20, 4) check (cost_basis between 0 and 1e15),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The account must be the same member's: row-level security alone would not see a foreign account's id.
  foreign key (account_id, idp_id) references public.accounts (id, idp_id) on delete cascade
);
comment on table public.manual_public_holdings is 'Holdings that members enter by hand.';
create index manual_public_holdings_idp_id on public.manual_public_holdings (idp_id, symbol);
create index manual_public_holdings_account on public.manual_public_holdings (account_id, idp_id);
create index manual_public_holdings_symbol on public.manual_public_holdings (symbol);
alter table public.manual_public_holdings enable row level security;
create policy manual_public_holdings_own on public.manual_public_holdings for all to authenticated
  using (idp_id = ((select auth.jwt()) ->> 'sub'))
  with check (idp_id = ((select auth.jwt()) ->> 'sub'));
grant select, delete on public.manual_public_holdings to authenticated;
grant insert (idp_id, account_id, symbol, quantity, cost_basis), update (quantity, cost_basis, updated_at) on public.manual_public_holdings to authenticated;
grant select, insert, update, delete on public.manual_public_holdings to service_role;

create table public.net_worth_snapshots (
  idp_id text not null references public.all_users (idp_id) on delete cascade,
  d date not null,
  -- One row per currency: amounts are never converted.
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Without a precision: one member's sum that overflowed would end the snapshot of all.
  cash numeric not null,
  investments numeric not null,
  taken_at timestamptz not null default now(),
  primary key (idp_id, d, currency)
);
comment on table public.net_worth_snapshots is 'What a member owned at the end of a day, per currency.';
alter table public.net_worth_snapshots enable row level security;
create policy net_worth_snapshots_read_own on public.net_worth_snapshots
  for select to authenticated using (idp_id = ((select auth.jwt()) ->> 'sub'));
grant select on public.net_worth_snapshots to authenticated;
grant select, insert, update, delete on public.net_worth_snapshots to service_role;

-- What a holding is worth at a price: a bond's is a percent of par, and its quantity the face value.
create function public.holding_value(p_quantity numeric, p_price double precision, p_asset_type text) returns numeric
  language sql immutable set search_path = ''
  return round(p_quantity * p_price::numeric / case p_asset_type when 'bond' then 100 else 1 end, 4);
grant execute on function public.holding_value(numeric, double precision, text) to authenticated, service_role;

-- What a member owns now, per currency: the one definition that the page and the snapshot share.
create function public.net_worth_of(p_idp_id text) returns table (currency text, cash numeric, investments numeric)
  language sql stable set search_path = ''
begin atomic
  with owned as (
    select a.currency, a.balance as cash, 0::numeric as investments
      from public.accounts a where a.idp_id = p_idp_id
    union all
    select t.currency, 0::numeric, public.holding_value(h.quantity, t.current_price, t.asset_type)
      from public.manual_public_holdings h
      join public.tracked_tickers_latest t on t.symbol = h.symbol
     where h.idp_id = p_idp_id and t.current_price is not null and t.currency is not null
  )
  select o.currency, sum(o.cash), sum(o.investments)
    from owned o group by o.currency;
end;
comment on function public.net_worth_of(text) is 'Cash and holdings at today''s prices. Runs with the caller''s rights.';
grant execute on function public.net_worth_of(text) to authenticated, service_role;
