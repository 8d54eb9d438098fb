-- Server functions that members and visitors could misuse beside reading rows are closed to them.
-- Claims are a setting: whoever may call set_config() can say who he is. Session locks outlive the transaction, large
-- objects and temporary tables fill the disk, notifications wake or stop the worker, and DO runs any code.
-- Roles that exist now (a backup's, a report's) keep what is taken from everybody; only clients go without.
do $$
declare
  guarded text;
  keeper record;
  -- The functions come with the server and belong to a superuser, who alone can close them.
  closes_functions boolean := pg_catalog.pg_has_role(
    current_user, (select proowner from pg_catalog.pg_proc where oid = 'pg_catalog.set_config(text, text, boolean)'::regprocedure), 'usage');
begin
  execute format('revoke temporary on database %I from public', current_database());
  if closes_functions then
    select string_agg(oid::regprocedure::text, ', ') into guarded from pg_catalog.pg_proc
     where pronamespace = 'pg_catalog'::regnamespace
       and (proname in ('set_config', 'lo_creat', 'lo_create', 'lo_from_bytea', 'pg_notify', 'pg_logical_emit_message',
                        'pg_export_snapshot', 'pg_current_xact_id', 'txid_current')
         or proname ~ '^pg_(try_)?advisory_(un)?lock');
    execute format('revoke execute on function %s from public', guarded);
    revoke usage on language plpgsql from public;
  else
    raise notice 'set_config(), session locks and large objects stay open to clients: docs/runbooks/external-database.md has the statements by which a superuser closes them, pg_notify(), pg_logical_emit_message() and DO.';
  end if;
  for keeper in
    select r.rolname as name,
           r.rolname not in ('authenticator', 'service_authenticator', 'assistant_authenticator', 'service_role', 'pg_database_owner', 'pg_read_all_data') as keeps_temporary,
           r.rolname in ('authenticator', 'assistant_authenticator', 'pg_read_all_data') as sets_only,
           r.rolname not in ('service_authenticator', 'service_role') as runs_blocks
      from pg_catalog.pg_roles r
     where not r.rolsuper
       -- Of the server's own roles those by which a migration and a backup run, also of logins that are made later.
       and (r.rolname !~ '^pg_' or r.rolname in ('pg_database_owner', 'pg_read_all_data'))
       -- Clients: our three, whatever they have the rights of, and what else a member's login may become.
       and not exists (select from (values ('anon'), ('authenticated'), ('assistant')) as client (name) where pg_catalog.pg_has_role(client.name, r.oid, 'member'))
       and (r.rolcanlogin or r.rolname = 'service_role' or not pg_catalog.pg_has_role('authenticator', r.oid, 'member'))
  loop
    begin
      if keeper.keeps_temporary then
        execute format('grant temporary on database %I to %I', current_database(), keeper.name);
      end if;
      if closes_functions and keeper.sets_only then
        execute format('grant execute on function pg_catalog.set_config(text, text, boolean) to %I', keeper.name);
      elsif closes_functions then
        execute format('grant execute on function %s to %I', guarded, keeper.name);
        if keeper.runs_blocks then
          execute format('grant usage on language plpgsql to %I', keeper.name);
        end if;
      end if;
    exception
      when undefined_object then
        null; -- dropped at this moment
    end;
  end loop;
end
$$;
