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
