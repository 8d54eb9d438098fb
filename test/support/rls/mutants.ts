import type pg from 'pg';
import { isOwnSchema } from '../database-lints/own-schemas.ts';
import { OUR_ROLES, serverFunction } from './surroundings.ts';

/** One loosened or revoked right. `object` is the entry of the table of rights that must change. */
export interface Mutant {
  object: string;
  what: string;
  sql: string;
}

const table = `format('%I.%I', n.nspname, c.relname)`;
/** The object's entry in the table of rights. */
const entry = `case when c.relkind in ('v', 'm') then 'view ' else 'table ' end || ${table}`;
const tables =
  `pg_class c join pg_namespace n on n.oid = c.relnamespace and ${isOwnSchema} and c.relkind in ('r', 'p', ` +
  `'v', 'm')`;
const routine = `format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid))`;
const routines = `pg_proc p join pg_namespace n on n.oid = p.pronamespace and ${isOwnSchema} and p.prokind <> 'a'`;
const columns = `pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped`;

const clients = `unnest(array['public', 'anon', 'authenticated']) role`;
const queue = `n.nspname = 'graphile_worker'`;

/**
 * SQL that returns every mutant as a row (object, what, sql). It reads the catalog, so a new table adds its own
 * mutants. A policy with a further condition (`or balance < 0`) is left out: `npm run check` compares its text in
 * db/schema.sql with a new database.
 */
