-- Members. The identity provider holds the account, and the rest of the schema refers to a row here.

create table public.all_users (
  idp_id text primary key check (idp_id ~ '^[A-Za-z0-9_-]{1,128}$'),
  email text check (char_length(email) <= 320),
  -- The provider's time of the change, so that an event that arrives late does not undo a newer one.
  idp_updated_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The characters 0, 1, I, O, l and o are left out, since they look alike.
  referral_link text constraint all_users_referral_link_check check (referral_link ~ '^[2-9A-HJ-NP-Za-kmnp-z]{12}$')
);
comment on table public.all_users is 'One row per member of the identity provider.';
comment on column public.all_users.referral_link is 'Random identifier of the member in referral URLs, created on the first request.';
-- The index is partial, so that setting a link does not block new rows whose foreign key refers to the member.
create unique index all_users_referral_link_key on public.all_users (referral_link) where referral_link is not null;
alter table public.all_users enable row level security;
create policy all_users_read_own on public.all_users for select to authenticated using (idp_id = public.member_id());
grant select on public.all_users to authenticated;

-- Other areas read members through this view, which is read-only.
-- Like every view for another area it runs with the reader's rights, so that row-level security holds.
create view public.active_members with (security_invoker = true) as select u.idp_id from public.all_users u;
comment on view public.active_members is 'Identifiers of the members who are not deleted.';
revoke insert, update, delete on public.active_members from service_role;

-- Foreign keys with "on delete cascade" remove a deleted member's rows, including those of concurrent requests.
create table public.deleted_members (
  idp_id_hash bytea primary key check (octet_length(idp_id_hash) = 32),
  deleted_at timestamptz not null default now()
);
comment on table public.deleted_members is
  'Server only, no policy: SHA-256 of the identifiers of deleted members, so that late events and tokens do not create them again.';
alter table public.deleted_members enable row level security;
-- A deletion is never undone.
revoke update, delete on public.deleted_members from service_role;

-- The primary key makes each webhook delivery take effect once.
create table public.identity_webhook_deliveries (
  delivery_id text primary key check (char_length(delivery_id) between 1 and 256),
  type text not null,
  received_at timestamptz not null default now()
);
comment on table public.identity_webhook_deliveries is 'Server only, no policy: webhook deliveries that have been handled.';
create index identity_webhook_deliveries_received_at on public.identity_webhook_deliveries (received_at);
alter table public.identity_webhook_deliveries enable row level security;
-- A delivery is recorded once and later deleted for its age.
revoke update on public.identity_webhook_deliveries from service_role;
