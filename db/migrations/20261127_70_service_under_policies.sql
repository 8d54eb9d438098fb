-- Where a managed server's owner may not give BYPASSRLS away, the service passes row-level security by policies of its own, which `tally migrate`
-- makes (src/database/limited-owner.ts). Row-level security is active for it then, which made it look like a member here.
create or replace function public.lock_watchlist(p_idp_id text) returns void
  language plpgsql volatile set search_path = '' as $$
begin
  if current_user <> 'service_role' and row_security_active('public.watchlist_items') and p_idp_id is distinct from public.member_id() then
    raise exception using errcode = 'insufficient_privilege', message = 'a member locks no list but their own';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('watchlist:' || p_idp_id, 0));
end
$$;
