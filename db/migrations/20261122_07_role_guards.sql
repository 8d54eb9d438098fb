-- What a member's or a visitor's statement could still reach beside rows: settings, the next transaction on its connection, the
-- database's disk, and the time of others.

-- Claims are a setting, so whoever may change settings says who he is. The logins put role and claims on while they are themselves; as
-- the member nobody calls set_config(). Session locks would outlive the transaction, large objects need no table.
do $$
declare
  guarded regprocedure;
  keeper name;
begin
  -- They come with the server, open to everybody, and only their owner (a superuser) can change that.
  if not pg_catalog.pg_has_role(current_user, (select proowner from pg_catalog.pg_proc where oid = 'pg_catalog.set_config(text, text, boolean)'::regprocedure), 'usage') then
    raise notice 'set_config(), session locks and large objects stay open to clients: a superuser can close them.';
    return;
  end if;
  for guarded in
    select oid from pg_catalog.pg_proc
     where pronamespace = 'pg_catalog'::regnamespace
       and (proname in ('set_config', 'lo_creat', 'lo_create', 'lo_from_bytea') or proname ~ '^pg_(try_)?advisory_(un)?lock')
  loop
    execute format('revoke execute on function %s from public', guarded);
    -- Whoever may become one of our roles, by whatever name it logs in, and the database's owner, who migrates under a session lock.
    for keeper in
      select r.rolname from pg_catalog.pg_roles r
       where not r.rolsuper and r.rolname not in ('anon', 'authenticated')
         and (r.rolname = 'pg_database_owner' or pg_catalog.pg_has_role(r.oid, 'service_role', 'member')
           or (guarded = 'pg_catalog.set_config(text, text, boolean)'::regprocedure and pg_catalog.pg_has_role(r.oid, 'authenticated', 'member')))
    loop
      execute format('grant execute on function %s to %I', guarded, keeper);
    end loop;
  end loop;
end
$$;

-- Temporary tables and functions are objects too. The owner keeps the right.
do $$
begin
  execute format('revoke temporary on database %I from public', current_database());
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
