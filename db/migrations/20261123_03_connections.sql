-- Connections to banks and brokerages: what the server knows of them, and their accounts and holdings beside those that members enter by hand.
-- Readers and writers of accounts and holdings wait until the end: docs/runbooks/large-migrations.md.

create table public.connections (
  idp_id text not null references public.all_users (idp_id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('bank', 'brokerage')),
  provider text not null,
  -- The aggregator's own name of it.
  external_id text not null,
  institution_id text,
  institution text not null check (char_length(institution) between 1 and 200),
  status text not null default 'active' check (status in ('active', 'login_required', 'expiring', 'revoked')),
  connected_at timestamptz not null default now(),
  -- When accounts and holdings were last read completely, and when that was last tried.
  synced_at timestamptz,
  looked_at timestamptz not null default now(),
  primary key (idp_id, id),
  unique (idp_id, id, kind),
  unique (idp_id, provider, external_id)
);
comment on table public.connections is 'A member''s sign-in at an institution, held by an aggregator.';
create index connections_id on public.connections (id);
create index connections_external on public.connections (provider, external_id);
create index connections_looked_at on public.connections (looked_at);
alter table public.connections enable row level security;
create policy connections_read_own on public.connections for select to authenticated using (idp_id = public.member_id());
revoke all on public.connections from service_role;
grant select on public.connections to authenticated;
grant select, insert, update, delete on public.connections to service_role;

create table public.connection_secrets (
  idp_id text not null,
  connection_id uuid not null,
  -- Sealed in the application (docs/connections.md); the keys never reach the database.
  sealed bytea not null,
  primary key (idp_id, connection_id),
  foreign key (idp_id, connection_id) references public.connections (idp_id, id) on delete cascade
);
comment on table public.connection_secrets is 'Server only, no policy: the sealed access to each connection.';
alter table public.connection_secrets enable row level security;
revoke all on public.connection_secrets from service_role;
grant select, insert, update, delete on public.connection_secrets to service_role;

create table public.connection_attempts (
  idp_id text not null references public.all_users (idp_id) on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('bank', 'brokerage')),
  provider text not null,
  -- The connection that is signed in to again; null for a new one.
  repairs uuid,
  -- The aggregator's name of the attempt, sealed, and its SHA-256, by which a webhook finds it.
  sealed_reference bytea not null,
  reference_hash bytea not null check (octet_length(reference_hash) = 32),
  -- What was exchanged and is not a connection yet, so that a crash between the two loses no token.
  external_id text,
  sealed_credential bytea,
  state text not null default 'open' check (state in ('open', 'connected', 'abandoned', 'failed', 'duplicate')),
  code text,
  -- Without a foreign key: what an attempt led to may be removed.
  connection_id uuid,
  -- Who finishes it holds this lease for a while.
  claimed_at timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (idp_id, id),
  foreign key (idp_id, repairs) references public.connections (idp_id, id) on delete cascade,
  constraint connection_attempts_credential check ((external_id is null) = (sealed_credential is null))
);
comment on table public.connection_attempts is 'Server only, no policy: attempts to connect an account, and what became of them.';
create index connection_attempts_repairs on public.connection_attempts (idp_id, repairs);
create index connection_attempts_id on public.connection_attempts (id);
create index connection_attempts_reference on public.connection_attempts (reference_hash);
create index connection_attempts_open on public.connection_attempts (created_at) where state = 'open';
alter table public.connection_attempts enable row level security;
revoke all on public.connection_attempts from service_role;
grant select, insert, update, delete on public.connection_attempts to service_role;

create table public.aggregator_deliveries (
  provider text not null,
  id text not null,
  received_at timestamptz not null default now(),
  primary key (provider, id)
);
comment on table public.aggregator_deliveries is 'Server only, no policy: webhooks that were handled, for 30 days.';
create index aggregator_deliveries_received_at on public.aggregator_deliveries (received_at);
alter table public.aggregator_deliveries enable row level security;
revoke all on public.aggregator_deliveries from service_role;
grant select, insert, delete on public.aggregator_deliveries to service_role;

create table public.aggregator_removals (
  id uuid primary key,
  provider text not null,
  sealed bytea not null,
  created_at timestamptz not null default now()
);
comment on table public.aggregator_removals is
  'Server only, no policy: access that the aggregator must end, until it has. It names no member, so that it outlives them.';
alter table public.aggregator_removals enable row level security;
revoke all on public.aggregator_removals from service_role;
grant select, insert, update, delete on public.aggregator_removals to service_role;

-- Accounts: a connected one is its institution's. One of kind bank or brokerage without a connection is sample data, of the demo portfolio.
alter table public.accounts
  add column connection_id uuid,
  add column external_id text,
  add column mask text check (char_length(mask) between 1 and 16),
  add column type text check (char_length(type) between 1 and 60),
  -- What the institution calls it; the name is the member's to change.
  add column original_name text check (char_length(original_name) between 1 and 120),
  add constraint accounts_connection_kind check (kind <> 'manual' or connection_id is null),
  add constraint accounts_connection_names check ((connection_id is null) = (external_id is null)),
  add unique (idp_id, id, kind),
  add unique (idp_id, connection_id, external_id, currency),
  add foreign key (idp_id, connection_id, kind) references public.connections (idp_id, id, kind) on delete cascade;
create index accounts_connection on public.accounts (idp_id, connection_id, kind);
comment on column public.accounts.balance is 'Cash alone, in its currency: what is invested stands in the holdings. Below zero where it is owed.';

