-- Which cards a member's dashboard shows, and in which order.

create table public.dashboard_layouts (
  idp_id text primary key references public.all_users (idp_id) on delete cascade,
  -- [{ id, shown }, …] in the member's order. A card that is not named was never offered to the member and comes last.
  cards jsonb not null check (jsonb_typeof(cards) = 'array' and octet_length(cards::text) <= 4000),
  updated_at timestamptz not null default now()
);
comment on table public.dashboard_layouts is 'The dashboard of a member who has changed it; without a row it is the default one.';
alter table public.dashboard_layouts enable row level security;
create policy dashboard_layouts_own on public.dashboard_layouts for all to authenticated
  using (idp_id = ((select auth.jwt()) ->> 'sub'))
  with check (idp_id = ((select auth.jwt()) ->> 'sub'));
grant select on public.dashboard_layouts to authenticated;
grant insert (idp_id, cards), update (cards, updated_at) on public.dashboard_layouts to authenticated;
grant select, insert, update, delete on public.dashboard_layouts to service_role;
