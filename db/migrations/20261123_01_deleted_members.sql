-- A member whom the identity provider deleted leaves a hash and a time, and no row: what they owned goes with them, and late news makes them
-- no second time. A foreign key with "on delete cascade" on every table of members' rows takes what a request of theirs wrote meanwhile.
-- Reads captured events twice, 1.4 s per million, while their writers wait (docs/runbooks/large-migrations.md).

create table public.deleted_members (
  idp_id_hash bytea primary key check (octet_length(idp_id_hash) = 32),
  deleted_at timestamptz not null default now()
);
comment on table public.deleted_members is
  'Server only, no policy: SHA-256 of the identifiers of deleted members, so that late events and tokens make none of them again.';
alter table public.deleted_members enable row level security;
revoke all on public.deleted_members from service_role;
grant select, insert on public.deleted_members to service_role;

-- Until now the row itself stayed, without its address.
insert into public.deleted_members (idp_id_hash, deleted_at)
  select sha256(convert_to(u.idp_id, 'UTF8')), u.deleted_at from public.all_users u where u.deleted_at is not null;
delete from public.organisations o using public.all_users u where u.idp_id = o.owner_idp_id and u.deleted_at is not null;
delete from public.all_users where deleted_at is not null;

alter table public.organisations
  drop constraint organisations_owner_idp_id_fkey,
  add constraint organisations_owner_idp_id_fkey foreign key (owner_idp_id) references public.all_users (idp_id) on delete cascade;
delete from public.analytics_events e where not exists (select from public.all_users u where u.idp_id = e.idp_id);
alter table public.analytics_events add foreign key (idp_id) references public.all_users (idp_id) on delete cascade;

create or replace view public.living_members with (security_invoker = true) as select u.idp_id from public.all_users u;
comment on view public.living_members is 'Identifiers of the members; a deleted one has no row.';
alter table public.all_users drop column deleted_at;
