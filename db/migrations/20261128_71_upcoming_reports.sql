-- One answer to when a company reports next, for every screen. Adds a function only; nothing waits.

create function market.upcoming_reports(p_symbols text[], p_from date)
returns table (symbol text, date date, "when" text, eps_estimate double precision, estimated boolean, sample boolean)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
begin
  return query
  with known as (
    select e.symbol, e.date, e."when", e.eps_estimate, e.estimated, e.sample, 'table' as source,
           max(e.updated_at) over (partition by e.symbol, e.sample) as fetched_at
      from public.earnings e where e.symbol = any (p_symbols) and e.date >= p_from
    union all
    select c.symbol, r.date, r."when", r.eps_estimate, coalesce(r.estimated, false), c.sample, 'cache', c.fetched_at
      from market.earnings_cache c, jsonb_to_recordset(c.reports)
        as r (date date, "when" text, eps_estimate double precision, estimated boolean)
     where c.symbol = any (p_symbols) and r.date >= p_from
  ), ranked as (
    select k.*, rank() over (partition by k.symbol order by k.sample, k.fetched_at desc, k.source) as place
      from known k
     -- A sample report goes with a sample price alone: screens mark the two as one.
     where not k.sample or exists (select from public.tracked_tickers_latest t
       where t.symbol = k.symbol and t.source = 'simulator' and t.current_price is not null)
  )
  select r.symbol, r.date, r."when", r.eps_estimate, r.estimated, r.sample from ranked r where r.place = 1;
end
$$;
comment on function market.upcoming_reports(text[], date) is
  'Reports of these companies from a date on: of the table and the cache those that were fetched later, real before sample.';
revoke execute on function market.upcoming_reports(text[], date) from public;
grant execute on function market.upcoming_reports(text[], date) to service_role;
