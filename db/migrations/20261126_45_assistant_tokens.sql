-- Tokens by which a member's own assistant (an MCP client) reads their data.

create table public.assistant_tokens (
  idp_id text not null references public.all_users (idp_id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 120),
  -- SHA-256 of the token, which stands nowhere. 256 random bits are unique without a rule over the rows of all members.
  token_hash bytea not null check (octet_length(token_hash) = 32),
  hint text not null check (char_length(hint) = 4),
  scopes text[] not null check (cardinality(scopes) between 1 and 2 and scopes <@ array['reports', 'sql']),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null check (isfinite(expires_at)),
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (idp_id, id)
);
comment on table public.assistant_tokens is 'Tokens of members for MCP clients, as hashes; each reads what its scopes name and writes nothing.';
create index assistant_tokens_hash on public.assistant_tokens (token_hash);

alter table public.assistant_tokens enable row level security;
create policy assistant_tokens_read_own on public.assistant_tokens for select to authenticated using (idp_id = public.member_id());
create policy assistant_tokens_add_own on public.assistant_tokens for insert to authenticated with check (idp_id = public.member_id());
create policy assistant_tokens_revoke_own on public.assistant_tokens for update to authenticated
  using (idp_id = public.member_id()) with check (idp_id = public.member_id());
revoke all on public.assistant_tokens from service_role;
-- A member reads no hash, not even their own, and changes nothing but the revocation.
grant select (idp_id, id, name, hint, scopes, created_at, expires_at, last_used_at, revoked_at) on public.assistant_tokens to authenticated;
grant insert (idp_id, name, token_hash, hint, scopes, expires_at) on public.assistant_tokens to authenticated;
grant update (revoked_at) on public.assistant_tokens to authenticated;
grant select, insert, update, delete on public.assistant_tokens to service_role;
