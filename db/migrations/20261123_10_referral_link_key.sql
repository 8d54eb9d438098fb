-- Drawing a link locks no foreign key of its member any more. The columns of a whole unique index are a key, whose change lets each new row that
-- refers to the member wait; a report of their sign-up at that moment could end in a deadlock with the provider's event. A partial one is no key.
-- Members wait while the index is made anew: docs/runbooks/large-migrations.md.

alter table public.all_users drop constraint all_users_referral_link_key;
create unique index all_users_referral_link_key on public.all_users (referral_link) where referral_link is not null;
