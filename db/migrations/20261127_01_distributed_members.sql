-- Lets a cluster store each member on one server: links move to a table of their own, and functions guard rows without a foreign key.

create table public.referral_links (
  idp_id text primary key,
  -- The characters 0, 1, I, O, l and o are left out, since they look alike.
  link text not null unique check (link ~ '^[2-9A-HJ-NP-Za-kmnp-z]{12}$')
);
comment on table public.referral_links is
  'Server only, no policy: random identifier of each member in referral URLs, created on the first request.';
alter table public.referral_links enable row level security;
-- A link never changes.
revoke update on public.referral_links from service_role;
insert into public.referral_links (idp_id, link)
  select u.idp_id, u.referral_link from public.all_users u where u.referral_link is not null;
-- In a block, since a cluster sends the whole text of a query to other servers, which accept only one command.
do $$
begin
  alter table public.all_users drop column referral_link;
  alter table public.referral_links
    add constraint referral_links_idp_id_fkey foreign key (idp_id) references public.all_users (idp_id) on delete cascade;
end
$$;

-- It never waits for a deletion, which may wait for other locks of the caller.
create function public.delay_deletion(p_idp_id text) returns boolean
  language plpgsql volatile set search_path = '' as $$
begin
  if not pg_catalog.pg_try_advisory_xact_lock_shared(pg_catalog.hashtextextended('deletion:' || p_idp_id, 0)) then
    return false;
  end if;
  return not exists (
    select from public.deleted_members d where d.idp_id_hash = pg_catalog.sha256(pg_catalog.convert_to(p_idp_id, 'UTF8')));
end
$$;
comment on function public.delay_deletion(text) is
  'Delays a deletion of the member until the transaction ends. Returns false if the member is deleted, or a deletion has begun.';
-- Members add their assistant tokens themselves.
grant execute on function public.delay_deletion(text) to authenticated;
create policy deleted_members_read_own on public.deleted_members for select to authenticated
  using (idp_id_hash = sha256(convert_to(public.member_id(), 'UTF8')));
grant select on public.deleted_members to authenticated;
comment on table public.deleted_members is
  'SHA-256 of the identifiers of deleted members, so that late events and tokens do not create them again.';

create function public.require_member() returns trigger
  language plpgsql set search_path = '' as $$
declare
  member text := pg_catalog.to_jsonb(new) ->> tg_argv[0];
begin
  -- Like a foreign key, it does not check a value that stays.
  if member is not null and member is distinct from (pg_catalog.to_jsonb(old) ->> tg_argv[0])
    and not public.delay_deletion(member)
  then
    raise foreign_key_violation using
      message = pg_catalog.format('insert or update on table "%s" names a deleted member', tg_table_name),
      detail = pg_catalog.format('Key (%s) is not present in table "all_users".', tg_argv[0]);
  end if;
  return new;
end
$$;
comment on function public.require_member() is
  'Trigger in place of a foreign key to all_users, which a cluster supports only for members'' own tables. Its argument is the column.';

-- Audit entries stay append-only for the service, except that a deleted member is removed from them.
grant update (referrer_idp_id, previous_referrer_idp_id) on public.referral_audit to service_role;
