-- Creates the roles and logins of Tally, for an owner who may not create roles. An administrator of the server runs it once:
--   psql "postgres://ADMIN@db.internal/postgres" -v authenticator_password=… -v service_role_key=… -v assistant_key=… -f roles.sql
-- psql reports an error for each role that exists and each setting that the server refuses, and continues.
create role anon nologin noinherit;
create role authenticated nologin noinherit;
create role service_role nologin noinherit;
create role assistant nologin noinherit;

-- If the server refuses this, the owner's migration gives service_role a policy on each table instead.
alter role service_role bypassrls;

-- The login of DB_URL, and those whose passwords are DB_SERVICE_ROLE_KEY and DB_ASSISTANT_KEY.
create role authenticator login noinherit password :'authenticator_password';
create role service_authenticator login noinherit password :'service_role_key';
create role assistant_authenticator login noinherit connection limit 20 password :'assistant_key';

grant anon, authenticated to authenticator;
grant service_role, authenticated to service_authenticator;
grant assistant to assistant_authenticator;

alter role authenticator set statement_timeout = '8s';
alter role authenticator set lock_timeout = '5s';
alter role authenticator set idle_in_transaction_session_timeout = '30s';

alter role service_authenticator set role = 'service_role';
alter role service_authenticator set statement_timeout = '60s';
alter role service_authenticator set lock_timeout = '5s';
alter role service_authenticator set idle_in_transaction_session_timeout = '30s';

-- Members' own SQL is read-only and limited.
alter role assistant_authenticator set search_path = assistant, pg_catalog;
alter role assistant_authenticator set default_transaction_read_only = on;
alter role assistant_authenticator set statement_timeout = '2500ms';
alter role assistant_authenticator set lock_timeout = '1s';
alter role assistant_authenticator set idle_in_transaction_session_timeout = '6s';
alter role assistant_authenticator set work_mem = '4MB';
alter role assistant_authenticator set hash_mem_multiplier = 1;
alter role assistant_authenticator set max_parallel_workers_per_gather = 0;
alter role assistant_authenticator set jit = off;
alter role assistant_authenticator set transaction_timeout = '3s'; -- PostgreSQL 17 and newer

-- Only a superuser may set these. The last four keep members' SQL out of the server's log.
alter role assistant_authenticator set temp_file_limit = '64MB';
alter role assistant_authenticator set log_min_messages = fatal;
alter role assistant_authenticator set log_min_error_statement = panic;
alter role assistant_authenticator set log_error_verbosity = terse;
alter role assistant_authenticator set track_activities = off;
