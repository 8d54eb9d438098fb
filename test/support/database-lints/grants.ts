import type { Lint } from './lint.ts';
import { clientRoles, excludeExtensionObjects, isOwnSchema } from './own-schemas.ts';

const relations = `pg_class c join pg_namespace n on n.oid = c.relnamespace and ${isOwnSchema}`;

export const grantLints: readonly Lint[] = [
  {
    name: 'table open to visitors',
    remedy: 'Only signed-in members may read the database: revoke it from anon and public.',
    sql: `select distinct c.oid::regclass::text as object from ${relations}
      left join pg_attribute t on t.attrelid = c.oid and t.attacl is not null,
        aclexplode(coalesce(c.relacl, '{}') || coalesce(t.attacl, '{}')) a
      where c.relkind in ('r', 'p', 'v', 'm', 'f') and a.grantee in (0, 'anon'::regrole)
        and ${excludeExtensionObjects('c.oid', 'pg_class')}`,
    violation: {
      createViolation: `create table public.bad (id int primary key); grant select (id) on public.bad to anon`,
      object: 'bad',
    },
  },
  {
    name: 'clients may do more than read and write rows',
    remedy:
      'TRUNCATE, REFERENCES, TRIGGER and MAINTAIN pass row-level security by: revoke all, then grant what is meant.',
    sql: `select c.oid::regclass::text || ' ' || lower(a.privilege_type) as object from ${relations},
      aclexplode(c.relacl) a
      where c.relkind in ('r', 'p', 'v', 'm', 'f') and a.grantee in ${clientRoles}
        and a.privilege_type not in ('SELECT', 'INSERT', 'UPDATE', 'DELETE')`,
    violation: {
      createViolation: `create table public.bad (id int primary key); grant truncate on public.bad to authenticated`,
      object: 'bad truncate',
    },
  },
  {
    name: 'sequence open to clients',
    remedy: 'An identity column needs no grant: revoke it.',
    sql:
      `select c.oid::regclass::text as object from ${relations}, aclexplode(c.relacl) a where c.relkind = 'S' ` +
      `and a.grantee in ${clientRoles}`,
    violation: {
      createViolation: `create sequence public.bad; grant usage on sequence public.bad to authenticated`,
      object: 'bad',
    },
  },
  {
    name: 'clients may create objects',
    remedy: 'Their table could replace ours: revoke create on schema … from public, anon, authenticated.',
    sql: `select n.nspname::text as object from pg_namespace n where ${isOwnSchema}
      and exists (select from unnest(array['anon', 'authenticated']) as role
        where has_schema_privilege(role, n.oid, 'create'))`,
    violation: { createViolation: `create schema bad; grant create on schema bad to authenticated`, object: 'bad' },
  },
  {
    name: 'default that opens new objects to clients',
    remedy: 'What a later migration makes would be open at once: alter default privileges … revoke.',
    sql: `select distinct coalesce(n.nspname, '*') || ' ' || d.defaclobjtype::text as object from pg_default_acl d
      left join pg_namespace n on n.oid = d.defaclnamespace,
        aclexplode(d.defaclacl) a where a.grantee in ${clientRoles} and d.defaclobjtype <> 'T' and n.nspname is distinct
          from 'graphile_worker'
      union all
      select 'functions of ' || current_user where not exists (
        select from pg_default_acl d where d.defaclrole = current_user::regrole and d.defaclobjtype = 'f'
          and d.defaclnamespace = 0)`,
    violation: {
      createViolation: `alter default privileges in schema public grant select on tables to authenticated`,
      object: 'public r',
    },
  },
];
