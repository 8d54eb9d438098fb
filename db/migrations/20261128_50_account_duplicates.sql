-- Which accounts a later sign-in at their institution left out, and which connected accounts a member may also keep by hand.
-- Readers and writers of accounts wait while two empty columns are added, which takes no time for any number of rows.
alter table public.accounts
  -- When another sign-in at its institution ended the access that brought it; its figures are the last ones.
  add column left_out_at timestamptz,
  -- When the member said what shall become of the account by hand that looked like this one.
  add column duplicate_answered_at timestamptz;

create or replace view public.connected_accounts with (security_invoker = true) as
select a.idp_id, a.connection_id, a.id, a.name, a.original_name, a.mask, a.type, a.balance, a.currency, a.created_at, a.left_out_at
  from public.accounts a where a.connection_id is not null;

create view public.account_duplicates with (security_invoker = true) as
select c.idp_id, c.id as account_id, m.id as duplicate_id, m.name, m.created_at,
       lower(btrim(m.name)) in (lower(c.name), lower(c.original_name)) as is_same_name
  from public.accounts c
  join public.accounts m on m.idp_id = c.idp_id and m.kind = 'manual' and m.currency = c.currency
   and (lower(btrim(m.name)) in (lower(c.name), lower(c.original_name)) or (c.balance <> 0 and m.balance = c.balance))
 where c.connection_id is not null and c.duplicate_answered_at is null;
comment on view public.account_duplicates is
  'Accounts by hand that look like a connected one: the same currency, and the same name or the same cash.';
grant select on public.account_duplicates to authenticated, service_role;
