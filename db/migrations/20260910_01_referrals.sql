-- Referrals, and the first connected account that completes one. A member's referral link is in all_users.

create table public.referrals (
  -- Random, so that the referral can stay under it as a pseudonym when one of the two members is deleted.
  id uuid primary key default gen_random_uuid(),
  referred_idp_id text unique references public.all_users (idp_id) on delete set null,
  referrer_idp_id text references public.all_users (idp_id) on delete set null,
  source text not null check (source in ('public', 'webhook', 'operator')),
  status text not null default 'signed_up' check (status in ('signed_up', 'completed')),
  -- When the member signed up and connected a first account, not when these were reported.
  signed_up_at timestamptz not null,
  completed_at timestamptz,
  recorded_at timestamptz(3) not null default now(),
  constraint referrals_of_another check (referrer_idp_id <> referred_idp_id),
  constraint referrals_completion check ((status = 'completed') = (completed_at is not null))
);
comment on table public.referrals is
  'Server only, no policy: one referrer per member. When one of the two is deleted, the row is kept for the other with its id as a pseudonym.';
create index referrals_referrer on public.referrals (referrer_idp_id, signed_up_at);
create index referrals_newest on public.referrals (recorded_at desc, id desc);
alter table public.referrals enable row level security;

create table public.referral_audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  -- Without a foreign key, since entries outlive the referral.
  referral_id uuid not null,
  action text not null check (action in ('attributed', 'replaced')),
  reason text not null check (char_length(reason) between 1 and 300),
  referrer_idp_id text references public.all_users (idp_id) on delete set null,
  previous_referrer_idp_id text references public.all_users (idp_id) on delete set null
);
comment on table public.referral_audit is
  'Server only, no policy: append-only attributions by operators. For a deleted member the pseudonym of the referral is kept.';
create index referral_audit_referrer on public.referral_audit (referrer_idp_id);
create index referral_audit_previous_referrer on public.referral_audit (previous_referrer_idp_id);
alter table public.referral_audit enable row level security;
revoke update, delete on public.referral_audit from service_role;

create table public.first_connections (
  idp_id text primary key references public.all_users (idp_id) on delete cascade,
  kind text not null check (kind in ('bank', 'brokerage')),
  -- Without a foreign key, since the row outlives the connection.
  connection_id uuid not null,
  connected_at timestamptz not null default now()
);
comment on table public.first_connections is
  'Server only, no policy: time of each member''s first connected account, which completes a referral.';
alter table public.first_connections enable row level security;
-- The first connection of a member never changes.
revoke update on public.first_connections from service_role;
