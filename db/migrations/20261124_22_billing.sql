-- Payments of members: who they are at the payment provider, what they were charged, and how recurring revenue moved.
-- Money stays when a member is deleted: it hangs on a payer, a random pseudonym, and the link to the member goes.

create sequence public.billing_sync_tickets;
comment on sequence public.billing_sync_tickets is 'A number is taken before the provider is asked; only a greater one may be written.';
grant usage on sequence public.billing_sync_tickets to service_role;

create table public.billing_payers (
  payer uuid primary key default gen_random_uuid(),
  -- Null until the provider has answered.
  customer_id text unique,
  -- The ticket of the look that was written last.
  sync_ticket bigint not null default 0,
  synced_at timestamptz,
  created_at timestamptz not null default now()
);
comment on table public.billing_payers is 'Server only, no policy: customers of the payment provider under a pseudonym, which outlives the member.';
create index billing_payers_synced_at on public.billing_payers (synced_at nulls first);
alter table public.billing_payers enable row level security;
grant select, insert, update on public.billing_payers to service_role;

alter table public.subscriptions
  add column problem_url text,
  add column next_amount_minor integer;

create table public.billing_customers (
  idp_id text primary key references public.all_users (idp_id) on delete cascade,
  payer uuid not null references public.billing_payers (payer)
);
comment on table public.billing_customers is 'Server only, no policy: which payer a member is.';
create index billing_customers_payer on public.billing_customers (payer);
alter table public.billing_customers enable row level security;
grant select, insert, update, delete on public.billing_customers to service_role;

create table public.billing_prices (
  price_id text primary key,
  tier text not null references public.plans (tier),
  amount_minor integer not null,
  currency text not null,
  price_interval text not null,
  created_at timestamptz not null default now()
);
comment on table public.billing_prices is 'Server only, no policy: prices at the provider and their tiers, former ones included.';
create index billing_prices_tier on public.billing_prices (tier);
alter table public.billing_prices enable row level security;
grant select, insert on public.billing_prices to service_role;

create table public.billing_checkouts (
  idp_id text not null references public.all_users (idp_id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  tier text not null references public.plans (tier),
  entry_source text check (entry_source in ('watchlist_limit', 'watchlist_locked')),
  status text not null default 'creating' check (status in ('creating', 'open', 'complete', 'expired')),
  origin text not null,
  price_id text,
  session_id text,
  url text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '1 day',
  primary key (idp_id, id)
);
comment on table public.billing_checkouts is 'Server only, no policy: checkouts that a member began.';
-- One that can be paid at a time: a second tab gets the same.
create unique index billing_checkouts_one_open on public.billing_checkouts (idp_id) where status in ('creating', 'open');
create index billing_checkouts_tier on public.billing_checkouts (tier);
alter table public.billing_checkouts enable row level security;
grant select, insert, update, delete on public.billing_checkouts to service_role;

create table public.payment_webhook_events (
  event_id text primary key check (char_length(event_id) between 1 and 256),
  type text not null,
  received_at timestamptz not null default now()
);
comment on table public.payment_webhook_events is 'Server only, no policy: events of the payment provider that were taken in.';
create index payment_webhook_events_received_at on public.payment_webhook_events (received_at);
alter table public.payment_webhook_events enable row level security;
grant select, insert, delete on public.payment_webhook_events to service_role;

create table public.billing_invoices (
  payer uuid not null references public.billing_payers (payer),
  id text not null,
  subscription_id text,
  number text,
  status text not null,
  currency text not null,
  total_minor integer not null,
  -- What was paid, without tax.
  net_minor integer not null,
  tier text,
  entry_source text,
  url text,
  created_at timestamptz not null,
  paid_at timestamptz,
  primary key (payer, id)
);
comment on table public.billing_invoices is 'Server only, no policy: invoices, kept under the payer''s pseudonym.';
create index billing_invoices_paid_at on public.billing_invoices (paid_at);
alter table public.billing_invoices enable row level security;
grant select, insert, update on public.billing_invoices to service_role;

-- What came back: succeeded refunds, and what a dispute has withdrawn and not reinstated, without tax.
create table public.billing_reversals (
  payer uuid not null references public.billing_payers (payer),
  id text not null,
  kind text not null check (kind in ('refund', 'dispute')),
  invoice_id text,
  status text not null,
  currency text not null,
  net_minor integer not null,
  created_at timestamptz not null,
  primary key (payer, id)
);
comment on table public.billing_reversals is 'Server only, no policy: refunds and disputes, kept under the payer''s pseudonym.';
create index billing_reversals_created_at on public.billing_reversals (created_at);
alter table public.billing_reversals enable row level security;
grant select, insert, update on public.billing_reversals to service_role;

create table public.billing_movements (
  payer uuid not null references public.billing_payers (payer),
  id bigint generated always as identity,
  moved_at timestamptz not null default now(),
  kind text not null check (kind in ('new', 'expansion', 'contraction', 'churn', 'reactivation')),
  currency text not null,
  -- The change of monthly recurring revenue; below zero where it falls.
  mrr_minor integer not null check (mrr_minor <> 0),
  from_tier text not null,
  to_tier text not null,
  entry_source text,
  primary key (payer, id)
);
comment on table public.billing_movements is 'Server only, no policy: how recurring revenue moved, append-only, kept under the payer''s pseudonym.';
create index billing_movements_moved_at on public.billing_movements (moved_at);
alter table public.billing_movements enable row level security;
grant select, insert on public.billing_movements to service_role;
