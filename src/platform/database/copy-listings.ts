import type { Query } from './distribute.ts';

/**
 * Gives each server of a cluster a copy of the catalog, so that members' rows are joined with it on their own server:
 *
 * 1. the table `listing_copies` has the columns of the view `listings` and is on every server;
 * 2. triggers write each change of the catalog to it, in the same transaction;
 * 3. the view reads the copy.
 *
 * Does nothing if the view reads the copy already. A migration that changes the view drops and creates it, since Citus lets
 * no view of a distributed table be replaced by one of a local table. The next call renews the copy with its columns.
 */
export async function copyListings(query: Query): Promise<void> {
  const [view] = await query<{ names: string[]; reads_copy: boolean }>(
    `select array_agg(quote_ident(a.attname) order by a.attnum) as names,
            pg_get_viewdef(a.attrelid) like '%listing_copies%' as reads_copy
       from pg_attribute a where a.attrelid = 'public.listings'::regclass and a.attnum > 0 group by a.attrelid`,
  );
  if (view!.reads_copy) return;
  const columns = view!.names.join(', ');
  await query('begin');
  // One connection to each server, so that later statements see earlier changes of the transaction.
  await query(`set local citus.multi_shard_modify_mode to 'sequential'`);
  await query('lock table public.tracked_tickers_latest in share row exclusive mode');
  for (const statement of [
    'drop table if exists public.listing_copies',
    'create table public.listing_copies as table public.listings',
    'alter table public.listing_copies add primary key (ticker_id), add unique (symbol)',
    `comment on table public.listing_copies is 'Columns of the catalog on every server. Triggers of the catalog write it.'`,
    'alter table public.listing_copies enable row level security',
    'create policy listing_copies_read_all on public.listing_copies for select to authenticated using (true)',
    'revoke all on public.listing_copies from authenticated',
    'grant select on public.listing_copies to authenticated',
    'grant select, insert, update, delete on public.listing_copies to service_role',
    `select create_reference_table('public.listing_copies')`,
    createTriggerFunction(view!.names),
    ...['insert', 'update', 'delete'].map(createTrigger),
    `create or replace view public.listings with (security_invoker = true) as
       select ${columns} from public.listing_copies`,
    'commit',
  ])
    await query(statement);
}

const createTrigger = (event: string): string => {
  const rows = { insert: 'new table as new_rows', delete: 'old table as old_rows' }[event];
  return `create or replace trigger copy_listings_${event} after ${event} on public.tracked_tickers_latest
    referencing ${rows ?? 'new table as new_rows old table as old_rows'}
    for each statement execute function public.copy_listings()`;
};

/** The changed rows pass through a variable, since Citus supports no transition table in a statement of its own. */
const createTriggerFunction = (names: readonly string[]): string => {
  const columns = names.join(', ');
  return `create or replace function public.copy_listings() returns trigger
    language plpgsql volatile set search_path = '' as $$
    declare
      deleted integer[];
      changed jsonb;
    begin
      if tg_op = 'DELETE' then
        select array_agg(o.ticker_id) into deleted from old_rows o;
        if deleted is not null then
          delete from public.listing_copies c where c.ticker_id = any (deleted);
        end if;
        return null;
      elsif tg_op = 'INSERT' then
        select jsonb_agg(to_jsonb(n)) into changed from new_rows n;
      else
        select jsonb_agg(to_jsonb(n)) into changed
          from (select ${columns} from new_rows except select ${columns} from old_rows) n;
      end if;
      if changed is not null then
        insert into public.listing_copies (${columns})
          select ${columns} from jsonb_populate_recordset(null::public.listing_copies, changed)
          on conflict (ticker_id) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')};
      end if;
      return null;
    end
    $$`;
};
