import { isDeepStrictEqual } from 'node:util';
import { storeTakenReferralLinks } from '../identity/queries.ts';
import { createCheckClient, createOwnerClient } from './disposable-client.ts';

/** Tables that are distributed by member. A member's rows are on one server. Their keys begin with `idp_id`. */
export const MEMBER_TABLES = [
  'watchlist_items',
  'all_users',
  'subscriptions',
  'tier_grants',
  'connections',
  'accounts',
  'connection_attempts',
  'connection_secrets',
  'connected_holdings',
  'manual_public_holdings',
  'net_worth_snapshots',
  'net_worth_flows',
  'analytics_choices',
  'analytics_days',
  'analytics_events',
  'assistant_conversations',
  'assistant_messages',
  'billing_checkouts',
  'brokerage_users',
  'dashboard_layouts',
  'portfolio_settings',
  'holding_imports',
  'import_columns',
  'demo_resets',
  'first_connections',
] as const;

/**
 * Distributed tables that the service writes in one transaction with a member's change. Citus lets only one role change
 * a colocation group in a transaction, so these tables have a group of their own.
 */
export const SERVICE_GROUP: readonly string[] = ['analytics_choices', 'analytics_days', 'analytics_events'];

/**
 * Tables that members' rows reference or are joined with. Each server has a full copy, so that such a read stays on one
 * server.
 */
export const REFERENCE_TABLES = ['plans', 'listing_copies'] as const;

/** Views and functions of the rows above, which each server has too. */
export const WORKER_VIEWS = [
  'account_duplicates',
  'connected_accounts',
  'held_positions',
  'holding_value',
  'listings',
  'member_id',
  'member_tiers',
] as const;

/** Privileges and comments of a table or view, which distribution must not change. */
interface RelationAccess {
  name: string;
  grants: string[];
  comments: string[];
  /** Whether row-level security is on, and its policies. */
  security: string;
}

/** Thrown when a database cannot be distributed. The message is a sentence for the operator. */
export class NotDistributable extends Error {}

/**
 * Distributes members' rows over the servers of a Citus cluster and returns the moved tables. It may run again: tables
 * that are already distributed stay as they are. Afterwards each server has a copy of the catalog, and members may
 * insert into shards and read views on each server. Throws `NotDistributable` if the database is not the coordinator of
 * a cluster.
 *
 * Source: the documentation of Citus 13, "Table management" and "Citus utility functions".
 */
export async function distribute(ownerUrl: string): Promise<string[]> {
  await using client = createOwnerClient(ownerUrl, 'migrate');
  await client.connect();
  const query: Query = async (text, values = []) => (await client.query(text, values)).rows;
  await assertCoordinator(query);
  const rows = await query<{ name: string }>('select logicalrelid::text as name from pg_dist_partition');
  const distributed = new Set(rows.map(({ name }) => name));
  const referenceTables = REFERENCE_TABLES.filter((table) => !distributed.has(table));
  const memberTables = MEMBER_TABLES.filter((table) => !distributed.has(table));
  if (referenceTables.length + memberTables.length > 0) await distributeTables(query, referenceTables, memberTables);
  await query('begin');
  await storeTakenReferralLinks({ query });
  await query('commit');
  await readListingsFromCopy(query);
  await grantShardInserts(query);
  await grantViewReads(query);
  return [...referenceTables, ...memberTables];
}

/**
 * Moves the tables in one transaction, during which their reads and writes wait:
 *
 * 1. read grants, comments and policies of all tables, and drop the foreign keys of those to be distributed and the
 *    unique index of referral links;
 * 2. copy each reference table to all servers, and distribute each member table by `idp_id`;
 * 3. add the foreign keys again that Citus supports, and triggers for those of the coordinator's tables to `all_users`;
 * 4. restore the grants and comments that Citus has dropped;
 * 5. assert that grants, comments and policies are as they were, else roll back.
 */
