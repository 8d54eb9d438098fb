-- Who members are to the brokerage aggregator, which wants a user of its own for each. Nobody waits.

create table public.brokerage_users (
  idp_id text primary key references public.all_users (idp_id) on delete cascade,
  -- Our random name of the member there, stored before the aggregator hears it; a second try takes a new one.
  external_id uuid not null,
  -- The aggregator tells it once, sealed in the application; null while it is being asked.
  sealed_secret bytea,
  asked_at timestamptz not null default now()
);
comment on table public.brokerage_users is 'Server only, no policy: members'' names and sealed secrets at the brokerage aggregator.';
create index brokerage_users_external on public.brokerage_users (external_id);
alter table public.brokerage_users enable row level security;
revoke all on public.brokerage_users from service_role;
grant select, insert, update, delete on public.brokerage_users to service_role;
