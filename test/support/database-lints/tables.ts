import type { Lint } from './lint.ts';
import { excludeExtensionObjects, notOfService, isOwnSchema } from './own-schemas.ts';

const tables =
  `pg_class c join pg_namespace n on n.oid = c.relnamespace and ${isOwnSchema} where c.relkind in ('r', 'p') ` +
  `and ${excludeExtensionObjects('c.oid', 'pg_class')}`;

export const tableLints: readonly Lint[] = [
  {
    name: 'no policy and no reason',
    remedy:
      "Say that it is meant: comment on table … is 'Server only, no policy: <what it holds>'; else write the policy.",
    sql: `select c.oid::regclass::text as object from ${tables} and c.relrowsecurity
      and not exists (select from pg_policy p where p.polrelid = c.oid and ${notOfService})
      and coalesce(obj_description(c.oid, 'pg_class'), '') !~ '^Server only, no policy: \\S'`,
    violation: {
      createViolation: 'create table public.bad (id int primary key); alter table public.bad enable row level security',
      object: 'bad',
    },
  },
  {
    name: 'server only, yet open to clients',
    remedy: 'According to the comment no client reads it: revoke the grant or the policy, or change the comment.',
    sql: `select c.oid::regclass::text as object from ${tables} and obj_description(c.oid, 'pg_class') ~ '^Server only'
      and (exists (select from pg_policy p where p.polrelid = c.oid and ${notOfService})
        or exists (select from unnest(array['anon', 'authenticated']) as role
                   where has_any_column_privilege(role, c.oid, 'select, insert, update')
                     or has_table_privilege(role, c.oid, 'delete')))`,
    violation: {
      createViolation: `create table public.bad (id int primary key); alter table public.bad enable row level security;
        comment on table public.bad is 'Server only, no policy: test.'; grant
          select (id) on public.bad to authenticated`,
      object: 'bad',
    },
  },
  {
    name: 'no primary key',
    remedy: 'A row that cannot be named cannot be updated safely: add a primary key.',
    sql: `select c.oid::regclass::text as object from ${tables} and not c.relispartition
      and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'p')`,
    violation: { createViolation: 'create table public.bad (id int)', object: 'bad' },
  },
  {
    name: 'foreign key without an index',
    remedy: 'Each delete of a parent would read the whole table: create an index that begins with the key’s columns.',
    sql: `select k.conrelid::regclass::text || '.' || k.conname as object
      from pg_constraint k join pg_namespace n on n.oid = k.connamespace and ${isOwnSchema}
      where k.contype = 'f' and not exists (
        select from pg_index i
        where i.indrelid = k.conrelid and i.indisvalid
          -- "where key is not null" still serves the key's look-ups, since they name a value
          and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) =
            (select format('(%I IS NOT NULL)', a.attname) from pg_attribute a
              where a.attrelid = k.conrelid and array[a.attnum] = k.conkey))
          and (i.indkey::int2[])[0:array_length(k.conkey, 1) - 1] @> k.conkey)`,
    violation: {
      createViolation:
        'create table public.bad (id int primary key, parent int constraint bad_parent references public.bad)',
      object: 'bad.bad_parent',
    },
  },
  {
    name: 'the same index twice',
    remedy: 'Every write pays for both: drop one.',
    sql: `select max(i.indexrelid)::regclass::text as object from pg_index i join pg_class c on c.oid = i.indexrelid
      join pg_namespace n on n.oid = c.relnamespace and ${isOwnSchema}
      group by i.indrelid, i.indkey::text, i.indclass::text, i.indoption::text, i.indcollation::text,
        pg_get_expr(i.indexprs, i.indrelid), pg_get_expr(i.indpred, i.indrelid), c.relam
      having count(*) > 1`,
    violation: {
      createViolation:
        'create table public.bad (id int constraint bad_key primary key); ' +
        'create index bad_again on public.bad (id)',
      object: 'bad_again',
    },
  },
  {
    name: 'view that runs as its owner',
    remedy:
      'It would show rows past row-level security: create view … with (security_invoker = true), or revoke it ' +
      'from clients.',
    sql: `select c.oid::regclass::text as object from pg_class c join pg_namespace n on n.oid = c.relnamespace
      and ${isOwnSchema}
      where c.relkind in ('v', 'm') and ${excludeExtensionObjects('c.oid', 'pg_class')}
        and coalesce(c.reloptions, '{}') && array['security_invoker=true', 'security_invoker=on',
          'security_invoker=1'] is not true
        and exists (select from unnest(array['anon', 'authenticated']) as role
          where has_any_column_privilege(role, c.oid, 'select'))`,
    violation: {
      createViolation: 'create view public.bad as select 1 as one; grant select on public.bad to authenticated',
      object: 'bad',
    },
  },
];