async function distributeTables(
  query: Query,
  referenceTables: readonly string[],
  memberTables: readonly string[],
): Promise<void> {
  await query('begin');
  // One connection to each server, so that later statements see earlier changes of the transaction.
  await query(`set local citus.multi_shard_modify_mode to 'sequential'`);
  // The coordinator connects to the other servers under the roles that a transaction sets.
  for (const role of ['authenticated', 'service_role']) await query(`alter role ${role} login`);
  const before = await readAccess(query);
  const foreignKeys = await readForeignKeys(query);
  // Else a dropped key takes its coordinator's table out of the metadata, which Citus rejects for identity columns.
  await query('set local citus.enable_local_reference_table_foreign_keys to off');
  for (const key of foreignKeys) await query(`alter table ${key.table} drop constraint ${key.name}`);
  if (memberTables.includes('all_users')) await replaceLinkIndex(query);
  for (const table of referenceTables) await query(`select create_reference_table('public.${table}')`);
  for (const table of memberTables) {
    const group = SERVICE_GROUP.includes(table) ? SERVICE_GROUP : [MEMBER_TABLES[0]];
    const colocated = group[0] === table ? 'none' : `public.${group[0]}`;
    await query(`select create_distributed_table('public.${table}', 'idp_id', colocate_with => '${colocated}')`);
  }
  await query('set local citus.enable_local_reference_table_foreign_keys to on');
  for (const { table, name, definition, unsupported, memberColumn } of foreignKeys) {
    if (!unsupported) await query(`alter table ${table} add constraint ${name} ${definition}`);
    else if (memberColumn !== null)
      await query(
        `create trigger ${name} before insert or update of ${memberColumn} on ${table}
           for each row execute function public.require_member(${memberColumn})`,
      );
  }
  await restoreAccess(query, before);
  await assertAccessUnchanged(query, before);
  await query('commit');
}

/** Makes the index of referral links one that Citus can distribute. `tally.referral_links` keeps them unique instead. */
async function replaceLinkIndex(query: Query): Promise<void> {
  await query('drop index public.all_users_referral_link_key');
  await query(
    `create index all_users_referral_link_key on public.all_users (referral_link) where referral_link is not null`,
  );
}

/**
 * Lets the view `listings` read a copy of the catalog on each server, which triggers keep up to date. Does nothing if
 * the view reads the copy already. After a migration has created the view anew, it reads the catalog until the next
 * call. Such a migration must drop the view, since Citus cannot replace a view of a reference table by one of a local
 * table.
 */
async function readListingsFromCopy(query: Query): Promise<void> {
  const [view] = await query<{ reads_copy: boolean }>(
    `select pg_get_viewdef('public.listings'::regclass) like '%listing_copies%' as reads_copy`,
  );
  if (view!.reads_copy) return;
  await query('begin');
  await query(`set local citus.multi_shard_modify_mode to 'sequential'`);
  await query('lock table public.tracked_tickers_latest in share row exclusive mode');
  await query('delete from public.listing_copies');
  await query('insert into public.listing_copies table public.listings');
  for (const [event, rows] of [
    ['insert', 'new table as new_rows'],
    ['update', 'new table as new_rows'],
    ['delete', 'old table as old_rows'],
  ])
    await query(
      `create or replace trigger copy_${event} after ${event} on public.tracked_tickers_latest
         referencing ${rows} for each statement execute function public.copy_listings()`,
    );
  await query(
    `create or replace view public.listings with (security_invoker = true) as select c.* from public.listing_copies c`,
  );
  await query('commit');
}

/**
 * Grants members INSERT on shards. Citus checks column privileges on the distributed table but inserts all columns into
 * the shard, so tables with column-level INSERT need a full grant on their shards, which clients cannot reach directly.
 * A moved shard is a new table of its server, so default privileges grant the same there. Policies still apply.
 */
