-- The roles that every statement runs as, named as on Supabase, and their default rights.
-- Roles belong to the whole server, so each is created only where it is missing.
-- The comment "login of tally" marks the logins created here. `tally migrate` sets the passwords of these alone.

do $$
declare
  role_spec record;
  grant_spec record;
begin
  for role_spec in
    select * from (values
      ('anon',                    'nologin noinherit',                    null),
      ('authenticated',           'nologin noinherit',                    null),
      ('service_role',            'nologin noinherit bypassrls',          null),
      ('assistant',               'nologin noinherit',                    null),
      ('authenticator',           'login noinherit',                      '8s'),
      ('service_authenticator',   'login noinherit',                      '60s'),
      ('assistant_authenticator', 'login noinherit connection limit 20',  '2500ms')
    ) as list (name, attributes, statement_timeout)
  loop
    continue when exists (select from pg_catalog.pg_roles where rolname = role_spec.name);
    begin
      execute format('create role %I %s', role_spec.name, role_spec.attributes);
      if role_spec.statement_timeout is not null then
        execute format('alter role %I set statement_timeout = %L', role_spec.name, role_spec.statement_timeout);
        execute format('comment on role %I is %L', role_spec.name, 'login of tally');
      end if;
    exception
      when duplicate_object or unique_violation then
        null; -- another database of this server was migrated at the same moment
      when insufficient_privilege then
        raise exception using errcode = 'insufficient_privilege',
          message = format('the role %I is missing and this owner may make none', role_spec.name),
          hint = 'an administrator creates it with deploy/postgresql/roles.sql (docs/how-to/external-database.md).';
    end;
  end loop;

  for grant_spec in
    select * from (values
      ('authenticator', 'anon'), ('authenticator', 'authenticated'),
      ('service_authenticator', 'service_role'), ('assistant_authenticator', 'assistant'),
      -- For a member's change and the service's event in one transaction.
      ('service_authenticator', 'authenticated')
    ) as list (login, role)
  loop
    if not pg_catalog.pg_has_role(grant_spec.login, grant_spec.role, 'member') then
      execute format('grant %I to %I', grant_spec.role, grant_spec.login);
    end if;
  end loop;

  -- Sessions of this login begin as service_role, so that a statement needs no transaction to set the role.
  if not exists (
    select from pg_catalog.pg_db_role_setting
    where setrole = 'service_authenticator'::regrole and 'role=service_role' = any (setconfig)
  ) then
    alter role service_authenticator set role = 'service_role';
  end if;
end
$$;

-- Limits how long the two logins of the service wait for a lock, and how long an idle transaction stays open.
-- Only logins created above get these limits, and each keeps a value that it has already.
do $$
declare
  timeout_spec record;
begin
  for timeout_spec in
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
      execute format('alter role %I set %s = %L', timeout_spec.rolname, timeout_spec.name, timeout_spec.value);
    exception
      when insufficient_privilege then
        raise notice 'The login % waits for locks without a limit: its owner can set % = %.', timeout_spec.rolname, timeout_spec.name, timeout_spec.value;
      when internal_error or unique_violation then
        null; -- another database of this server was migrated at the same moment
    end;
  end loop;
end
$$;

-- The login that runs members' own SQL is read-only, and limited in time, memory and disk.
-- The four log settings keep its statements and their values out of the server's log.
-- Only a superuser may set some of these, so a notice names each one that was left out.
do $$
declare
  limit_spec record;
  missing_limits text[] := '{}';
  missing_log_settings text[] := '{}';
