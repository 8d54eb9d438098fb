-- The roles that every statement runs as, named as on Supabase, and their default rights.
-- Roles belong to the whole server: each is created only where it is missing and never altered afterwards.
-- The comment marks the logins created here: `tally migrate` sets the passwords of these logins only.

do $$
declare
  wanted record;
begin
  for wanted in
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
    continue when exists (select from pg_catalog.pg_roles where rolname = wanted.name);
    begin
      execute format('create role %I %s', wanted.name, wanted.attributes);
      if wanted.statement_timeout is not null then
        execute format('alter role %I set statement_timeout = %L', wanted.name, wanted.statement_timeout);
        execute format('comment on role %I is %L', wanted.name, 'login of tally');
      end if;
    exception
      when duplicate_object or unique_violation then
        null; -- another database of this server was migrated at the same moment
      when insufficient_privilege then
        raise exception using errcode = 'insufficient_privilege',
          message = format('the role %I is missing and this owner may make none', wanted.name),
          hint = 'docs/runbooks/external-database.md has the statements by which an administrator makes it.';
    end;
  end loop;

  for wanted in
    select * from (values
      ('authenticator', 'anon'), ('authenticator', 'authenticated'),
      ('service_authenticator', 'service_role'), ('assistant_authenticator', 'assistant'),
      -- For a member's change and the service's event in one transaction.
      ('service_authenticator', 'authenticated')
    ) as list (login, role)
  loop
    if not pg_catalog.pg_has_role(wanted.login, wanted.role, 'member') then
      execute format('grant %I to %I', wanted.role, wanted.login);
    end if;
  end loop;

  -- Its sessions begin as service_role, so that a single statement needs no transaction to set the role.
  if not exists (
    select from pg_catalog.pg_db_role_setting
    where setrole = 'service_authenticator'::regrole and 'role=service_role' = any (setconfig)
  ) then
    alter role service_authenticator set role = 'service_role';
  end if;
end
$$;

-- Time limits of the two service logins: on waiting for a lock (55P03), and on a transaction that has been abandoned.
-- Only logins created above get them. A role's settings apply to its new sessions.
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

-- The login of members' own SQL is read-only and has limits on time, memory and disk.
-- The four log settings keep the text of its statements and row values out of the server's log.
-- Only a superuser may set some of these; what could not be set is named in a notice.
do $$
declare
  wanted record;
  left_out text[] := '{}';
  unlogged text[] := '{}';
begin
  for wanted in
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
    continue when not exists (select from pg_catalog.pg_settings where name = wanted.name)
      or exists (select from pg_catalog.pg_db_role_setting s, unnest(s.setconfig) as config
                  where s.setrole = 'assistant_authenticator'::regrole and s.setdatabase = 0 and config like wanted.name || '=%');
    begin
      if wanted.name = 'search_path' then
        alter role assistant_authenticator set search_path = assistant, pg_catalog;
      else
        execute format('alter role assistant_authenticator set %s = %L', wanted.name, wanted.value);
      end if;
    exception
      when insufficient_privilege then
        if wanted.is_log then
          unlogged := unlogged || format('%s = %s', wanted.name, wanted.value);
        else
          left_out := left_out || format('%s = %s', wanted.name, wanted.value);
        end if;
      when internal_error or unique_violation then
        null; -- another database of this server was migrated at the same moment
    end;
  end loop;
  if left_out <> '{}' then
    raise notice 'The login assistant_authenticator goes without %: docs/runbooks/external-database.md says what remains.', array_to_string(left_out, ', ');
  end if;
  if unlogged <> '{}' then
    raise notice 'Members'' own SQL may appear in the database''s log: the login assistant_authenticator goes without %, which a superuser sets; see docs/runbooks/external-database.md.', array_to_string(unlogged, ', ');
  end if;
end
$$;

revoke create on schema public from public;
grant usage on schema public to anon, authenticated, service_role;

-- Default rights on whatever the migrations create: all rows and functions for service_role, nothing for anyone else.
-- The other migrations therefore grant rights to clients by name, and revoke from service_role what it must not do.
-- For functions without a schema: a default of one schema cannot take back what PUBLIC has everywhere.
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

-- Policies compare the owner of a row with this function, without a subquery, which a distributed server refuses in policies.
-- It sets no search path, so that the planner can inline it; "return" resolves every name when it is created.
-- The claim of its own is read first: parsing all claims for each row takes three times as long.
create function public.member_id() returns text
  language sql stable
  return coalesce(
    nullif(pg_catalog.current_setting('request.jwt.claim.sub', true), ''),
    nullif(pg_catalog.current_setting('request.jwt.claims', true), '')::pg_catalog.jsonb ->> 'sub');
comment on function public.member_id() is 'The member in whose name the transaction runs; null outside one.';
grant execute on function public.member_id() to authenticated, assistant;

-- The runner creates the table of applied migrations; readiness reads it.
grant usage on schema tally to service_role;
revoke all on tally.migrations from service_role;
grant select on tally.migrations to service_role;

-- Secrets that several processes must have in common, where the database is not the embedded one.
create table tally.shared_secrets (
  name text primary key,
  value text not null,
  created_at timestamptz not null default now()
);
comment on table tally.shared_secrets is 'Server only, no policy: secrets of the installation for which there is no setting, made by the first process that needs them.';
alter table tally.shared_secrets enable row level security;
