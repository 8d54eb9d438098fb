-- Moves referral links back from a table of their own to their column of public.all_users.

-- In blocks, since a cluster sends the whole text of a query to other servers, which accept only one command.
do $$
begin
  -- A cluster then uses one connection to each server. One PostgreSQL ignores it.
  set local citus.multi_shard_modify_mode to 'sequential';
  alter table public.all_users add column referral_link text;
  -- The characters 0, 1, I, O, l and o are left out, since they look alike.
  alter table public.all_users add constraint all_users_referral_link_check
    check (referral_link ~ '^[2-9A-HJ-NP-Za-kmnp-z]{12}$');
  comment on column public.all_users.referral_link is
    'Random identifier of the member in referral URLs, created on the first request.';
end
$$;
do $$
declare
  moved record;
begin
  -- One by one, since a cluster changes members' rows only by a named member.
  for moved in select l.idp_id, l.link from public.referral_links l loop
    update public.all_users set referral_link = moved.link where idp_id = moved.idp_id;
  end loop;
end
$$;
drop table public.referral_links;
do $$
begin
  -- The index is partial, so that setting a link does not block new rows whose foreign key refers to the member.
  create unique index all_users_referral_link_key on public.all_users (referral_link) where referral_link is not null;
exception when feature_not_supported then
  -- The table is distributed. Then `tally migrate --distribute` creates a table of the links, which keeps them unique.
  create index all_users_referral_link_key on public.all_users (referral_link) where referral_link is not null;
end
$$;

-- A link never changes: the service sets it by this function only.
revoke update on public.all_users from service_role;
grant update (email, idp_updated_at, created_at, updated_at) on public.all_users to service_role;
create function public.set_referral_link(p_idp_id text, p_link text) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  update public.all_users set referral_link = p_link where idp_id = p_idp_id and referral_link is null;
  if found and pg_catalog.to_regclass('tally.referral_links') is not null then
    insert into tally.referral_links (link) values (p_link);
  end if;
end
$$;
comment on function public.set_referral_link(text, text) is
  'Sets the link of a member who has none. Raises unique_violation if it is another member''s.';