const sources: readonly string[] = [
  // Row-level security is disabled, and each policy is dropped, opened or given to everybody.
  `select ${entry}, 'row-level security off', format('alter table %s disable row level security', ` +
    `${table}) from ${tables} where c.relrowsecurity`,
  `select ${entry}, change.what || ' ' || p.polname, format(change.sql, p.polname, ${table})
     from ${tables} join pg_policy p on p.polrelid = c.oid
     cross join lateral (values
       ('drop policy', 'drop policy %I on %s', true),
       ('using (true) in', 'alter policy %I on %s using (true)', p.polqual is not null
         and pg_get_expr(p.polqual, p.polrelid) <> 'true'),
       ('with check (true) in', 'alter policy %I on %s with check (true)', p.polcmd in ('*', 'w', 'a')
         and coalesce(pg_get_expr(p.polwithcheck, p.polrelid), '') <> 'true'),
       ('any role in', 'alter policy %I on %s to public', p.polqual is not null
         and pg_get_expr(p.polqual, p.polrelid) = 'true'),
       ('any sub in', 'alter policy %I on %s using (public.member_id() is not null)',
         pg_get_expr(p.polqual, p.polrelid) ~ 'member_id')
     ) change (what, sql, applies) where change.applies`,
  `select ${entry}, 'a further policy for ' || verb, format('create policy mutant on %s for %s to authenticated %s',
    ${table}, verb,
            case verb when 'insert' then 'with check (true)' else 'using (true)' end)
     from ${tables} cross join (values ('select'), ('insert'), ('update'), ('delete')) v (verb)
    where c.relkind in ('r', 'p') and not exists (select from pg_policy p where p.polrelid = c.oid
      and p.polcmd in ('*', case verb when 'select' then 'r' when 'insert' then 'a' when 'update' then 'w' else 'd' end)
      and pg_get_expr(p.polqual, p.polrelid) = 'true')`,
  `select ${entry}, 'its owner''s rights', format('alter view %s set (security_invoker = false)', ` +
    `${table}) from ${tables} where c.relkind = 'v' and 'security_invoker=true' = any (c.reloptions)`,
  // Existing grants are revoked and absent ones granted, column by column.
  `select ${entry}, 'revoke ' || lower(g.privilege_type) || ' from ' || g.grantee::regrole,
    format('revoke %s on %s from %s', g.privilege_type, ${table}, g.grantee::regrole)
     from ${tables}, aclexplode(c.relacl) g
       where g.grantee in ('anon'::regrole, 'authenticated'::regrole, 'service_role'::regrole, 'assistant'::regrole)`,
  `select ${entry}, format('revoke %s (%I) from %s', lower(g.privilege_type), a.attname, g.grantee::regrole),
    format('revoke %s (%I) on %s from %s', g.privilege_type, a.attname, ${table}, g.grantee::regrole)
     from ${tables} join ${columns}, aclexplode(a.attacl) g
       where g.grantee in ('anon'::regrole, 'authenticated'::regrole, 'service_role'::regrole, 'assistant'::regrole)`,
  `select ${entry}, format('grant %s to %s', verb, role), format('grant %s on %s to %s', verb, ${table}, role)
     from ${tables} cross join unnest(array['anon', 'authenticated', 'service_role', 'assistant']) role
     cross join unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger', 'maintain'])
       verb
    where not has_table_privilege(role, c.oid, verb)
      and (verb not in ('select', 'insert', 'update', 'references') or exists (
        select from ${columns.replace(' on ', ' where ')} and not has_column_privilege(role, c.oid, a.attnum, verb)))`,
  `select ${entry}, format('grant %s (%I) to authenticated', verb, a.attname),
    format('grant %s (%I) on %s to authenticated', verb, a.attname, ${table})
     from ${tables} join ${columns} and a.attgenerated = ''
       cross join unnest(array['select', 'insert', 'update', 'references']) verb
    where not has_column_privilege('authenticated', c.oid, a.attnum, verb)`,
  // Functions: their callers, and the rights that they run with.
  `select 'function ' || ${routine}, format('grant execute to %s', role),
    format('grant execute on function %s to %s', ${routine}, role)
     from ${routines} cross join unnest(array['anon', 'authenticated', 'service_role', 'assistant']) role
       where not has_function_privilege(role, p.oid, 'execute')`,
  `select 'function ' || ${routine}, format('revoke execute from %s', g.grantee::regrole),
    format('revoke execute on function %s from %s', ${routine}, g.grantee::regrole)
     from ${routines}, aclexplode(p.proacl) g
       where g.grantee in ('anon'::regrole, 'authenticated'::regrole, 'service_role'::regrole, 'assistant'::regrole)`,
  `select 'function ' || ${routine}, 'the other one''s rights', format('alter function %s security %s', ` +
    `${routine}, case when p.prosecdef then 'invoker' else 'definer' end) from ${routines}`,
  `select 'function ' || ${routine}, 'without its search path', ` +
    `format('alter function %s reset search_path', ${routine}) from ${routines} where p.proconfig is not null`,
  // Schemas, sequences and roles.
  `select 'schema ' || n.nspname, format('grant %s to %s', verb, role),
    format('grant %s on schema %I to %s', verb, n.nspname, role)
     from pg_namespace n cross join unnest(array['anon', 'authenticated', 'service_role', 'assistant']) role
       cross join unnest(array['usage', 'create']) verb
    where ${isOwnSchema} and not has_schema_privilege(role, n.oid, verb)`,
  `select 'schema ' || n.nspname, format('revoke usage from %s', g.grantee::regrole),
    format('revoke usage on schema %I from %s', n.nspname, g.grantee::regrole)
     from pg_namespace n, aclexplode(n.nspacl) g
    where ${isOwnSchema} and g.privilege_type = 'USAGE'
      and g.grantee in ('anon'::regrole, 'authenticated'::regrole, 'service_role'::regrole, 'assistant'::regrole)
      and not exists (select from aclexplode(n.nspacl) p where p.grantee = 0 and p.privilege_type = 'USAGE')`,
  `select 'sequence ' || c.oid::regclass, 'grant usage to ' || role,
    format('grant usage on sequence %s to %s', c.oid::regclass, role)
     from pg_class c join pg_namespace n on n.oid = c.relnamespace and ${isOwnSchema}
       cross join unnest(array['anon', 'authenticated']) role where c.relkind = 'S'`,
  `select 'role ' || role, change, format('alter role %s %s', role, change)
     from unnest(array['anon', 'authenticated']) role
       cross join unnest(array['bypassrls', 'superuser', 'login', 'createrole', 'createdb']) change`,
  `select 'role ' || role, 'may become service_role', format('grant service_role to %s', role) ` +
    `from unnest(array['anon', 'authenticated', 'authenticator']) role`,
  `select 'role ' || m.member::regrole, format('%s %s', way, m.roleid::regrole),
    format('grant %s to %s with %s', m.roleid::regrole, m.member::regrole, way)
     from pg_auth_members m cross join unnest(array['inherit true', 'admin true']) way
       where m.member::regrole::text in ${OUR_ROLES}`,
  `select 'role ' || s.setrole::regrole, 'reset ' || split_part(config, '=', 1),
    format('alter role %s reset %s', s.setrole::regrole, split_part(config, '=', 1))
     from pg_db_role_setting s, unnest(s.setconfig) config where s.setdatabase = 0
       and s.setrole::regrole::text in ${OUR_ROLES}`,
  // The database, and the server's parameters and functions.
  `select 'database', format('grant %s to %s', verb, role),
    format('grant %s on database %I to %s', verb, current_database(), role)
     from ${clients} cross join unnest(array['create', 'temporary']) verb`,
  `select 'parameters of the server', format('grant %s to %s', verb, role),
    format('grant %s on parameter session_replication_role to %s', verb, role)
     from ${clients} cross join unnest(array['set', 'alter system']) verb`,
  `select 'functions of the server', format('grant %s to %s', p.oid::regprocedure, role),
    format('grant execute on function %s to %s', p.oid::regprocedure, role)
     from pg_proc p cross join ${clients} where ${serverFunction}`,
  // Owners, who bypass row-level security, and grantable rights.
  `select 'owners beside the owner', 'table ' || ${table}, format('alter table %s owner to authenticated', ` +
    `${table}) from ${tables}`,
  `select 'owners beside the owner', 'function ' || ${routine}, ` +
    `format('alter function %s owner to authenticated', ${routine}) from ${routines}`,
  `select 'owners beside the owner', 'schema ' || n.nspname, ` +
    `format('alter schema %I owner to authenticated', n.nspname) from pg_namespace n where ${isOwnSchema}`,
  `select 'rights that may be passed on', format('%s on %s by %s', lower(g.privilege_type), ${table},
    g.grantee::regrole), format('grant %s on %s to %s with grant option', g.privilege_type, ${table},
    g.grantee::regrole)
     from ${tables}, aclexplode(c.relacl) g where g.grantee in ('authenticated'::regrole, 'service_role'::regrole)`,
  `select 'rights that may be passed on', format('%s (%I) on %s', lower(g.privilege_type), a.attname, ${table}),
    format('grant %s (%I) on %s to %s with grant option', g.privilege_type, a.attname, ${table}, g.grantee::regrole)
     from ${tables} join ${columns}, aclexplode(a.attacl) g
       where g.grantee in ('authenticated'::regrole, 'service_role'::regrole)`,
  `select 'rights that may be passed on', format('execute on %s by %s', ${routine}, g.grantee::regrole),
    format('grant execute on function %s to %s with grant option', ${routine}, g.grantee::regrole)
     from ${routines}, aclexplode(p.proacl) g where g.grantee in ('authenticated'::regrole, 'service_role'::regrole)`,
  `select 'rights that may be passed on', 'usage of schema ' || n.nspname, ` +
    `format('grant usage on schema %I to service_role with grant option', n.nspname) from pg_namespace n ` +
    `where ${isOwnSchema}`,
  // The queue.
  `select 'queue ' || c.oid::regclass, format('grant %s to %s', verb, role),
    format('grant %s on %s to %s', verb, c.oid::regclass, role)
     from pg_class c join pg_namespace n on n.oid = c.relnamespace and ${queue} cross join ${clients}
       cross join unnest(array['select', 'insert', 'update', 'delete']) verb where c.relkind in ('r', 'v')`,
  `select 'queue ' || c.oid::regclass, 'row-level security off',
    format('alter table %s disable row level security', c.oid::regclass)
     from pg_class c join pg_namespace n on n.oid = c.relnamespace and ${queue} where c.relrowsecurity`,
  `select 'queue ' || c.oid::regclass, format('grant select (%I)', a.attname),
    format('grant select (%I) on %s to authenticated', a.attname, c.oid::regclass)
     from pg_class c join pg_namespace n on n.oid = c.relnamespace and ${queue} join ${columns} where c.relkind = 'r'`,
  `select 'queue ' || p.oid::regprocedure, 'grant to ' || role,
    format('grant execute on function %s to %s', p.oid::regprocedure, role)
     from pg_proc p join pg_namespace n on n.oid = p.pronamespace and ${queue} cross join ${clients}`,
  `select 'queue ' || p.oid::regprocedure, 'its owner''s rights', ` +
    `format('alter function %s security definer', p.oid::regprocedure) from pg_proc p ` +
    `join pg_namespace n on n.oid = p.pronamespace and ${queue}`,
  `select 'schema graphile_worker', 'usage to ' || role, 'grant usage on schema graphile_worker to ' || ` +
    `role from ${clients}`,
];

/** Returns all mutants of the current database in a stable order. */
export async function listMutants(client: pg.Client): Promise<Mutant[]> {
  const { rows } = await client.query<Mutant>(
    `select * from (${sources.join('\nunion all\n')}) m (object, what, sql) order by object, what, sql`,
  );
  return rows;
}
