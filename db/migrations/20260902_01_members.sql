-- Members. The identity provider owns the person; a row here is what the rest of the schema refers to.

create table public.all_users (
  idp_id text primary key check (idp_id ~ '^[A-Za-z0-9_-]{1,128}$'),
  email text check (char_length(email) <= 320),
  -- The provider's own clock: an event that arrives late must not undo a newer one.
  idp_updated_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Without characters that look alike: no 0, 1, I, O, l and o.
  referral_link text constraint all_users_referral_link_check check (referral_link ~ '^[2-9A-HJ-NP-Za-kmnp-z]{12}$')
);
comment on table public.all_users is 'One row per member of the identity provider.';
comment on column public.all_users.referral_link is 'What stands for the member in a referral URL; drawn when it is first asked for.';
-- A partial index is no key: drawing a link then takes no lock against new rows that refer to the member.
create unique index all_users_referral_link_key on public.all_users (referral_link) where referral_link is not null;
alter table public.all_users enable row level security;
create policy all_users_read_own on public.all_users for select to authenticated using (idp_id = public.member_id());
grant select on public.all_users to authenticated;

-- What other areas read of the members. Views of this kind run with their reader's rights, so that row-level security holds.
create view public.living_members with (security_invoker = true) as select u.idp_id from public.all_users u;
comment on view public.living_members is 'Identifiers of the members; a deleted one has no row.';
revoke insert, update, delete on public.living_members from service_role;

-- Rows of a deleted member go by foreign keys with "on delete cascade", also those that a concurrent request writes.
create table public.deleted_members (
  idp_id_hash bytea primary key check (octet_length(idp_id_hash) = 32),
  deleted_at timestamptz not null default now()
);
comment on table public.deleted_members is
  'Server only, no policy: SHA-256 of the identifiers of deleted members, so that late events and tokens make none of them again.';
alter table public.deleted_members enable row level security;
revoke update, delete on public.deleted_members from service_role;

-- Makes each webhook delivery count once.
create table public.identity_webhook_deliveries (
  delivery_id text primary key check (char_length(delivery_id) between 1 and 256),
  type text not null,
  received_at timestamptz not null default now()
);
comment on table public.identity_webhook_deliveries is 'Server only, no policy: webhook deliveries that have been handled.';
create index identity_webhook_deliveries_received_at on public.identity_webhook_deliveries (received_at);
alter table public.identity_webhook_deliveries enable row level security;
revoke update on public.identity_webhook_deliveries from service_role;
