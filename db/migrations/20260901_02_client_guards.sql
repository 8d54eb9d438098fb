-- Revokes rights from the client roles that PostgreSQL grants to PUBLIC and that an attacker could misuse.
-- set_config() changes the claims, and so the member for whom a statement runs.
-- Session locks outlive their transaction, and large objects and temporary tables fill the disk.
-- Notifications wake or stop the job worker, and DO runs any code.
-- These rights belong to PUBLIC, so they are revoked there and granted to every existing role that is no client.
do $$
declare
  guarded_functions text;
  grantee record;
  -- The functions belong to the superuser who created the server, so no other owner can revoke them.
  may_revoke_functions boolean := pg_catalog.pg_has_role(
    current_user, (select proowner from pg_catalog.pg_proc where oid = 'pg_catalog.set_config(text, text, boolean)'::regprocedure), 'usage');
begin
  execute format('revoke temporary on database %I from public', current_database());
  if may_revoke_functions then
    select string_agg(oid::regprocedure::text, ', ') into guarded_functions from pg_catalog.pg_proc
     where pronamespace = 'pg_catalog'::regnamespace
       and (proname in ('set_config', 'lo_creat', 'lo_create', 'lo_from_bytea', 'pg_notify', 'pg_logical_emit_message',
                        'pg_export_snapshot', 'pg_current_xact_id', 'txid_current')
         or proname ~ '^pg_(try_)?advisory_(un)?lock');
    execute format('revoke execute on function %s from public', guarded_functions);
    revoke usage on language plpgsql from public;
  else
    raise notice 'Members'' SQL may call set_config(), pg_notify(), pg_logical_emit_message(), DO, session locks and large objects: a superuser can revoke them, see docs/how-to/external-database.md.';
  end if;
  for grantee in
    select r.rolname as name,
           r.rolname not in ('authenticator', 'service_authenticator', 'assistant_authenticator', 'service_role', 'pg_database_owner', 'pg_read_all_data') as uses_temporary_tables,
           r.rolname in ('authenticator', 'assistant_authenticator', 'pg_read_all_data') as needs_only_set_config,
           r.rolname not in ('service_authenticator', 'service_role') as uses_do
      from pg_catalog.pg_roles r
     where not r.rolsuper
       -- Migrations and backups run as members of these two predefined roles, whichever login starts them.
       and (r.rolname !~ '^pg_' or r.rolname in ('pg_database_owner', 'pg_read_all_data'))
       -- Clients are the three client roles, the roles that they belong to,
       -- and every role without a login that the members' login can become.
       and not exists (select from (values ('anon'), ('authenticated'), ('assistant')) as client (name) where pg_catalog.pg_has_role(client.name, r.oid, 'member'))
       and (r.rolcanlogin or r.rolname = 'service_role' or not pg_catalog.pg_has_role('authenticator', r.oid, 'member'))
  loop
    begin
      if grantee.uses_temporary_tables then
        execute format('grant temporary on database %I to %I', current_database(), grantee.name);
      end if;
      if may_revoke_functions and grantee.needs_only_set_config then
        execute format('grant execute on function pg_catalog.set_config(text, text, boolean) to %I', grantee.name);
      elsif may_revoke_functions then
        execute format('grant execute on function %s to %I', guarded_functions, grantee.name);
        if grantee.uses_do then
          execute format('grant usage on language plpgsql to %I', grantee.name);
        end if;
      end if;
    exception
      when undefined_object then
        null; -- the role was dropped at this moment
    end;
  end loop;
end
$$;
