-- State of the embedded identity provider. The tables are empty where a hosted provider is configured.
-- No client role may use the schema, so no table has a policy.

create schema idp;
grant usage on schema idp to service_role;

create table idp.signing_keys (
  kid text primary key,
  public_jwk jsonb not null,
  private_jwk jsonb not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz
);
comment on table idp.signing_keys is 'Server only, no policy: keys of session tokens and tickets. The oldest identifies the instance.';
-- At most one key signs, however many processes start at once.
create unique index signing_keys_one_current on idp.signing_keys ((true)) where retired_at is null;
alter table idp.signing_keys enable row level security;

create table idp.users (
  id text primary key,
  email text not null,
  email_address_id text not null unique,
  -- Set when a link that was sent to the address was opened.
  email_verified_at timestamptz,
  -- An address that replaces the other once its link was opened.
  new_email text,
  new_email_id text unique,
  -- A PHC string, or null where the account has no password.
  password_hash text,
  password_updated_at timestamptz,
  first_name text,
  last_name text,
  public_metadata jsonb not null default '{}',
  private_metadata jsonb not null default '{}',
  unsafe_metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_sign_in_at timestamptz,
  last_active_at timestamptz
);
comment on table idp.users is 'Server only, no policy: users with their password hash.';
create unique index users_email on idp.users (lower(email));
create index users_created_at on idp.users (created_at);
alter table idp.users enable row level security;

