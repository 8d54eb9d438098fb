-- API keys for token counting, and the organisations that hold them with their usage tier.
-- A member's organisation is created with the first key. Organisations without an owner belong to the operator.

create table public.organisations (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 120),
  usage_tier smallint not null default 1 check (usage_tier between 1 and 4),
  owner_idp_id text references public.all_users (idp_id) on delete cascade,
  created_at timestamptz not null default now()
);
comment on table public.organisations is 'Server only, no policy: holders of API keys. The usage tier determines their rate limit.';
comment on column public.organisations.owner_idp_id is 'The owner of the organisation. Null if the operator created it.';
-- Two callers at once cannot create two organisations of a member, or two of the operator with one name.
create unique index organisations_owner_idp_id on public.organisations (owner_idp_id) where owner_idp_id is not null;
create unique index organisations_operator_name on public.organisations (name) where owner_idp_id is null;
alter table public.organisations enable row level security;

create table public.api_keys (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null references public.organisations (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 120),
  -- SHA-256 of the key. The key has 256 random bits, so a slow hash would add nothing.
  key_hash bytea not null unique check (octet_length(key_hash) = 32),
  -- The last four characters, by which a person tells keys apart.
  hint text not null check (char_length(hint) = 4),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
comment on table public.api_keys is 'Server only, no policy: hashes of the keys of the token-counting interface.';
create index api_keys_organisation_id on public.api_keys (organisation_id);
alter table public.api_keys enable row level security;

-- A member's API keys end in the transaction that resets or changes the password.
create function public.revoke_api_keys(p_idp_id text) returns void
  language plpgsql set search_path = '' as $$
begin
  update public.api_keys k set revoked_at = now()
    from public.organisations o
   where o.id = k.organisation_id and o.owner_idp_id = p_idp_id and k.revoked_at is null;
end
$$;
