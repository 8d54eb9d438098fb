-- Bounds what one member stores and delays: events of a day, and messages of the identity provider's outbox.

alter table idp.webhook_messages add column place integer not null default 0;
comment on column idp.webhook_messages.place is
  'Position among the waiting messages of the user. The first ones of all users are delivered first.';
create index webhook_messages_turn on idp.webhook_messages (place, next_attempt_at);

create table public.analytics_days (
  idp_id text primary key references public.all_users (idp_id) on delete cascade,
  day date not null,
  events integer not null,
  bytes integer not null
);
comment on table public.analytics_days is
  'Server only, no policy: events that a member stored on the newest day with any, and their bytes.';
alter table public.analytics_days enable row level security;
