-- What a plan costs, as data: `tally plans set`. A plan without a price cannot be bought.

alter table public.plans
  add column price_minor integer check (price_minor > 0),
  add column price_currency text check (price_currency ~ '^[A-Z]{3}$'),
  add column price_interval text check (price_interval in ('month', 'year')),
  add constraint plans_price_whole check (num_nulls(price_minor, price_currency, price_interval) in (0, 3)),
  add constraint plans_free_has_no_price check (tier <> 'free' or price_minor is null);

comment on column public.plans.price_minor is 'In the smallest unit of the currency, an interval.';

update public.plans set price_minor = 999, price_currency = 'USD', price_interval = 'month' where tier = 'pro';
update public.plans set price_minor = 1999, price_currency = 'USD', price_interval = 'month' where tier = 'max';
