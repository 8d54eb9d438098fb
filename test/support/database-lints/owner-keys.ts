import type { Lint } from './lint.ts';
import { excludeExtensionObjects, isOwnSchema } from './own-schemas.ts';

/** Tables with an owner column, which a server can distribute by member. */
const memberTable = (table: string): string =>
  `exists (select from pg_attribute o where o.attrelid = ${table} and o.attname = 'idp_id' and not o.attisdropped)`;
const getOwnerColumn = (table: string): string =>
  `(select o.attnum from pg_attribute o where o.attrelid = ${table} and o.attname = 'idp_id')`;
const tables =
  `pg_class c join pg_namespace n on n.oid = c.relnamespace and ${isOwnSchema} and c.relkind in ('r', 'p') ` +
  `and ${memberTable('c.oid')}`;
const functions =
  `pg_proc f join pg_namespace n on n.oid = f.pronamespace and ${isOwnSchema} ` +
  `and ${excludeExtensionObjects('f.oid', 'pg_proc')}`;

/**
 * Features that a server with distribution by member rejects or silently drops. Undistributed tables are listed as
 * exceptions.
 */
export const ownerKeyLints: readonly Lint[] = [
  {
    name: 'member table whose key does not begin with its owner',
    remedy:
      'Rows of one member must be storable on one server: primary key (idp_id, id), ' +
      'or name the table as one that stays whole.',
    sql: `select c.oid::regclass::text as object from ${tables}
      where not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary
        and (i.indkey::int2[])[0] = ${getOwnerColumn('c.oid')})`,
    violation: { createViolation: 'create table public.bad (id int primary key, idp_id text)', object: 'bad' },
  },
  {
    name: 'unique rule of a member table without its owner',
    remedy: 'No server sees the rows of all members: put idp_id into it, or name the table as one that stays whole.',
    sql: `select i.indexrelid::regclass::text as object from ${tables} join pg_index i on i.indrelid = c.oid
      where i.indisunique and not (${getOwnerColumn('c.oid')} = any (i.indkey::int2[]))`,
    violation: {
      createViolation:
        'create table public.bad (idp_id text, id int, link text constraint bad_link unique, ' +
        'primary key (idp_id, id))',
      object: 'bad_link',
    },
  },
  {
    name: 'foreign key between member tables without the owner',
    remedy:
      'It would reach over servers, and lets a row point at another member’s: (idp_id, x_id) ' +
      'references x (idp_id, id).',
    sql: `select c.oid::regclass::text || '.' || k.conname as object from ${tables}
      join pg_constraint k on k.conrelid = c.oid
      where k.contype = 'f' and ${memberTable('k.confrelid')} and not (${getOwnerColumn('c.oid')} = any (k.conkey))`,
    violation: {
      createViolation:
        'create table public.bad (idp_id text, id int, friend text constraint bad_friend references ' +
        'public.all_users, primary key (idp_id, id))',
      object: 'bad.bad_friend',
    },
  },
  {
    name: 'trigger on a member table',
    remedy: 'A distributed table takes none: do it in the function or statement that changes the row.',
    sql:
      `select c.oid::regclass::text || '.' || t.tgname as object from ${tables} ` +
      'join pg_trigger t on t.tgrelid = c.oid where not t.tgisinternal',
    violation: {
      createViolation: `create function public.bad() returns trigger language plpgsql
        set search_path = '' as 'begin return null; end';
        create trigger bad after delete on public.watchlist_items execute function public.bad()`,
      object: 'watchlist_items.bad',
    },
  },
  {
    name: 'function bound to a table',
    remedy:
      'Distributing the table drops it: name columns rather than a row type (returns table …), ' +
      'and write the body as a string, not begin atomic.',
    sql: `select distinct f.oid::regprocedure::text as object from ${functions}
      join pg_depend d on d.classid = 'pg_proc'::regclass and d.objid = f.oid
      left join pg_type t on d.refclassid = 'pg_type'::regclass
        and t.oid in (d.refobjid, (select e.typelem from pg_type e where e.oid = d.refobjid))
      join pg_class c on c.oid = case d.refclassid when 'pg_class'::regclass then d.refobjid else t.typrelid end
        and c.relkind in ('r', 'p', 'v', 'm')`,
    violation: {
      createViolation:
        `create function public.bad() returns setof public.plans language sql set search_path = '' as 'select * ` +
        `from public.plans'`,
      object: 'bad()',
    },
  },
  {
    name: 'function with a parsed body on a table',
    remedy: 'Distributing the table drops it: write the body as a string, not begin atomic … end or return (select …).',
    sql: `select distinct f.oid::regprocedure::text as object from ${functions}
      join pg_depend d on d.classid = 'pg_proc'::regclass and d.objid = f.oid and d.refclassid = 'pg_class'::regclass
      where f.prosqlbody is not null`,
    violation: {
      createViolation:
        `create function public.bad() returns bigint language sql set search_path = '' begin atomic ` +
        'select count(*) from public.plans; end',
      object: 'bad()',
    },
  },
  {
    name: 'SQL function with parameters into a member table',
    remedy: 'Citus does not push its parameters down: write it in plpgsql.',
    sql: `select distinct f.oid::regprocedure::text as object from ${functions} join pg_language l on l.oid = f.prolang
      and l.lanname = 'sql'
      join pg_class c on c.relkind in ('r', 'p', 'v') and ${memberTable('c.oid')}
        and f.prosrc ~ ('\\m' || c.relname || '\\M')
      where f.pronargs > 0`,
    violation: {
      createViolation:
        `create function public.bad(p text) returns bigint language sql set search_path = '' as 'select count(*) ` +
        `from public.accounts a where a.idp_id = p'`,
      object: 'bad(text)',
    },
  },
];
