-- State of the stand-in of the bank aggregator, which is mounted where there are no keys of the real one. Empty elsewhere.
-- Server only: no client role may even use the schema, so no table has a policy. Tokens are kept as their hash.

create schema bank_sandbox;
grant usage on schema bank_sandbox to service_role;

create table bank_sandbox.signing_keys (
  kid text primary key,
  public_jwk jsonb not null,
  private_jwk jsonb not null,
  created_at timestamptz not null default now()
);
comment on table bank_sandbox.signing_keys is 'Server only, no policy: keys that sign the stand-in''s webhooks.';
-- There is one key, however many processes start at once.
create unique index signing_keys_one on bank_sandbox.signing_keys ((true));

create table bank_sandbox.link_sessions (
  token_hash bytea primary key,
  -- created, open, finished, exited or expired.
  state text not null,
  -- Who signed in, what was chosen, and what the creator asked for.
  data jsonb not null,
  public_token_hash bytea unique,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
comment on table bank_sandbox.link_sessions is 'Server only, no policy: hosted pages that were asked for.';

create table bank_sandbox.items (
  id text primary key,
  access_token_hash bytea not null unique,
  -- good, login_required or removed.
  state text not null,
  data jsonb not null,
  created_at timestamptz not null default now()
);
comment on table bank_sandbox.items is 'Server only, no policy: sign-ins at banks that do not exist.';

create table bank_sandbox.webhook_messages (
  id text primary key,
  type text not null,
  url text not null,
  payload text not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  created_at timestamptz not null default now()
);
comment on table bank_sandbox.webhook_messages is 'Server only, no policy: outbox of signed webhooks; a message goes once it is delivered or given up.';
create index webhook_messages_due on bank_sandbox.webhook_messages (next_attempt_at);

alter table bank_sandbox.signing_keys enable row level security;
alter table bank_sandbox.link_sessions enable row level security;
alter table bank_sandbox.items enable row level security;
alter table bank_sandbox.webhook_messages enable row level security;

grant select, insert, update, delete on all tables in schema bank_sandbox to service_role;
