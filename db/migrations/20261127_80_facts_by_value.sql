-- A distributed server writes the result of a query by COPY, which row-level security forbids; a row of values goes
-- straight to the server that has the member.
create or replace function public.capture_fact(p_idp_id text, p_event text, p_properties jsonb, p_declined boolean)
  returns void language plpgsql set search_path = '' as $$
declare
  is_local boolean := p_declined
    or exists (select from public.analytics_choices c where c.idp_id = p_idp_id and not c.enabled);
begin
  insert into public.analytics_events (idp_id, id, event, properties, occurred_at, local_only)
  values (p_idp_id, gen_random_uuid(), p_event, p_properties, clock_timestamp(), is_local);
end
$$;
