-- Keeps when the quantity of a manual holding last changed, which tells the dividends that it was paid since.

-- In a block, since a cluster sends the whole text of a query to other servers, which accept only one command.
do $$
begin
  alter table public.manual_public_holdings add column quantity_changed_at timestamptz not null default now();
  grant update (quantity_changed_at) on public.manual_public_holdings to authenticated;
  comment on column public.manual_public_holdings.quantity_changed_at is
    'When the member last changed the quantity. A split does not count, since dividends are adjusted for it.';
  -- Whether an earlier edit changed the quantity is unknown, so each counts.
  update public.manual_public_holdings set quantity_changed_at = updated_at;
  -- An import can be undone while the rows are as it left them, so its copies of rows get the column too.
  update public.holding_imports
     set state_before = jsonb_set(state_before, '{holdings}', (
           select coalesce(jsonb_agg(h || jsonb_build_object('quantity_changed_at', h -> 'updated_at')), '[]')
             from jsonb_array_elements(state_before -> 'holdings') h)),
         state_after = jsonb_set(state_after, '{holdings}', (
           select coalesce(jsonb_agg(h || jsonb_build_object('quantity_changed_at', h -> 'updated_at')), '[]')
             from jsonb_array_elements(state_after -> 'holdings') h))
   where undone_at is null;
end
$$;
