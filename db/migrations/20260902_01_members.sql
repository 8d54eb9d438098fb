-- Members as this service knows them, and the inbox that makes each webhook delivery count once.
-- The identity provider owns the person; a row here is what the rest of the schema points at.

create table public.all_users (
  idp_id text primary key check (idp_id ~ '^[A-Za-z0-9_-]{1,128}$'),
  email text check (char_length(email) <= 320),
  -- The provider's own clock: an event that was overtaken on its way must not undo a newer one.
  idp_updated_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The row stays as a tombstone, without the address: others point at it, and a late event must not revive it.
  deleted_at timestamptz,
  check (deleted_at is null or email is null)
);

comment on table public.all_users is 'One row per member of the identity provider.';

alter table public.all_users enable row level security;

create policy all_users_read_own on public.all_users
  for select to authenticated
  using (idp_id = ((select auth.jwt()) ->> 'sub'));

grant select on public.all_users to authenticated;
grant select, insert, update, delete on public.all_users to service_role;

create table public.identity_webhook_deliveries (
  delivery_id text primary key check (char_length(delivery_id) between 1 and 256),
  type text not null,
  received_at timestamptz not null default now()
);

comment on table public.identity_webhook_deliveries is 'Server only, no policy: webhook deliveries that have been handled.';

create index identity_webhook_deliveries_received_at on public.identity_webhook_deliveries (received_at);

alter table public.identity_webhook_deliveries enable row level security;

grant select, insert, delete on public.identity_webhook_deliveries to service_role;