drop policy accounts_own on public.accounts;
create policy accounts_read_own on public.accounts for select to authenticated using (idp_id = public.member_id());
create policy accounts_add_own on public.accounts for insert to authenticated
  with check (idp_id = public.member_id() and kind = 'manual');
create policy accounts_change_own on public.accounts for update to authenticated
  using (idp_id = public.member_id() and kind = 'manual') with check (idp_id = public.member_id() and kind = 'manual');
create policy accounts_delete_own on public.accounts for delete to authenticated
  using (idp_id = public.member_id() and kind = 'manual');

-- Holdings that an aggregator told of, replaced as a whole by each complete reading.
create table public.connected_holdings (
  idp_id text not null,
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  external_id text not null,
  -- Null where the catalog lacks it, and for what it has no price of: short positions, options, coins, bonds.
  symbol text references public.tracked_tickers_latest (symbol),
  name text not null check (char_length(name) between 1 and 300),
  quantity numeric(28, 10) not null check (quantity between -1e12 and 1e12),
  cost_basis numeric(20, 4) check (cost_basis between -1e15 and 1e15),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- What the institution says it is worth, which counts where the catalog has no price.
  institution_value numeric(20, 4) check (institution_value between -1e15 and 1e15),
  as_of timestamptz not null default now(),
  created_at timestamptz not null default now(),
  primary key (idp_id, id),
  unique (idp_id, account_id, external_id),
  foreign key (idp_id, account_id) references public.accounts (idp_id, id) on delete cascade,
  constraint connected_holdings_listed check (symbol is null or quantity > 0)
);
comment on table public.connected_holdings is 'Holdings of connected accounts; nobody edits them.';
create index connected_holdings_symbol on public.connected_holdings (symbol) where symbol is not null;
alter table public.connected_holdings enable row level security;
create policy connected_holdings_read_own on public.connected_holdings for select to authenticated using (idp_id = public.member_id());
revoke all on public.connected_holdings from service_role;
grant select on public.connected_holdings to authenticated;
grant select, insert, update, delete on public.connected_holdings to service_role;

-- What was entered into an account that is not kept by hand becomes that account's; from now on it is refused.
insert into public.connected_holdings (idp_id, id, account_id, external_id, symbol, name, quantity, cost_basis, currency, as_of, created_at)
  select h.idp_id, h.id, h.account_id, h.id::text, h.symbol, coalesce(nullif(left(t.name, 300), ''), h.symbol), h.quantity, h.cost_basis,
         coalesce(t.currency, a.currency), h.updated_at, h.created_at
    from public.manual_public_holdings h
    join public.accounts a on a.idp_id = h.idp_id and a.id = h.account_id and a.kind <> 'manual'
    join public.tracked_tickers_latest t on t.symbol = h.symbol;
delete from public.manual_public_holdings h using public.accounts a
  where a.idp_id = h.idp_id and a.id = h.account_id and a.kind <> 'manual';
alter table public.manual_public_holdings
  add column account_kind text generated always as ('manual') stored,
  drop constraint manual_public_holdings_idp_id_account_id_fkey,
  add foreign key (idp_id, account_id, account_kind) references public.accounts (idp_id, id, kind) on delete cascade;
drop index public.manual_public_holdings_account;
create index manual_public_holdings_account on public.manual_public_holdings (idp_id, account_id, account_kind);

create or replace view public.held_positions with (security_invoker = true) as
  select h.idp_id, h.account_id, h.symbol, h.quantity, h.cost_basis, null::numeric(20, 4) as institution_value
    from public.manual_public_holdings h
  union all
  select c.idp_id, c.account_id, c.symbol, c.quantity, c.cost_basis, c.institution_value
    from public.connected_holdings c where c.symbol is not null;
comment on view public.held_positions is
  'Everything that members hold of what the catalog lists, whatever brought it: one row per holding. A member''s account may repeat a symbol.';

create view public.connected_accounts with (security_invoker = true) as
  select a.idp_id, a.connection_id, a.id, a.name, a.original_name, a.mask, a.type, a.balance, a.currency, a.created_at
    from public.accounts a where a.connection_id is not null;
comment on view public.connected_accounts is 'Accounts that came with a connection.';
revoke all on public.connected_accounts from service_role;
grant select on public.connected_accounts to authenticated, service_role;

create or replace function public.net_worth_of_members(p_idp_ids text[]) returns table (idp_id text, currency text, cash numeric, investments numeric)
  language plpgsql stable set search_path = '' as $$
begin
  return query
    with owned as (
      select a.idp_id, a.currency, a.balance as cash, 0::numeric as investments
        from public.accounts a where a.idp_id = any (p_idp_ids)
      union all
      select h.idp_id, t.currency, 0::numeric, public.holding_value(h.quantity, t.current_price, t.asset_type)
        from public.held_positions h
        join public.tracked_tickers_latest t on t.symbol = h.symbol
       where h.idp_id = any (p_idp_ids) and t.current_price is not null and t.currency is not null
      union all
      -- The catalog's price counts where there is one, else what the institution says.
      select c.idp_id, c.currency, 0::numeric, c.institution_value
        from public.connected_holdings c
        left join public.tracked_tickers_latest t on t.symbol = c.symbol
       where c.idp_id = any (p_idp_ids) and c.institution_value is not null
         and (t.current_price is null or t.currency is null)
    )
    select o.idp_id, o.currency, sum(o.cash), sum(o.investments)
      from owned o group by o.idp_id, o.currency;
end
$$;
