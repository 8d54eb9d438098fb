-- Connections to banks and brokerages through an aggregator. Accounts and holdings are in the next migration.
-- The service encrypts what "sealed" columns hold, with keys that the database never sees (docs/explanation/connections.md).

create table public.connections (
  idp_id text not null references public.all_users (idp_id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('bank', 'brokerage')),
  provider text not null,
  -- The aggregator's identifier of the connection.
  external_id text not null,
  institution_id text,
  institution text not null check (char_length(institution) between 1 and 200),
  status text not null default 'active' check (status in ('active', 'login_required', 'expiring', 'revoked')),
  connected_at timestamptz not null default now(),
  -- When accounts and holdings were last read completely, and when reading was last tried.
  synced_at timestamptz,
  sync_attempted_at timestamptz not null default now(),
  -- When the member last asked for a refresh, which limits how often they can.
  refresh_requested_at timestamptz,
  primary key (idp_id, id),
  unique (idp_id, id, kind),
  unique (idp_id, provider, external_id)
);
comment on table public.connections is 'A member''s access to an institution through an aggregator.';
create index connections_id on public.connections (id);
create index connections_external on public.connections (provider, external_id);
create index connections_sync_attempted_at on public.connections (sync_attempted_at);
alter table public.connections enable row level security;
create policy connections_read_own on public.connections for select to authenticated using (idp_id = public.member_id());
grant select on public.connections to authenticated;

create table public.connection_secrets (
  idp_id text not null,
  connection_id uuid not null,
  sealed bytea not null,
  primary key (idp_id, connection_id),
  foreign key (idp_id, connection_id) references public.connections (idp_id, id) on delete cascade
);
comment on table public.connection_secrets is 'Server only, no policy: the encrypted access token of each connection.';
alter table public.connection_secrets enable row level security;

create table public.connection_attempts (
  idp_id text not null references public.all_users (idp_id) on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('bank', 'brokerage')),
  provider text not null,
  -- The existing connection that the attempt signs in to again, or null for a new one.
  reauthenticates_id uuid,
  -- The aggregator's reference of the attempt, encrypted, and its SHA-256, by which a webhook finds the attempt.
  sealed_reference bytea not null,
  reference_hash bytea not null check (octet_length(reference_hash) = 32),
  -- The credential is stored before the connection exists, so that a crash in between does not lose it.
  external_id text,
  sealed_credential bytea,
  state text not null default 'open' check (state in ('open', 'connected', 'abandoned', 'failed', 'duplicate')),
  code text,
  -- Without a foreign key, since the connection may be removed.
  connection_id uuid,
  -- The start of the lease of the process that finishes the attempt.
  claimed_at timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (idp_id, id),
  foreign key (idp_id, reauthenticates_id) references public.connections (idp_id, id) on delete cascade,
  constraint connection_attempts_credential check ((external_id is null) = (sealed_credential is null))
);
comment on table public.connection_attempts is 'Server only, no policy: attempts to connect an account, with their outcome.';
create index connection_attempts_reauthenticates_id on public.connection_attempts (idp_id, reauthenticates_id);
create index connection_attempts_id on public.connection_attempts (id);
create index connection_attempts_reference on public.connection_attempts (reference_hash);
create index connection_attempts_open on public.connection_attempts (created_at) where state = 'open';
alter table public.connection_attempts enable row level security;

create table public.aggregator_deliveries (
  provider text not null,
  id text not null,
  received_at timestamptz not null default now(),
  primary key (provider, id)
);
comment on table public.aggregator_deliveries is 'Server only, no policy: processed webhooks of the last 30 days.';
create index aggregator_deliveries_received_at on public.aggregator_deliveries (received_at);
alter table public.aggregator_deliveries enable row level security;
-- A delivery is recorded once and later deleted for its age.
revoke update on public.aggregator_deliveries from service_role;

create table public.connection_revocations (
  id uuid primary key,
  provider text not null,
  sealed bytea not null,
  created_at timestamptz not null default now()
);
comment on table public.connection_revocations is
  'Server only, no policy: access that the aggregator must revoke. Rows contain no member, since they are kept after the member is deleted.';
alter table public.connection_revocations enable row level security;

-- The brokerage aggregator requires a user of its own for each member.
create table public.brokerage_users (
  idp_id text primary key references public.all_users (idp_id) on delete cascade,
  -- The member's random user id at the aggregator, stored before the request. A second try takes a new one.
  external_id uuid not null,
  -- The aggregator returns the secret only once. Null while the request is under way.
  sealed_secret bytea,
  registration_started_at timestamptz not null default now()
);
comment on table public.brokerage_users is 'Server only, no policy: user ids and encrypted secrets of members at the brokerage aggregator.';
create index brokerage_users_external on public.brokerage_users (external_id);
alter table public.brokerage_users enable row level security;
