-- Which accounts a reset of the demo data may replace. A wrong DEMO_ACCOUNT_IDP_USER_ID would name a member, whose portfolio a reset deletes; so an
-- operator confirms an account once, and the daily job replaces none that is not confirmed.
create table public.demo_resets (
  idp_id text primary key references public.all_users (idp_id) on delete cascade,
  confirmed_at timestamptz not null default now()
);
comment on table public.demo_resets is 'Server only, no policy: accounts whose rows the demo data may replace.';
alter table public.demo_resets enable row level security;
revoke all on public.demo_resets from service_role;
grant select, insert on public.demo_resets to service_role;