async function grantShardInserts(query: Query): Promise<void> {
  const tables = await query<{ name: string; owner: string; schema: string }>(
    `select c.oid::regclass::text as name, c.relowner::regrole::text as owner, c.relnamespace::regnamespace::text as schema
       from pg_class c join pg_dist_partition p on p.logicalrelid = c.oid
      where exists (
        select from pg_attribute k cross join aclexplode(k.attacl) a
         where k.attrelid = c.oid and a.grantee = 'authenticated'::regrole and a.privilege_type = 'INSERT')`,
  );
  const defaults = new Set(
    tables.map(
      ({ owner, schema }) =>
        `alter default privileges for role ${owner} in schema ${schema} grant insert on tables to authenticated`,
    ),
  );
  for (const command of defaults) await runOnWorkers(query, command);
  for (const { name } of tables) {
    const command = 'grant insert on %s to authenticated';
    assertSuccess(
      await query(`select success, result from run_command_on_shards($1::regclass, $2)`, [name, command]),
      command,
    );
  }
}

/**
 * Grants members SELECT on views of the workers, as on the coordinator. Citus copies a view without its grants. The
 * views have the rights of their reader (`security_invoker`), so policies still apply.
 */
async function grantViewReads(query: Query): Promise<void> {
  const views = await query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'v' and n.nspname = 'public' and 'security_invoker=true' = any (c.reloptions)
        and exists (
          select from aclexplode(c.relacl) a
           where a.grantee = 'authenticated'::regrole and a.privilege_type = 'SELECT')`,
  );
  for (const { name } of views) {
    // A worker accepts the grant only if it is not forwarded to the other servers.
    await runOnWorkers(
      query,
      `do $$ begin
         perform set_config('citus.enable_ddl_propagation', 'off', true);
         if to_regclass('${name}') is not null then grant select on ${name} to authenticated; end if;
       end $$`,
    );
  }
}

/** Result of a command on another server. */
interface CommandResult {
  success: boolean;
  result: string;
}

async function runOnWorkers(query: Query, command: string): Promise<void> {
  assertSuccess(await query('select success, result from run_command_on_workers($1)', [command]), command);
}

function assertSuccess(results: readonly CommandResult[], command: string): void {
  const failed = results.find(({ success }) => !success);
  if (failed) throw new Error(`A worker rejected "${command}": ${failed.result}`);
}

/** Returns whether the database is on a Citus cluster. Rejects if the server is unavailable. */
export async function isDistributed(connectionString: string): Promise<boolean> {
  await using client = createCheckClient(connectionString);
  await client.connect();
  const { rowCount } = await client.query(`select from pg_extension where extname = 'citus'`);
  return rowCount === 1;
}

type Query = <Row>(text: string, values?: unknown[]) => Promise<Row[]>;

async function assertCoordinator(query: Query): Promise<void> {
  const [extension] = await query(`select from pg_extension where extname = 'citus'`);
  if (!extension)
    throw new NotDistributable(
      'The database has no extension "citus": run "create extension citus" on each server first.',
    );
  const [{ servers } = { servers: 0 }] = await query<{ servers: number }>(
    `select count(*)::int as servers from pg_dist_node where noderole = 'primary' and isactive`,
  );
  if (servers === 0)
    throw new NotDistributable(
      'The cluster has no servers: name them with citus_set_coordinator_host() and citus_add_node() first.',
    );
}

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
  /** Whether Citus supports no such key between distributed tables. */
  unsupported: boolean;
  /** Column that references `all_users`, if its table stays on the coordinator. */
  memberColumn: string | null;
}

/**
 * Returns the foreign keys from and to these tables. They are dropped and added again, since a key needs both its
 * tables in place. Citus supports none between members' rows and a table of another group or of the coordinator.
 */
async function readForeignKeys(query: Query): Promise<ForeignKey[]> {
  const qualify = (tables: readonly string[]) => tables.map((table) => `public.${table}`);
  return await query(
    `select k.conrelid::regclass::text as table, quote_ident(k.conname) as name,
            pg_get_constraintdef(k.oid) as definition,
            array[k.conrelid = any ($2::regclass[]), k.conrelid = any ($3::regclass[])]
              <> array[k.confrelid = any ($2::regclass[]), k.confrelid = any ($3::regclass[])]
              and k.confrelid <> all ($1::regclass[]) as unsupported,
            case when k.confrelid = 'public.all_users'::regclass and k.conrelid <> all ($2::regclass[]) then
              (select quote_ident(a.attname) from pg_attribute a where a.attrelid = k.conrelid and a.attnum = k.conkey[1])
            end as "memberColumn"
       from pg_constraint k
      where k.contype = 'f'
        and array[k.conrelid::regclass, k.confrelid::regclass] && ($1::regclass[] || $2::regclass[])
      order by 1, 2`,
    [qualify(REFERENCE_TABLES), qualify(MEMBER_TABLES), qualify(SERVICE_GROUP)],
  );
}

/** Returns grants and comments of all relations, as the statements that create them, and their row-level security. */
async function readAccess(query: Query): Promise<RelationAccess[]> {
  return await query(`
    select c.oid::regclass::text as name,
      array(select format('grant %s on %s to %s', a.privilege_type, c.oid::regclass, a.grantee::regrole)
              from aclexplode(c.relacl) a where a.grantee not in (0, c.relowner) order by 1) ||
      array(select format('grant %s (%I) on %s to %s', a.privilege_type, k.attname, c.oid::regclass, a.grantee::regrole)
              from pg_attribute k cross join aclexplode(k.attacl) a
             where k.attrelid = c.oid and a.grantee not in (0, c.relowner) order by 1) as grants,
      array(select format('comment on %s is %L',
                case when d.objsubid > 0 then format('column %s.%I', c.oid::regclass, k.attname)
                     else format(case c.relkind when 'v' then 'view %s' else 'table %s' end, c.oid::regclass) end,
                d.description)
              from pg_description d
              left join pg_attribute k on k.attrelid = c.oid and k.attnum = d.objsubid
             where d.classoid = 'pg_class'::regclass and d.objoid = c.oid order by 1) as comments,
      concat_ws(' ', c.relrowsecurity, c.relforcerowsecurity, (
        select string_agg(concat_ws(' ', p.polname, p.polcmd, p.polpermissive, p.polroles::text,
                  pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)), ', ' order by p.polname)
          from pg_policy p where p.polrelid = c.oid)) as security
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'v') and n.nspname !~ '^(pg_|information_schema|citus|columnar)'
       and not exists (select from pg_depend e where e.objid = c.oid and e.deptype = 'e')
     order by 1`);
}

/**
 * Restores comments and grants. Citus recreates a table on the coordinator whose foreign key references a distributed
 * one, without its comments and with the default grants.
 */
async function restoreAccess(query: Query, before: readonly RelationAccess[]): Promise<void> {
  const after = new Map((await readAccess(query)).map((relation) => [relation.name, relation]));
  for (const { name, grants, comments } of before) {
    const current = after.get(name) ?? { grants: [] as string[], comments: [] as string[] };
    for (const grant of current.grants.filter((item) => !grants.includes(item)))
      await query(grant.replace(/^grant (.*) to (.*)$/, 'revoke $1 from $2'));
    for (const grant of grants.filter((item) => !current.grants.includes(item))) await query(grant);
    for (const comment of comments.filter((item) => !current.comments.includes(item))) await query(comment);
  }
}

/** Throws if a table or view has other grants, policies or comments than before, so that the transaction rolls back. */
async function assertAccessUnchanged(query: Query, before: readonly RelationAccess[]): Promise<void> {
  const after = new Map((await readAccess(query)).map((relation) => [relation.name, relation]));
  const changed = before.find((relation) => !isDeepStrictEqual(after.get(relation.name), relation));
  if (changed)
    throw new Error(
      `Distribution would change the rights, policies or comments of ${changed.name}; it was rolled back.`,
    );
}