create table idp.clients (
  id text primary key,
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table idp.clients is 'Server only, no policy: browsers, identified by the hash of their cookie.';
alter table idp.clients enable row level security;

create table idp.sessions (
  id text primary key,
  client_id text not null references idp.clients (id) on delete cascade,
  user_id text not null references idp.users (id) on delete cascade,
  status text not null default 'active' check (status in ('active', 'ended', 'removed', 'replaced', 'revoked')),
  ip_address text,
  user_agent text,
  last_active_at timestamptz not null default now(),
  -- Set when the session begins. A session counts as expired afterwards, although its status stays active.
  expire_at timestamptz not null,
  -- Set when the user entered all credentials again, which changes of credentials require.
  reauthenticated_at timestamptz,
  -- Set when a user with a second factor entered the password again. The second factor must follow.
  first_factor_at timestamptz,
  -- Set when the user proved the second factor, at the sign-in or again.
  second_factor_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table idp.sessions is 'Server only, no policy: sign-in sessions.';
create index sessions_client_id on idp.sessions (client_id);
create index sessions_user_id on idp.sessions (user_id, created_at desc);
alter table idp.sessions enable row level security;

-- Failed passwords are counted apart for each of these browsers, so that guesses from elsewhere do not lock it out.
create table idp.known_devices (
  client_id text not null references idp.clients (id) on delete cascade,
  user_id text not null references idp.users (id) on delete cascade,
  signed_in_at timestamptz not null default now(),
  primary key (client_id, user_id)
);
comment on table idp.known_devices is 'Server only, no policy: browsers and the accounts that they have signed in to.';
create index known_devices_user_id on idp.known_devices (user_id);
alter table idp.known_devices enable row level security;

-- The secret is plain: whoever can read it can also read the signing keys, which open every session.
create table idp.totp_factors (
  user_id text primary key references idp.users (id) on delete cascade,
  id text not null unique,
  secret text not null,
  -- Set once a code of the authenticator app was entered. Until then the factor is off.
  verified_at timestamptz,
  -- The time step of the last accepted code. Earlier codes are void, so that no code works twice.
  last_used_step bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table idp.totp_factors is 'Server only, no policy: secrets of authenticator apps, the second factor.';
alter table idp.totp_factors enable row level security;

create table idp.recovery_codes (
  user_id text not null references idp.users (id) on delete cascade,
  code_hash bytea not null,
  created_at timestamptz not null default now(),
  primary key (user_id, code_hash)
);
comment on table idp.recovery_codes is 'Server only, no policy: unused recovery codes, which stand in for the second factor once.';
alter table idp.recovery_codes enable row level security;

create table idp.pending_sign_ins (
  id text primary key,
  client_id text not null references idp.clients (id) on delete cascade,
  user_id text not null references idp.users (id) on delete cascade,
  -- Codes that were entered, right or wrong.
  attempts integer not null default 0,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
comment on table idp.pending_sign_ins is 'Server only, no policy: sign-ins after the password and before the second factor.';
create index pending_sign_ins_client_id on idp.pending_sign_ins (client_id);
create index pending_sign_ins_user_id on idp.pending_sign_ins (user_id);
alter table idp.pending_sign_ins enable row level security;

create table idp.sign_in_tokens (
  id text primary key,
  user_id text not null references idp.users (id) on delete cascade,
  status text not null default 'pending' check (status in ('pending', 'accepted', 'revoked')),
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table idp.sign_in_tokens is 'Server only, no policy: states of tickets. The ticket itself is not stored.';
create index sign_in_tokens_user_id on idp.sign_in_tokens (user_id);
alter table idp.sign_in_tokens enable row level security;

create table idp.one_time_links (
  id text primary key,
  user_id text not null references idp.users (id) on delete cascade,
  purpose text not null check (purpose in ('reset_password', 'verify_email', 'change_email')),
  -- The address that the link concerns. The link is void once the user has another one.
  email text not null,
  code_hash bytea not null,
  -- The sign-in and the browser in which the code was entered. Only they may set the new password.
  sign_in_id text,
  client_id text references idp.clients (id) on delete set null,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
comment on table idp.one_time_links is 'Server only, no policy: links that set a password or verify an address, with the hash of their code.';
create index one_time_links_user_id on idp.one_time_links (user_id);
create index one_time_links_client_id on idp.one_time_links (client_id);
alter table idp.one_time_links enable row level security;

create table idp.passkeys (
  id text primary key,
  user_id text not null references idp.users (id) on delete cascade,
  name text not null,
  -- The authenticator's identifier of the credential, in base64url.
  credential_id text not null unique,
  -- A COSE key.
  public_key bytea not null,
  -- The authenticator's count of uses, or 0 where it does not count.
  counter bigint not null,
  transports text[] not null,
  -- Whether the passkey is synchronized between devices.
  backed_up boolean not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_used_at timestamptz
);
comment on table idp.passkeys is 'Server only, no policy: passkeys of users with their public keys.';
create index passkeys_user_id on idp.passkeys (user_id, created_at);
alter table idp.passkeys enable row level security;

-- A challenge is deleted at its first use.
create table idp.passkey_challenges (
  -- Id of the sign-in attempt, of the new passkey, or of the session that is confirmed again.
  id text primary key,
  purpose text not null check (purpose in ('registration', 'sign_in', 'reverification')),
  challenge text not null,
  session_id text references idp.sessions (id) on delete cascade,
  -- Hash of a cookie that identifies a browser without a session.
  browser_hash bytea,
  expires_at timestamptz not null,
  check (case purpose when 'sign_in' then session_id is null and browser_hash is not null
                      else session_id is not null and browser_hash is null end)
);
comment on table idp.passkey_challenges is 'Server only, no policy: challenges that an authenticator signs, each bound to a browser.';
create index passkey_challenges_session_id on idp.passkey_challenges (session_id);
alter table idp.passkey_challenges enable row level security;

create table idp.invitations (
  id text primary key,
  -- The only address that may sign up with the invitation, or null for any. Removed at the sign-up.
  email text,
  code_hash bytea not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
comment on table idp.invitations is 'Server only, no policy: invitations to sign up, with the hash of their code.';
alter table idp.invitations enable row level security;

create table idp.webhook_messages (
  id text primary key,
  type text not null,
  payload text not null,
  attempts integer not null default 0,
  -- Null once the message was delivered or given up.
  next_attempt_at timestamptz default now(),
  delivered_at timestamptz,
  last_status integer,
  last_error text,
  created_at timestamptz not null default now()
);
comment on table idp.webhook_messages is 'Server only, no policy: outbox of signed webhooks.';
create index webhook_messages_due on idp.webhook_messages (next_attempt_at) where next_attempt_at is not null;
alter table idp.webhook_messages enable row level security;
