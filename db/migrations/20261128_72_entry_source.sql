-- The entry source has one name in events, entry_source; rows captured before call it entry. Replaces a view; nothing waits.
create or replace view public.upgrade_steps with (security_invoker) as
  select e.idp_id, e.occurred_at,
         case e.event when 'upgrade_cta_clicked' then 'clicked' when 'plans_viewed' then 'viewed_plans'
           when 'upgrade_modal_viewed' then 'viewed_modal' else 'confirmed' end as step,
         case when e.event <> 'upgrade_cta_clicked'
             then coalesce(e.properties ->> 'entry_source', e.properties ->> 'entry')
           when e.properties ->> 'source' = 'dashboard_watchlist_limit' then 'watchlist_limit'
           when e.properties ->> 'source' = 'dashboard_watchlist_locked' then 'watchlist_locked' end as entry_source
    from public.analytics_events e
   where e.event in ('upgrade_cta_clicked', 'plans_viewed', 'upgrade_modal_viewed', 'upgrade_modal_confirmed');
