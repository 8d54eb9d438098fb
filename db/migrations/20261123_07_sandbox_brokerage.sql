-- State of the stand-in of the brokerage aggregator, which is mounted where there are no keys of the real one. Empty elsewhere.
-- Server only: no client role may even use the schema, so no table has a policy. Secrets and tokens are kept as their hash.

create schema brokerage_sandbox;
grant usage on schema brokerage_sandbox to service_role;

create table brokerage_sandbox.people (
  id text primary key,
  secret_hash bytea not null,
  created_at timestamptz not null default now()
);
comment on table brokerage_sandbox.people is 'Server only, no policy: users that were registered, under the names that their registrar chose.';

create table brokerage_sandbox.portals (
  token_hash bytea primary key,
  -- created, open, finished or exited.
  state text not null,
  -- Whose it is, what was chosen, and what the creator asked for.
  data jsonb not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
comment on table brokerage_sandbox.portals is 'Server only, no policy: hosted pages that were asked for.';

create table brokerage_sandbox.authorizations (
  id uuid primary key,
  person text not null references brokerage_sandbox.people (id) on delete cascade,
  -- good, disabled or removed.
  state text not null,
  data jsonb not null,
  created_at timestamptz not null default now()
);
comment on table brokerage_sandbox.authorizations is 'Server only, no policy: sign-ins at brokerages that do not exist.';
create index authorizations_person on brokerage_sandbox.authorizations (person);

create table brokerage_sandbox.webhook_messages (
  id text primary key,
  type text not null,
  url text not null,
  payload text not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  created_at timestamptz not null default now()
);
comment on table brokerage_sandbox.webhook_messages is 'Server only, no policy: outbox of signed webhooks; a message goes once it is delivered or given up.';
create index webhook_messages_due on brokerage_sandbox.webhook_messages (next_attempt_at);

alter table brokerage_sandbox.people enable row level security;
alter table brokerage_sandbox.portals enable row level security;
alter table brokerage_sandbox.authorizations enable row level security;
alter table brokerage_sandbox.webhook_messages enable row level security;

grant select, insert, update, delete on all tables in schema brokerage_sandbox to service_role;
