-- The whole way to a paid plan: from the call to upgrade, over the plans and the question before it, to the payment.

-- Writers of captured events wait while the index is made: about a second for a million events.
create index analytics_events_upgrade_steps on public.analytics_events (occurred_at)
  where event in ('upgrade_cta_clicked', 'plans_viewed', 'upgrade_modal_viewed', 'upgrade_modal_confirmed');

create view public.upgrade_steps with (security_invoker) as
  select e.idp_id, e.occurred_at,
         case e.event when 'upgrade_cta_clicked' then 'clicked' when 'plans_viewed' then 'viewed_plans'
           when 'upgrade_modal_viewed' then 'viewed_modal' else 'confirmed' end as step,
         case when e.event <> 'upgrade_cta_clicked' then e.properties ->> 'entry'
           when e.properties ->> 'source' = 'dashboard_watchlist_limit' then 'watchlist_limit'
           when e.properties ->> 'source' = 'dashboard_watchlist_locked' then 'watchlist_locked' end as entry_source
    from public.analytics_events e
   where e.event in ('upgrade_cta_clicked', 'plans_viewed', 'upgrade_modal_viewed', 'upgrade_modal_confirmed');
comment on view public.upgrade_steps is 'Server only: what members did on the way to a checkout, and what led them there.';

drop view public.revenue_funnel_daily;
-- A member's way of an entry source begins with a step before which there was none for 30 days; steps within 30 days of it count.
create view public.revenue_funnel_daily with (security_invoker) as
  with steps as (
    select s.idp_id, s.entry_source, s.step, s.occurred_at from public.upgrade_steps s
    union all
    select k.idp_id, k.entry_source, 'started', k.created_at from public.billing_checkouts k
    union all
    select k.idp_id, k.entry_source, 'paid', k.created_at from public.billing_checkouts k where k.status = 'complete'),
  marked as (
    select s.*, coalesce(s.occurred_at - lag(s.occurred_at) over w > interval '30 days', true) as begins
      from steps s window w as (partition by s.idp_id, s.entry_source order by s.occurred_at)),
  ways as (
    select m.*, count(*) filter (where m.begins) over (partition by m.idp_id, m.entry_source order by m.occurred_at) as way
      from marked m),
  counted as (
    select y.*, min(y.occurred_at) over (partition by y.idp_id, y.entry_source, y.way) as began_at from ways y)
  select (c.began_at at time zone 'UTC')::date as day, c.entry_source,
         count(distinct c.idp_id) filter (where c.step = 'clicked')::integer as clicked,
         count(distinct c.idp_id) filter (where c.step = 'viewed_plans')::integer as viewed_plans,
         count(distinct c.idp_id) filter (where c.step = 'viewed_modal')::integer as viewed_modal,
         count(distinct c.idp_id) filter (where c.step = 'confirmed')::integer as confirmed,
         count(distinct c.idp_id) filter (where c.step = 'started')::integer as started,
         count(distinct c.idp_id) filter (where c.step = 'paid')::integer as paid
    from counted c where c.occurred_at < c.began_at + interval '30 days'
   group by 1, 2;
comment on view public.revenue_funnel_daily is
  'Server only: members by the day on which their way to a paid plan began, and who of them took each step within 30 days.';

grant select on public.upgrade_steps, public.revenue_funnel_daily to service_role;
