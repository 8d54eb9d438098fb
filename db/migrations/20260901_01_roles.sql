-- The roles that every statement runs under, as on Supabase, and what they may do by default: nothing, save for the service.
-- Roles belong to the whole server, so each is made only where it is missing and never altered afterwards.
-- The comment marks the logins that are ours: their passwords are set from the settings, those of others never.

do $$
declare
  wanted record;
begin
  for wanted in
    select * from (values
      ('anon',                  'nologin noinherit',           null),
      ('authenticated',         'nologin noinherit',           null),
      ('service_role',          'nologin noinherit bypassrls', null),
      ('authenticator',         'login noinherit',             '8s'),
      ('service_authenticator', 'login noinherit',             '60s')
    ) as list (name, attributes, statement_timeout)
  loop
    continue when exists (select from pg_catalog.pg_roles where rolname = wanted.name);
    begin
      execute format('create role %I %s', wanted.name, wanted.attributes);
      if wanted.statement_timeout is not null then
        execute format('alter role %I set statement_timeout = %L', wanted.name, wanted.statement_timeout);
        execute format('comment on role %I is %L', wanted.name, 'login of tally');
      end if;
    exception when duplicate_object or unique_violation then
      null; -- another database of this server was migrated at the same moment
    end;
  end loop;

  if not pg_catalog.pg_has_role('authenticator', 'anon', 'member') then
    grant anon to authenticator;
  end if;
  if not pg_catalog.pg_has_role('authenticator', 'authenticated', 'member') then
    grant authenticated to authenticator;
  end if;
  if not pg_catalog.pg_has_role('service_authenticator', 'service_role', 'member') then
    grant service_role to service_authenticator;
  end if;
  -- Its sessions begin as service_role, so that a lone statement needs no transaction to put the role on.
  if not exists (
    select from pg_catalog.pg_db_role_setting
    where setrole = 'service_authenticator'::regrole and 'role=service_role' = any (setconfig)
  ) then
    alter role service_authenticator set role = 'service_role';
  end if;
end
$$;

revoke create on schema public from public;
grant usage on schema public to anon, authenticated, service_role;

-- What this login makes later: its rows for the service, nothing for clients until a migration grants it by name.
-- Without a schema, since a default of one schema cannot take back what PUBLIC gets everywhere.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke all on tables from anon, authenticated;
alter default privileges in schema public revoke all on sequences from anon, authenticated;
alter default privileges in schema public revoke all on functions from anon, authenticated;
alter default privileges grant select, insert, update, delete on tables to service_role;
alter default privileges grant usage, select on sequences to service_role;
alter default privileges grant execute on functions to service_role;

do $$
begin
  if to_regprocedure('auth.jwt()') is null then
    create schema if not exists auth;
    grant usage on schema auth to anon, authenticated, service_role;
    create function auth.jwt() returns jsonb
      language sql stable
      set search_path = ''
      return coalesce(
        nullif(current_setting('request.jwt.claim', true), ''),
        nullif(current_setting('request.jwt.claims', true), '')
      )::jsonb;
    grant execute on function auth.jwt() to anon, authenticated, service_role;
    comment on function auth.jwt() is 'Claims of the member in whose name the transaction runs; null outside one.';
  end if;
end
$$;

-- The ledger of migrations (made by the runner): the service may see what is applied, for readiness, and no more.
grant usage on schema tally to service_role;
revoke all on tally.migrations from service_role;
grant select on tally.migrations to service_role;
