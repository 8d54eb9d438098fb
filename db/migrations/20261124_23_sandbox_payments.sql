-- The stand-in of the payment provider: its objects as its wire shows them, answers by idempotency key, webhooks that wait.

create schema pay_sandbox;
comment on schema pay_sandbox is 'Payments that do not exist, for trying and testing; no real service reads it.';
grant usage on schema pay_sandbox to service_role;

create table pay_sandbox.objects (
  id text primary key,
  kind text not null,
  customer text,
  -- Orders what was made in the same second.
  seq bigint generated always as identity,
  data jsonb not null
);
comment on table pay_sandbox.objects is 'Server only, no policy: the stand-in''s customers, sessions, subscriptions, invoices and so on.';
create index pay_sandbox_objects_of on pay_sandbox.objects (kind, customer, seq);
alter table pay_sandbox.objects enable row level security;
grant select, insert, update, delete on pay_sandbox.objects to service_role;

create table pay_sandbox.idempotency_keys (
  key text primary key,
  request_hash bytea not null,
  status integer not null,
  body jsonb not null,
  created_at timestamptz not null default now()
);
comment on table pay_sandbox.idempotency_keys is 'Server only, no policy: the first answer of each idempotency key.';
alter table pay_sandbox.idempotency_keys enable row level security;
grant select, insert, delete on pay_sandbox.idempotency_keys to service_role;

create table pay_sandbox.secrets (
  name text primary key,
  secret text not null
);
comment on table pay_sandbox.secrets is 'Server only, no policy: the stand-in''s own keys, which open nothing else.';
alter table pay_sandbox.secrets enable row level security;
grant select, insert on pay_sandbox.secrets to service_role;

create table pay_sandbox.webhook_messages (
  id text primary key,
  type text not null,
  url text not null,
  payload text not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
comment on table pay_sandbox.webhook_messages is 'Server only, no policy: events of the stand-in that wait to be delivered.';
create index pay_sandbox_messages_due on pay_sandbox.webhook_messages (next_attempt_at);
alter table pay_sandbox.webhook_messages enable row level security;
grant select, insert, update, delete on pay_sandbox.webhook_messages to service_role;
