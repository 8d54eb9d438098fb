-- What a member's own SQL says stays out of the database's log: neither its text, nor a failure's message (which may hold a row's value), nor,
-- by track_activities, what a process that crashed was running. LOG messages (durations, temporary files, auto_explain) rank below FATAL here.
-- All four are a superuser's to set; what this owner may not set is named, and the start names it too. No table is locked.
do $$
declare
  wanted record;
  left_out text[] := '{}';
begin
  for wanted in
    select * from (values
      ('log_min_messages', 'fatal'), ('log_min_error_statement', 'panic'), ('log_error_verbosity', 'terse'), ('track_activities', 'off')
    ) as list (name, value)
  loop
    continue when exists (
      select from pg_catalog.pg_db_role_setting s, unnest(s.setconfig) as config
       where s.setrole = 'assistant_authenticator'::regrole and s.setdatabase = 0 and config like wanted.name || '=%');
    begin
      execute format('alter role assistant_authenticator set %s = %L', wanted.name, wanted.value);
    exception
      when insufficient_privilege then
        left_out := left_out || format('%s = %s', wanted.name, wanted.value);
      when internal_error or unique_violation then
        null; -- another database of this server was migrated at the same moment
    end;
  end loop;
  if left_out <> '{}' then
    raise notice 'Members'' own SQL may appear in the database''s log: the login assistant_authenticator goes without %, which a superuser sets; see docs/runbooks/external-database.md.', array_to_string(left_out, ', ');
  end if;
end
$$;
