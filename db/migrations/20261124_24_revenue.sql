-- Revenue as operators read it. Days and months are of UTC; currencies are never added up.

-- Net revenue: paid invoices without tax, less what went back, on the day when it moved. A refund has the source of its invoice.
create view public.revenue_net_by_source with (security_invoker) as
  select f.day, f.currency, f.entry_source, f.tier, sum(f.net_minor)::bigint as net_minor,
         sum(f.new_subscriptions)::integer as new_subscriptions
    from (
      select (i.paid_at at time zone 'UTC')::date as day, i.currency, i.entry_source, i.tier,
             i.net_minor::bigint as net_minor, 0 as new_subscriptions
        from public.billing_invoices i where i.status = 'paid' and i.paid_at is not null and i.net_minor <> 0
      union all
      select (r.created_at at time zone 'UTC')::date, r.currency, i.entry_source, i.tier, -r.net_minor::bigint, 0
        from public.billing_reversals r
        left join public.billing_invoices i on i.payer = r.payer and i.id = r.invoice_id
       where r.net_minor <> 0
      union all
      select (m.moved_at at time zone 'UTC')::date, m.currency, m.entry_source, m.to_tier, 0, 1
        from public.billing_movements m where m.kind in ('new', 'reactivation')) f
   group by f.day, f.currency, f.entry_source, f.tier;
comment on view public.revenue_net_by_source is 'Server only: net revenue and new subscriptions by day, currency, entry source and tier.';

-- Monthly recurring revenue: plan prices a month without trials, grants and tax; a year's divided by twelve.
create view public.revenue_mrr_monthly with (security_invoker) as
  select k.month, k.currency,
         (sum(k.change) over w - k.change)::bigint as start_minor,
         k.new_minor, k.expansion_minor, k.reactivation_minor, k.contraction_minor, k.churn_minor,
         (sum(k.change) over w)::bigint as end_minor
    from (
      select date_trunc('month', m.moved_at at time zone 'UTC')::date as month, m.currency, sum(m.mrr_minor) as change,
             coalesce(sum(m.mrr_minor) filter (where m.kind = 'new'), 0)::bigint as new_minor,
             coalesce(sum(m.mrr_minor) filter (where m.kind = 'expansion'), 0)::bigint as expansion_minor,
             coalesce(sum(m.mrr_minor) filter (where m.kind = 'reactivation'), 0)::bigint as reactivation_minor,
             coalesce(sum(m.mrr_minor) filter (where m.kind = 'contraction'), 0)::bigint as contraction_minor,
             coalesce(sum(m.mrr_minor) filter (where m.kind = 'churn'), 0)::bigint as churn_minor
        from public.billing_movements m group by 1, 2) k
  window w as (partition by k.currency order by k.month);
comment on view public.revenue_mrr_monthly is
  'Server only: start + new + expansion + reactivation + contraction + churn = end, by month and currency.';

-- Checkouts of members who are still there: of each day's, how many were paid for, by whom they were begun.
create view public.revenue_funnel_daily with (security_invoker) as
  select (k.created_at at time zone 'UTC')::date as day, k.entry_source,
         count(distinct k.idp_id)::integer as members_started,
         count(distinct k.idp_id) filter (where k.status = 'complete')::integer as members_paid
    from public.billing_checkouts k group by 1, 2;
comment on view public.revenue_funnel_daily is 'Server only: members who began a checkout on a day, and who of them paid for it.';

-- Payers by the month and source of their first subscription, and what they pay a month now.
create view public.revenue_cohorts with (security_invoker) as
  select c.month, c.entry_source, c.currency, count(*)::integer as payers,
         (count(*) filter (where c.mrr_minor > 0))::integer as paying_now, sum(c.mrr_minor)::bigint as mrr_minor
    from (
      select m.payer, m.currency, min(date_trunc('month', m.moved_at at time zone 'UTC'))::date as month,
             (array_agg(m.entry_source order by m.id))[1] as entry_source, sum(m.mrr_minor) as mrr_minor
        from public.billing_movements m group by m.payer, m.currency) c
   group by c.month, c.entry_source, c.currency;
comment on view public.revenue_cohorts is 'Server only: payers by the month and source of their first subscription.';

grant select on public.revenue_net_by_source, public.revenue_mrr_monthly, public.revenue_funnel_daily,
  public.revenue_cohorts to service_role;
