-- Quotes are paced over the day, so their calls are counted apart from all others; and who a listing is is asked again now and then.

alter table market.provider_calls add column quotes integer not null default 0 check (quotes >= 0);
comment on table market.provider_calls is 'Server only, no policy: calls spent per provider, shared by all processes; quotes: how many of them were for prices.';

alter table market.quote_notes add column profile_checked_at timestamptz;
comment on table market.quote_notes is 'Server only, no policy: when a listing was last asked for, looked at for a split, and asked who it is.';
