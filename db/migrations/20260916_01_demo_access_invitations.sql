-- One-time sign-in links of the shared demo account, their audit, and which account's data a reset may replace.
-- All three tables are the server's alone.

create table public.demo_access_invitations (
  id uuid primary key default gen_random_uuid(),
  label text not null check (char_length(label) between 1 and 120),
  -- The demo account of the deployment at the time; no foreign key, since the provider owns it.
  idp_user_id text not null,
  -- SHA-256 of the ticket and the provider's id of it; null until the provider has answered, and for good where its answer was lost.
  ticket_hash bytea check (octet_length(ticket_hash) = 32),
  token_id text,
  -- The moment before the provider was asked, and the deadline of the first use, 24 hours later.
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '24 hours',
  used_at timestamptz,
  session_id text unique,
  -- From the request on no session is bound; revoked_at is set when the provider has confirmed.
  revoke_requested_at timestamptz,
  revoked_at timestamptz,
  -- How the ticket and the session are known to be over, so that a retry asks for neither again.
  ticket_settled text check (ticket_settled in ('revoked', 'consumed', 'not_found', 'expired')),
  session_settled text check (session_settled in ('over', 'not_found')),
  -- The provider's last answer about the session, and when it came.
  session_status text,
  session_last_active_at timestamptz,
  session_expires_at timestamptz,
  session_read_at timestamptz,
  -- When the reconciler tries again, and how often it has.
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  constraint demo_access_invitations_ticket check ((ticket_hash is null) = (token_id is null)),
  constraint demo_access_invitations_use check ((used_at is null) = (session_id is null)),
  constraint demo_access_invitations_revocation check (revoked_at is null or revoke_requested_at is not null)
);
comment on table public.demo_access_invitations is
  'Server only, no policy: sign-in links of the demo account, with the hash of the ticket and never the ticket.';
create index demo_access_invitations_newest on public.demo_access_invitations (created_at desc, id desc);
create index demo_access_invitations_due on public.demo_access_invitations (next_attempt_at) where revoked_at is null;
create index demo_access_invitations_account on public.demo_access_invitations (idp_user_id);
alter table public.demo_access_invitations enable row level security;

create table public.demo_access_audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  actor text not null check (actor in ('operator', 'viewer', 'reconciler')),
  -- What was done, such as ticket.create; intent before the provider is asked, its outcome afterwards.
  action text not null,
  outcome text not null check (char_length(outcome) between 1 and 300),
  -- Without a foreign key: entries outlive the invitation.
  invitation_id uuid,
  session_id text,
  request_id text,
  trace_id text
);
comment on table public.demo_access_audit is
  'Server only, no policy: what was done about sign-in links, in its order; by its grants only added to. It names no person and holds no secret.';
create index demo_access_audit_invitation on public.demo_access_audit (invitation_id, id);
-- Before a session is bound it is looked up whether its end has begun.
create index demo_access_audit_session on public.demo_access_audit (session_id) where action = 'session.revoke';
alter table public.demo_access_audit enable row level security;
revoke update, delete on public.demo_access_audit from service_role;

-- A wrong DEMO_ACCOUNT_IDP_USER_ID would name a member, whose portfolio a reset deletes.
-- So an operator confirms an account once, and the daily job replaces none that is not confirmed.
create table public.demo_resets (
  idp_id text primary key references public.all_users (idp_id) on delete cascade,
  confirmed_at timestamptz not null default now()
);
comment on table public.demo_resets is 'Server only, no policy: accounts whose rows the demo data may replace.';
alter table public.demo_resets enable row level security;
revoke update, delete on public.demo_resets from service_role;
