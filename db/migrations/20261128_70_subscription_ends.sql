-- Every sync wrote its own time as the end of a subscription that the provider named no end of (least() skips nulls).
-- The provider names an end in the statuses canceled and incomplete_expired alone: there it was stored as it is.

update public.subscriptions set ended_at = null
 where ended_at is not null and status not in ('canceled', 'incomplete_expired');
comment on column public.subscriptions.ended_at is
  'When the subscription ended, as the provider says, at most the time of the sync; null while it has not.';