begin
  for limit_spec in
    select * from (values
      ('default_transaction_read_only', 'on', false), ('statement_timeout', '2500ms', false),
      ('transaction_timeout', '3s', false), ('lock_timeout', '1s', false),
      ('idle_in_transaction_session_timeout', '6s', false), ('work_mem', '4MB', false),
      ('hash_mem_multiplier', '1', false), ('temp_file_limit', '64MB', false),
      ('max_parallel_workers_per_gather', '0', false), ('jit', 'off', false),
      ('search_path', 'assistant, pg_catalog', false),
      ('log_min_messages', 'fatal', true), ('log_min_error_statement', 'panic', true),
      ('log_error_verbosity', 'terse', true), ('track_activities', 'off', true)
    ) as list (name, value, is_log)
  loop
    continue when not exists (select from pg_catalog.pg_settings where name = limit_spec.name)
      or exists (select from pg_catalog.pg_db_role_setting s, unnest(s.setconfig) as config
                  where s.setrole = 'assistant_authenticator'::regrole and s.setdatabase = 0 and config like limit_spec.name || '=%');
    begin
      if limit_spec.name = 'search_path' then
        alter role assistant_authenticator set search_path = assistant, pg_catalog;
      else
        execute format('alter role assistant_authenticator set %s = %L', limit_spec.name, limit_spec.value);
      end if;
    exception
      when insufficient_privilege then
        if limit_spec.is_log then
          missing_log_settings := missing_log_settings || format('%s = %s', limit_spec.name, limit_spec.value);
        else
          missing_limits := missing_limits || format('%s = %s', limit_spec.name, limit_spec.value);
        end if;
      when internal_error or unique_violation then
        null; -- another database of this server was migrated at the same moment
    end;
  end loop;
  if missing_limits <> '{}' then
    raise notice 'The login assistant_authenticator lacks %: see docs/how-to/external-database.md.', array_to_string(missing_limits, ', ');
  end if;
  if missing_log_settings <> '{}' then
    raise notice 'Members'' own SQL may appear in the database''s log: the login assistant_authenticator lacks %, which a superuser sets; see docs/how-to/external-database.md.', array_to_string(missing_log_settings, ', ');
  end if;
end
$$;

-- Only the owner creates objects, and every role may name those that it has rights on.
revoke create on schema public from public;
grant usage on schema public to anon, authenticated, service_role;

-- By default service_role may use every table and function that a migration creates, and no other role may.
-- Later migrations grant rights to clients by name, and revoke from service_role what it must not do.
-- The revoke from PUBLIC names no schema, since a default of one schema cannot take back a default of all.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke all on tables from anon, authenticated;
alter default privileges in schema public revoke all on sequences from anon, authenticated;
alter default privileges in schema public revoke all on functions from anon, authenticated;
alter default privileges grant select, insert, update, delete on tables to service_role;
alter default privileges grant usage, select on sequences to service_role;
alter default privileges grant execute on functions to service_role;

-- Supabase has this function already, so it is created only where it is missing.
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
    comment on function auth.jwt() is 'Claims of the member for whom the transaction runs. Null outside such a transaction.';
  end if;
end
$$;

-- Policies compare a row's owner with this function, since Citus rejects subqueries in policies.
-- It sets no search path, so that the planner can inline it. Names are resolved when it is created.
-- The setting with the one claim is read first, since parsing all claims takes three times as long.
create function public.member_id() returns text
  language sql stable
  return coalesce(
    nullif(pg_catalog.current_setting('request.jwt.claim.sub', true), ''),
    nullif(pg_catalog.current_setting('request.jwt.claims', true), '')::pg_catalog.jsonb ->> 'sub');
comment on function public.member_id() is 'The member for whom the transaction runs. Null outside such a transaction.';
grant execute on function public.member_id() to authenticated, assistant;

-- `tally migrate` creates and writes the table of applied migrations. The readiness check reads it.
grant usage on schema tally to service_role;
revoke all on tally.migrations from service_role;
grant select on tally.migrations to service_role;

-- Processes that share an external database keep the secrets here that they must have in common.
create table tally.shared_secrets (
  name text primary key,
  value text not null,
  created_at timestamptz not null default now()
);
comment on table tally.shared_secrets is 'Server only, no policy: secrets of the installation for which there is no setting, made by the first process that needs them.';
alter table tally.shared_secrets enable row level security;
