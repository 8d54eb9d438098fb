-- State of the simulated bank, brokerage and payment providers, which are used where no keys of real ones are set.
-- No client role may use the schemas, so no table has a policy.
-- Secrets and tokens of the simulated banks and brokerages are stored as hashes.

create schema bank_sandbox;
grant usage on schema bank_sandbox to service_role;

create table bank_sandbox.signing_keys (
  kid text primary key,
  public_jwk jsonb not null,
  private_jwk jsonb not null,
  created_at timestamptz not null default now()
);
comment on table bank_sandbox.signing_keys is 'Server only, no policy: keys that sign the sandbox''s webhooks.';
-- Processes that start at once agree on one key.
create unique index signing_keys_one on bank_sandbox.signing_keys ((true));
alter table bank_sandbox.signing_keys enable row level security;

create table bank_sandbox.link_sessions (
  token_hash bytea primary key,
  -- created, open, finished, exited or expired.
  state text not null,
  -- The user, the selected accounts, and the options of the creator.
  data jsonb not null,
  public_token_hash bytea unique,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
comment on table bank_sandbox.link_sessions is 'Server only, no policy: requested hosted pages.';
alter table bank_sandbox.link_sessions enable row level security;

create table bank_sandbox.items (
  id text primary key,
  access_token_hash bytea not null unique,
  -- good, login_required or removed.
  state text not null,
  data jsonb not null,
  created_at timestamptz not null default now()
);
comment on table bank_sandbox.items is 'Server only, no policy: sign-ins at simulated banks.';
alter table bank_sandbox.items enable row level security;

create table bank_sandbox.webhook_messages (
  id text primary key,
  type text not null,
  url text not null,
  payload text not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  created_at timestamptz not null default now()
);
comment on table bank_sandbox.webhook_messages is 'Server only, no policy: outbox of signed webhooks. A message is deleted when it is delivered or given up.';
create index webhook_messages_due on bank_sandbox.webhook_messages (next_attempt_at);
alter table bank_sandbox.webhook_messages enable row level security;

create schema brokerage_sandbox;
grant usage on schema brokerage_sandbox to service_role;

create table brokerage_sandbox.users (
  id text primary key,
  secret_hash bytea not null,
  created_at timestamptz not null default now()
);
comment on table brokerage_sandbox.users is 'Server only, no policy: registered users, with the ids that the registrar chose.';
alter table brokerage_sandbox.users enable row level security;

create table brokerage_sandbox.portals (
  token_hash bytea primary key,
  -- created, open, finished or exited.
  state text not null,
  -- The user, the selected accounts, and the options of the creator.
  data jsonb not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
comment on table brokerage_sandbox.portals is 'Server only, no policy: requested hosted pages.';
alter table brokerage_sandbox.portals enable row level security;

create table brokerage_sandbox.authorizations (
  id uuid primary key,
  owner_id text not null references brokerage_sandbox.users (id) on delete cascade,
  -- good, disabled or removed.
  state text not null,
  data jsonb not null,
  created_at timestamptz not null default now()
);
comment on table brokerage_sandbox.authorizations is 'Server only, no policy: sign-ins at simulated brokerages.';
create index authorizations_owner_id on brokerage_sandbox.authorizations (owner_id);
alter table brokerage_sandbox.authorizations enable row level security;

create table brokerage_sandbox.webhook_messages (
  id text primary key,
  type text not null,
  url text not null,
  payload text not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  created_at timestamptz not null default now()
);
comment on table brokerage_sandbox.webhook_messages is 'Server only, no policy: outbox of signed webhooks. A message is deleted when it is delivered or given up.';
create index webhook_messages_due on brokerage_sandbox.webhook_messages (next_attempt_at);
alter table brokerage_sandbox.webhook_messages enable row level security;

create schema pay_sandbox;
comment on schema pay_sandbox is 'Simulated payments for trials and tests.';
grant usage on schema pay_sandbox to service_role;

create table pay_sandbox.objects (
  id text primary key,
  kind text not null,
  customer text,
  -- Orders objects that were created in the same second.
  seq bigint generated always as identity,
  data jsonb not null
);
comment on table pay_sandbox.objects is 'Server only, no policy: customers, sessions, subscriptions, invoices and other objects of the sandbox.';
create index pay_sandbox_objects_of on pay_sandbox.objects (kind, customer, seq);
alter table pay_sandbox.objects enable row level security;

create table pay_sandbox.idempotency_keys (
  key text primary key,
  request_hash bytea not null,
  status integer not null,
  body jsonb not null,
  created_at timestamptz not null default now()
);
comment on table pay_sandbox.idempotency_keys is 'Server only, no policy: the first response of each idempotency key.';
alter table pay_sandbox.idempotency_keys enable row level security;

create table pay_sandbox.secrets (
  name text primary key,
  secret text not null
);
comment on table pay_sandbox.secrets is 'Server only, no policy: API keys of the sandbox.';
alter table pay_sandbox.secrets enable row level security;

create table pay_sandbox.webhook_messages (
  id text primary key,
  type text not null,
  url text not null,
  payload text not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
comment on table pay_sandbox.webhook_messages is 'Server only, no policy: undelivered events of the sandbox.';
create index pay_sandbox_messages_due on pay_sandbox.webhook_messages (next_attempt_at);
alter table pay_sandbox.webhook_messages enable row level security;
