-- These columns are readable by the right on the whole table since 20261124_51; the rights on columns beside it guard nothing.
revoke select (idp_id, tier, status, current_period_end) on public.subscriptions from assistant;
revoke select (idp_id, tier) on public.tier_grants from assistant;
