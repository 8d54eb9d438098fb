-- Who invited whom: each member's link, the referrals, and the fact that a member has connected a first account. Nothing here depends on a later
-- file, and no later file on this one, so that it can also be applied to an installation that has the later ones.
-- Writers of members wait while the unique index is made: 1.3 s for a million of them.

alter table public.all_users
  add column referral_link text
    constraint all_users_referral_link_key unique
    -- Without look-alikes: no 0, 1, I, O, l and o.
    constraint all_users_referral_link_check check (referral_link ~ '^[2-9A-HJ-NP-Za-kmnp-z]{12}$');
comment on column public.all_users.referral_link is 'What stands for the member in a referral URL; drawn when it is first asked for.';

create table public.referrals (
  -- Random: the pseudonym under which a referral stays when one of the two is deleted.
  id uuid primary key default gen_random_uuid(),
  referred_idp_id text unique references public.all_users (idp_id) on delete set null,
  referrer_idp_id text references public.all_users (idp_id) on delete set null,
  source text not null check (source in ('public', 'webhook', 'operator')),
  status text not null default 'signed_up' check (status in ('signed_up', 'completed')),
  -- When the account was made and when its first account was connected, not when we heard of it: the order of arrival changes nothing.
  signed_up_at timestamptz not null,
  completed_at timestamptz,
  recorded_at timestamptz(3) not null default now(),
  constraint referrals_of_another check (referrer_idp_id <> referred_idp_id),
  constraint referrals_completion check ((status = 'completed') = (completed_at is not null))
);
comment on table public.referrals is
  'Server only, no policy: one referrer per member. When one of the two is deleted the row stays for the other, under its id as a pseudonym.';
create index referrals_referrer on public.referrals (referrer_idp_id, signed_up_at);
create index referrals_newest on public.referrals (recorded_at desc, id desc);
alter table public.referrals enable row level security;
revoke all on public.referrals from service_role;
grant select, insert, update, delete on public.referrals to service_role;

create table public.referral_audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  -- The pseudonym of the referral; without a foreign key, since entries outlive it.
  referral_id uuid not null,
  action text not null check (action in ('attributed', 'replaced')),
  reason text not null check (char_length(reason) between 1 and 300),
  referrer_idp_id text references public.all_users (idp_id) on delete set null,
  previous_referrer_idp_id text references public.all_users (idp_id) on delete set null
);
comment on table public.referral_audit is
  'Server only, no policy: attributions by operators, by its grants only added to. Of a deleted member stays the pseudonym of the referral.';
create index referral_audit_referrer on public.referral_audit (referrer_idp_id);
create index referral_audit_previous_referrer on public.referral_audit (previous_referrer_idp_id);
alter table public.referral_audit enable row level security;
revoke all on public.referral_audit from service_role;
grant select, insert on public.referral_audit to service_role;

create table public.first_connections (
  idp_id text primary key references public.all_users (idp_id) on delete cascade,
  kind text not null check (kind in ('bank', 'brokerage')),
  -- Without a foreign key: the fact survives the removal of the connection.
  connection_id uuid not null,
  connected_at timestamptz not null default now()
);
comment on table public.first_connections is
  'Server only, no policy: members who have connected a first account, and when; what completes a referral.';
alter table public.first_connections enable row level security;
revoke all on public.first_connections from service_role;
grant select, insert, delete on public.first_connections to service_role;
