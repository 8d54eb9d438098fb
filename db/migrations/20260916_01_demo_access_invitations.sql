-- One-time sign-in links of the shared demo account, their audit log, and the account whose data a reset may replace.

create table public.demo_access_invitations (
  id uuid primary key default gen_random_uuid(),
  label text not null check (char_length(label) between 1 and 120),
  -- The demo account that was configured then. Without a foreign key, since the identity provider owns the account.
  idp_user_id text not null,
  -- SHA-256 of the ticket and the provider's id of it. Both stay null where the provider's answer was lost.
  ticket_hash bytea check (octet_length(ticket_hash) = 32),
  token_id text,
  -- The time before the request to the provider, and the expiry of the link.
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '24 hours',
  used_at timestamptz,
  session_id text unique,
  -- No session is bound after the request. revoked_at is set once the provider has confirmed.
  revoke_requested_at timestamptz,
  revoked_at timestamptz,
  -- Why ticket and session are known to have ended, so that a retry does not request them again.
  ticket_outcome text check (ticket_outcome in ('revoked', 'consumed', 'not_found', 'expired')),
  session_outcome text check (session_outcome in ('over', 'not_found')),
  -- The provider's last response about the session, with its time.
  session_status text,
  session_last_active_at timestamptz,
  session_expires_at timestamptz,
  session_read_at timestamptz,
  -- How often the reconciler has tried, and when it tries again.
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  constraint demo_access_invitations_ticket check ((ticket_hash is null) = (token_id is null)),
  constraint demo_access_invitations_use check ((used_at is null) = (session_id is null)),
  constraint demo_access_invitations_revocation check (revoked_at is null or revoke_requested_at is not null)
);
comment on table public.demo_access_invitations is
  'Server only, no policy: sign-in links of the demo account, with the hash of the ticket instead of the ticket.';
create index demo_access_invitations_newest on public.demo_access_invitations (created_at desc, id desc);
create index demo_access_invitations_due on public.demo_access_invitations (next_attempt_at) where revoked_at is null;
create index demo_access_invitations_account on public.demo_access_invitations (idp_user_id);
alter table public.demo_access_invitations enable row level security;

create table public.demo_access_audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  actor text not null check (actor in ('operator', 'viewer', 'reconciler')),
  -- Such as ticket.create. One entry is written before the request to the provider, and one with the outcome.
  action text not null,
  outcome text not null check (char_length(outcome) between 1 and 300),
  -- Without a foreign key, since entries outlive the invitation.
  invitation_id uuid,
  session_id text,
  request_id text,
  trace_id text
);
comment on table public.demo_access_audit is
  'Server only, no policy: append-only log of operations on sign-in links. It contains no personal data and no secret.';
create index demo_access_audit_invitation on public.demo_access_audit (invitation_id, id);
-- A session is bound only if its revocation has not begun, which this index shows.
create index demo_access_audit_session on public.demo_access_audit (session_id) where action = 'session.revoke';
alter table public.demo_access_audit enable row level security;
revoke update, delete on public.demo_access_audit from service_role;

-- A wrong DEMO_ACCOUNT_IDP_USER_ID could name a member, whose portfolio a reset would delete.
-- The daily reset therefore replaces data of accounts alone that an operator has confirmed once.
create table public.demo_resets (
  idp_id text primary key references public.all_users (idp_id) on delete cascade,
  confirmed_at timestamptz not null default now()
);
comment on table public.demo_resets is 'Server only, no policy: accounts whose rows the demo data may replace.';
alter table public.demo_resets enable row level security;
-- A confirmation is neither changed nor withdrawn.
revoke update, delete on public.demo_resets from service_role;
