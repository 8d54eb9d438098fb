-- What a member's or a visitor's statement could still reach beside rows: settings, the next transaction on its connection, the
-- database's disk, and the time of others.

-- Claims are a setting, so whoever may change settings says who he is. The logins put role and claims on while they are themselves; as
-- the member nobody calls set_config(). Session locks would outlive the transaction, large objects need no table, temporary ones are
-- objects too. What is taken from everybody is given to the roles that are there, a backup's or a report's; only clients go without.
do $$
declare
  guarded text;
  keeper record;
  -- Only the functions' owner, a superuser, can close them: they come with the server, open to everybody.
  closes_functions boolean := pg_catalog.pg_has_role(
    current_user, (select proowner from pg_catalog.pg_proc where oid = 'pg_catalog.set_config(text, text, boolean)'::regprocedure), 'usage');
begin
  execute format('revoke temporary on database %I from public', current_database());
  if closes_functions then
    select string_agg(oid::regprocedure::text, ', ') into guarded from pg_catalog.pg_proc
     where pronamespace = 'pg_catalog'::regnamespace
       and (proname in ('set_config', 'lo_creat', 'lo_create', 'lo_from_bytea') or proname ~ '^pg_(try_)?advisory_(un)?lock');
    execute format('revoke execute on function %s from public', guarded);
  else
    raise notice 'set_config(), session locks and large objects stay open to clients: docs/runbooks/external-database.md has the statements by which a superuser closes them.';
  end if;
  for keeper in
    select r.rolname as name,
           r.rolname not in ('authenticator', 'service_authenticator', 'service_role', 'pg_database_owner', 'pg_read_all_data') as keeps_temporary,
           r.rolname in ('authenticator', 'pg_read_all_data') as sets_only
      from pg_catalog.pg_roles r
     where not r.rolsuper
       -- Of the server's own roles those by which a migration and a backup run, also of logins that are made later.
       and (r.rolname !~ '^pg_' or r.rolname in ('pg_database_owner', 'pg_read_all_data'))
       -- Clients: our two, whatever they have the rights of, and what else a member's login only puts on.
       and not exists (select from (values ('anon'), ('authenticated')) as client (name) where pg_catalog.pg_has_role(client.name, r.oid, 'member'))
       and (r.rolcanlogin or r.rolname = 'service_role' or not pg_catalog.pg_has_role('authenticator', r.oid, 'member'))
  loop
    begin
      if keeper.keeps_temporary then
        execute format('grant temporary on database %I to %I', current_database(), keeper.name);
      end if;
      if closes_functions then
        execute format('grant execute on function %s to %I', case when keeper.sets_only then 'pg_catalog.set_config(text, text, boolean)' else guarded end, keeper.name);
      end if;
    exception
      when undefined_object then
        null; -- dropped at this moment
    end;
  end loop;
end
$$;

-- Whoever waits for a lock hears so (55P03) while his caller still listens, and a transaction that nobody goes on with gives its locks back.
-- Only the logins that are ours; a role's settings hold for its new sessions.
do $$
declare
  wanted record;
begin
  for wanted in
    select r.rolname, setting.name, setting.value
      from pg_catalog.pg_roles r
      cross join (values ('lock_timeout', '5s'), ('idle_in_transaction_session_timeout', '30s')) as setting (name, value)
     where r.rolname in ('authenticator', 'service_authenticator')
       and pg_catalog.shobj_description(r.oid, 'pg_authid') = 'login of tally'
       and not exists (
         select from pg_catalog.pg_db_role_setting s, unnest(s.setconfig) as config
          where s.setrole = r.oid and s.setdatabase = 0 and config like setting.name || '=%')
  loop
    begin
      execute format('alter role %I set %s = %L', wanted.rolname, wanted.name, wanted.value);
    exception
      when insufficient_privilege then
        raise notice 'The login % waits for locks without end: its owner can set % = %.', wanted.rolname, wanted.name, wanted.value;
      when internal_error or unique_violation then
        null; -- another database of this server was migrated at the same moment
    end;
  end loop;
end
$$;

-- Whoever is under row-level security locks his own list only; the server, which has resolved who the member is, any.
create or replace function public.lock_watchlist(p_idp_id text) returns void
  language plpgsql volatile set search_path = '' as $$
begin
  if row_security_active('public.watchlist_items') and p_idp_id is distinct from (select auth.jwt()) ->> 'sub' then
    raise exception using errcode = 'insufficient_privilege', message = 'a member locks no list but his own';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('watchlist:' || p_idp_id, 0));
end
$$;

-- The default privileges had given the service more than was written beside these tables.
revoke insert, delete on public.plans from service_role;
revoke update on public.identity_webhook_deliveries from service_role;
