-- Accounts, holdings and daily net worth of members, and the layout of their dashboard.
-- Keys begin with the member, so that the tables can be distributed by member.

create table public.accounts (
  idp_id text not null references public.all_users (idp_id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  -- A bank or brokerage account without a connection is sample data of the demo portfolio.
  kind text not null default 'manual' check (kind in ('manual', 'bank', 'brokerage')),
  name text not null check (char_length(name) between 1 and 120),
  -- The institution's name of the account. The member may change only the column "name".
  original_name text check (char_length(original_name) between 1 and 120),
  mask text check (char_length(mask) between 1 and 16),
  type text check (char_length(type) between 1 and 60),
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  balance numeric(20, 4) not null default 0 check (balance between -1e15 and 1e15),
  connection_id uuid,
  external_id text,
  -- When another sign-in at the institution ended access to the account, whose figures then stay as they were.
  left_out_at timestamptz,
  -- When the member decided what becomes of a manual account that looks like this one.
  duplicate_answered_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (idp_id, id),
  unique (idp_id, id, kind),
  unique (idp_id, connection_id, external_id, currency),
  foreign key (idp_id, connection_id, kind) references public.connections (idp_id, id, kind) on delete cascade,
  constraint accounts_connection_kind check (kind <> 'manual' or connection_id is null),
  constraint accounts_connection_names check ((connection_id is null) = (external_id is null))
);
comment on table public.accounts is 'Accounts of a member. Accounts of an aggregator have its kind.';
comment on column public.accounts.balance is 'Cash in the account''s currency, without holdings. Negative for debt.';
create index accounts_connection on public.accounts (idp_id, connection_id, kind);
alter table public.accounts enable row level security;
-- Members write manual accounts only, since connected accounts show what the institution says.
create policy accounts_read_own on public.accounts for select to authenticated using (idp_id = public.member_id());
create policy accounts_add_own on public.accounts for insert to authenticated
  with check (idp_id = public.member_id() and kind = 'manual');
create policy accounts_change_own on public.accounts for update to authenticated
  using (idp_id = public.member_id() and kind = 'manual') with check (idp_id = public.member_id() and kind = 'manual');
create policy accounts_delete_own on public.accounts for delete to authenticated
  using (idp_id = public.member_id() and kind = 'manual');
grant select, delete on public.accounts to authenticated;
grant insert (idp_id, name, currency, balance), update (name, balance, updated_at) on public.accounts to authenticated;

create table public.manual_public_holdings (
  idp_id text not null,
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  account_kind text generated always as ('manual') stored,
  symbol text not null references public.tracked_tickers_latest (symbol),
  -- Shares, or a bond's face value in the listing's currency. The upper bound also excludes NaN, which sorts last.
  quantity numeric(28, 10) not null check (quantity > 0 and quantity <= 1e12),
  -- The total price paid, in the listing's currency.
  cost_basis numeric(20, 4) check (cost_basis between 0 and 1e15),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (idp_id, id),
  -- The account must be manual and of the same member. Row-level security does not apply to foreign keys.
  foreign key (idp_id, account_id, account_kind) references public.accounts (idp_id, id, kind) on delete cascade
);
comment on table public.manual_public_holdings is 'Holdings that members enter manually.';
create index manual_public_holdings_idp_id on public.manual_public_holdings (idp_id, symbol);
create index manual_public_holdings_account on public.manual_public_holdings (idp_id, account_id, account_kind);
create index manual_public_holdings_symbol on public.manual_public_holdings (symbol);
alter table public.manual_public_holdings enable row level security;
create policy manual_public_holdings_own on public.manual_public_holdings for all to authenticated
  using (idp_id = public.member_id()) with check (idp_id = public.member_id());
grant select, delete on public.manual_public_holdings to authenticated;
grant insert (idp_id, account_id, symbol, quantity, cost_basis), update (quantity, cost_basis, updated_at) on public.manual_public_holdings to authenticated;

-- Each complete read of a connection replaces the holdings of its accounts.
create table public.connected_holdings (
  idp_id text not null,
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  external_id text not null,
  -- Null where the catalog has no price: unknown listings, short positions, options, cryptocurrencies and bonds.
  symbol text references public.tracked_tickers_latest (symbol),
  name text not null check (char_length(name) between 1 and 300),
  quantity numeric(28, 10) not null check (quantity between -1e12 and 1e12),
  cost_basis numeric(20, 4) check (cost_basis between -1e15 and 1e15),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- The value that the institution states, used where the catalog has no price.
  institution_value numeric(20, 4) check (institution_value between -1e15 and 1e15),
  as_of timestamptz not null default now(),
  created_at timestamptz not null default now(),
  primary key (idp_id, id),
  unique (idp_id, account_id, external_id),
  foreign key (idp_id, account_id) references public.accounts (idp_id, id) on delete cascade,
  constraint connected_holdings_listed check (symbol is null or quantity > 0)
);
comment on table public.connected_holdings is 'Holdings of connected accounts. Members cannot edit them.';
create index connected_holdings_symbol on public.connected_holdings (symbol) where symbol is not null;
alter table public.connected_holdings enable row level security;
create policy connected_holdings_read_own on public.connected_holdings for select to authenticated using (idp_id = public.member_id());
grant select on public.connected_holdings to authenticated;

create table public.net_worth_snapshots (
  idp_id text not null references public.all_users (idp_id) on delete cascade,
  d date not null,
  -- Amounts are never converted, so there is a row for each currency.
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Without a precision, since one member's overflow would abort the snapshots of all.
  cash numeric not null,
  investments numeric not null,
  -- Whether the simulator's sample prices are part of the sum.
  sample boolean not null default false,
  taken_at timestamptz not null default now(),
  primary key (idp_id, d, currency)
);
comment on table public.net_worth_snapshots is 'Net worth of a member at the end of a day, per currency.';
alter table public.net_worth_snapshots enable row level security;
create policy net_worth_snapshots_read_own on public.net_worth_snapshots for select to authenticated using (idp_id = public.member_id());
grant select on public.net_worth_snapshots to authenticated;

create table public.net_worth_flows (
  idp_id text not null references public.all_users (idp_id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  -- Day of the first snapshot that includes the change. Null until then.
  d date,
  currency text check (currency ~ '^[A-Z]{3}$'),
  -- Positive for money or securities that were added. Null while the security has no price.
  amount numeric,
  symbol text check (char_length(symbol) between 1 and 32),
  quantity numeric,
  created_at timestamptz not null default now(),
  primary key (idp_id, id),
  constraint net_worth_flows_valued check ((amount is null) = (currency is null)),
  constraint net_worth_flows_unvalued check (amount is not null or (symbol is not null and quantity is not null))
);
comment on table public.net_worth_flows is
  'What a member added to net worth or withdrew from it, so that it does not count as a gain or loss.';
create index net_worth_flows_day on public.net_worth_flows (idp_id, d);
-- For the job that dates them.
create index net_worth_flows_undated on public.net_worth_flows (idp_id) where d is null;
alter table public.net_worth_flows enable row level security;
create policy net_worth_flows_read_own on public.net_worth_flows for select to authenticated using (idp_id = public.member_id());
create policy net_worth_flows_add_own on public.net_worth_flows for insert to authenticated with check (idp_id = public.member_id());
grant select, insert (idp_id, currency, amount, symbol, quantity) on public.net_worth_flows to authenticated;

create table public.dashboard_layouts (
  idp_id text primary key references public.all_users (idp_id) on delete cascade,
  -- [{ id, shown }, …] in the member's order. Cards that are newer than the layout come last.
  cards jsonb not null check (jsonb_typeof(cards) = 'array' and octet_length(cards::text) <= 4000),
  updated_at timestamptz not null default now()
);
comment on table public.dashboard_layouts is 'Layouts of members who have changed their dashboard. Others have the default layout.';
alter table public.dashboard_layouts enable row level security;
create policy dashboard_layouts_own on public.dashboard_layouts for all to authenticated
  using (idp_id = public.member_id()) with check (idp_id = public.member_id());
grant select on public.dashboard_layouts to authenticated;
grant insert (idp_id, cards), update (cards, updated_at) on public.dashboard_layouts to authenticated;

create table public.portfolio_settings (
  idp_id text primary key references public.all_users (idp_id) on delete cascade,
  base_currency text not null check (base_currency ~ '^[A-Z]{3}$'),
  updated_at timestamptz not null default now()
);
comment on table public.portfolio_settings is 'Base currency of net worth of members who have one. Others have US dollars.';
alter table public.portfolio_settings enable row level security;
create policy portfolio_settings_own on public.portfolio_settings for all to authenticated
  using (idp_id = public.member_id()) with check (idp_id = public.member_id());
grant select on public.portfolio_settings to authenticated;
grant insert (idp_id, base_currency), update (base_currency, updated_at) on public.portfolio_settings to authenticated;

-- One row per member, so that only the last import can be undone.
create table public.holding_imports (
  idp_id text primary key references public.all_users (idp_id) on delete cascade,
  id uuid not null,
  -- The accounts of the import with their manual holdings. Both are emptied by undo.
  state_before jsonb not null,
  state_after jsonb not null,
  created_at timestamptz not null default now(),
  undone_at timestamptz
);
comment on table public.holding_imports is 'Server only, no policy: last import of holdings of each member, for undo.';
alter table public.holding_imports enable row level security;

-- Other areas read holdings through this view. A new source of holdings is added here with "union all".
create view public.held_positions with (security_invoker = true) as
  select h.idp_id, h.account_id, h.symbol, h.quantity, h.cost_basis, null::numeric(20, 4) as institution_value
    from public.manual_public_holdings h
  union all
  select c.idp_id, c.account_id, c.symbol, c.quantity, c.cost_basis, c.institution_value
    from public.connected_holdings c where c.symbol is not null;
comment on view public.held_positions is
  'Manual and connected holdings of securities in the catalog, one row per holding. An account may have several rows of a symbol.';
revoke insert, update, delete on public.held_positions from service_role;
grant select on public.held_positions to authenticated;

create view public.connected_accounts with (security_invoker = true) as
  select a.idp_id, a.connection_id, a.id, a.name, a.original_name, a.mask, a.type, a.balance, a.currency, a.created_at, a.left_out_at
    from public.accounts a where a.connection_id is not null;
comment on view public.connected_accounts is 'Accounts of connections.';
revoke insert, update, delete on public.connected_accounts from service_role;
grant select on public.connected_accounts to authenticated;

create view public.account_duplicates with (security_invoker = true) as
  select c.idp_id, c.id as account_id, m.id as duplicate_id, m.name, m.created_at,
         lower(btrim(m.name)) in (lower(c.name), lower(c.original_name)) as is_same_name
    from public.accounts c
    join public.accounts m on m.idp_id = c.idp_id and m.kind = 'manual' and m.currency = c.currency
     and (lower(btrim(m.name)) in (lower(c.name), lower(c.original_name)) or (c.balance <> 0 and m.balance = c.balance))
   where c.connection_id is not null and c.duplicate_answered_at is null;
comment on view public.account_duplicates is
  'Manual accounts that resemble a connected one: the same currency, and the same name or the same cash.';
grant select on public.account_duplicates to authenticated;

-- A bond's price is a percentage of its face value, and its quantity is the face value.
create function public.holding_value(p_quantity numeric, p_price double precision, p_asset_type text) returns numeric
  language sql immutable set search_path = ''
  return round(p_quantity * p_price::numeric / case p_asset_type when 'bond' then 100 else 1 end, 4);
grant execute on function public.holding_value(numeric, double precision, text) to authenticated;
