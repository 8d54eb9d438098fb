import type pg from 'pg';
import { isOwnSchema } from '../database-lints/own-schemas.ts';

const CLIENT_AND_SERVICE_ROLES = `(values ('anon'), ('authenticated'), ('service_role'), ('assistant'))`;
/** The roles that our migrations create, as a list for `in`. */
export const OUR_ROLES =
  `('anon', 'authenticated', 'service_role', 'authenticator', 'service_authenticator', ` +
  `'assistant', 'assistant_authenticator')`;
/** Our schemas and the queue's schema. */
const anySchema = `(${isOwnSchema} or n.nspname = 'graphile_worker')`;

/** Functions of the server that reach beyond a member's transaction. A migration revokes them from PUBLIC. */
export const serverFunction = `p.pronamespace = 'pg_catalog'::regnamespace
  and (p.proname in ('set_config', 'lo_creat', 'lo_create', 'lo_from_bytea')
    or p.proname in ('pg_notify', 'pg_logical_emit_message', 'pg_export_snapshot', 'pg_current_xact_id', 'txid_current')
    or p.proname ~ '^pg_(try_)?advisory_(un)?lock')`;

/** Returns SQL for an access list as text without its owner: `service_role: delete, select; PUBLIC: select`. */
const formatAcl = (acl: string, owner: string) => `coalesce((
  select string_agg(who || ': ' || what, '; ' order by who) from (
    select case a.grantee when 0 then 'PUBLIC' else a.grantee::regrole::text
      end as who, string_agg(lower(a.privilege_type), ', ' order by a.privilege_type) as what
      from aclexplode(${acl}) a where a.grantee <> ${owner} group by 1) grants), '-')`;

/** Every access list with its object, list and owner. */
const accessLists = `
  select 'schema ' || n.nspname as object, n.nspacl as acl, n.nspowner as owner from pg_namespace n where ${anySchema}
  union all select c.oid::regclass::text, c.relacl, c.relowner from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and ${anySchema}
  union all select c.oid::regclass || '.' || a.attname, a.attacl, c.relowner
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
      and ${anySchema}
  union all select p.oid::regprocedure::text, p.proacl, p.proowner from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace and ${anySchema}
  union all select 'server function ' || p.oid::regprocedure, p.proacl, p.proowner from pg_proc p
    where ${serverFunction}
  union all select 'database', d.datacl, d.datdba from pg_database d where d.datname = current_database()`;

const owned = `
  select 'schema ' || n.nspname as object, n.nspowner as owner from pg_namespace n where ${anySchema}
  union all select c.oid::regclass::text, c.relowner from pg_class c join pg_namespace n on n.oid = c.relnamespace
    and ${anySchema}
  union all select p.oid::regprocedure::text, p.proowner from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    and ${anySchema}
  union all select 'type ' || t.oid::regtype, t.typowner from pg_type t join pg_namespace n on n.oid = t.typnamespace
    and ${anySchema}
  union all select 'large object ' || l.oid, l.lomowner from pg_largeobject_metadata l
  union all select 'database', d.datdba from pg_database d where d.datname = current_database()`;

/** Each query returns rows (name, line). */
const sources: readonly string[] = [
  `select 'schema ' || n.nspname, coalesce(string_agg(r.name || ' ' || p.privilege, ', ' order by r.name, p.privilege),
    '-')
     from pg_namespace n
     left join (${CLIENT_AND_SERVICE_ROLES} r (name)
       cross join (values ('usage'), ('create')) p (privilege)) on has_schema_privilege(r.name, n.oid, p.privilege)
    where ${anySchema} group by 1`,
  `select 'sequence ' || c.oid::regclass,
    coalesce(string_agg(r.name || ' ' || p.privilege, ', ' order by r.name, p.privilege), '-')
     from pg_class c join pg_namespace n on n.oid = c.relnamespace and ${isOwnSchema}
     left join (${CLIENT_AND_SERVICE_ROLES} r (name)
       cross join (values ('usage'), ('select'), ('update')) p (privilege)) on has_sequence_privilege(r.name, c.oid,
       p.privilege)
    where c.relkind = 'S' group by 1`,
  // The attributes of roles, and the initial settings of their sessions.
  `select 'role ' || r.rolname, concat_ws(', ', case when r.rolsuper then 'superuser' end,
            case when r.rolbypassrls then 'bypasses row-level security' end,
            case when r.rolcanlogin then 'logs in' end, case when r.rolcreaterole then 'makes roles' end,
            case when r.rolcreatedb then 'makes databases' end,
            'may become ' || coalesce((
              select string_agg(concat_ws(' ', b.rolname, case when m.inherit_option then '(has its rights unasked)'
                end, case when m.admin_option then '(may let others in)' end,
                                case when not m.set_option then '(not by name)' end), ', ' order by b.rolname)
                from pg_auth_members m join pg_roles b on b.oid = m.roleid where m.member = r.oid), 'nobody'))
     from pg_roles r where r.rolname in ${OUR_ROLES}`,
  `select 'role ' || r.rolname, 'begins with ' || coalesce((
       select string_agg(config, ', ' order by config) from pg_db_role_setting s, unnest(s.setconfig) config
        where s.setrole = r.oid
          and s.setdatabase in (0, (select oid from pg_database where datname = current_database()))), 'nothing set')
     from pg_roles r where r.rolname in ${OUR_ROLES}`,
  `select 'database', ${formatAcl('d.datacl', 'd.datdba')} from pg_database d where d.datname = current_database()`,
  `select 'parameters of the server', coalesce((select string_agg(a.parname || ' for ' || ` +
    `${formatAcl('a.paracl', '10')}, '; ' order by a.parname) from pg_parameter_acl a), '-')`,
  `select 'functions of the server', p.oid::regprocedure || ': ' || ` +
    `${formatAcl(`coalesce(p.proacl, acldefault('f', p.proowner))`, 'p.proowner')} from pg_proc p ` +
    `where ${serverFunction}`,
  `select 'owners beside the owner',
    coalesce(string_agg(o.object || ': ' || o.owner::regrole, ', ' order by o.object), '-')
     from (${owned}) o where o.owner <> current_user::regrole`,
  `select 'rights that may be passed on',
    coalesce(string_agg(l.object || ': ' || lower(a.privilege_type) || ' by ' || a.grantee::regrole, ', '
    order by l.object, a.privilege_type, a.grantee), '-')
     from (${accessLists}) l, aclexplode(l.acl) a where a.is_grantable and a.grantee <> l.owner`,
  // The queue's library creates these objects. Only the service may have access.
  `select 'queue ' || c.oid::regclass, case c.relkind when 'r' then 'row-level security ' || case
    when c.relrowsecurity then 'on' else 'OFF' end || '; ' else '' end || ${formatAcl('c.relacl', 'c.relowner')}
     from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'graphile_worker'
       where c.relkind in ('r', 'p', 'v', 'm', 'S')`,
  `select 'queue ' || c.oid::regclass, 'column ' || a.attname || '; ' || ${formatAcl('a.attacl', 'c.relowner')}
     from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'graphile_worker'
       join pg_attribute a on a.attrelid = c.oid and a.attacl is not null`,
  `select 'queue ' || c.oid::regclass, 'policy ' || p.polname from pg_class c ` +
    `join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'graphile_worker' ` +
    'join pg_policy p on p.polrelid = c.oid',
  `select 'queue ' || p.oid::regprocedure, case when p.prosecdef then 'rights of its OWNER; ' else ''
    end || ${formatAcl('coalesce(p.proacl, ' + `acldefault('f', p.proowner))`, 'p.proowner')}
     from pg_proc p join pg_namespace n on n.oid = p.pronamespace and n.nspname = 'graphile_worker'`,
];

/**
 * Returns catalog facts beyond our tables and functions: schemas, roles, the database, the server's functions and the
 * queue, as name -> lines.
 */
export async function describeSurroundings(client: pg.Client): Promise<Map<string, string[]>> {
  const sourceQueries = sources.map(
    (source, index) => `select ${index} as source, s.* from (${source}) s (name, line)`,
  );
  const text = `select name, array_agg('  ' || line order by source, line) as lines
    from (${sourceQueries.join('\nunion all\n')}) all_lines group by name order by name collate "C"`;
  const { rows } = await client.query<{ name: string; lines: string[] }>(text);
  return new Map(rows.map(({ name, lines }) => [name, lines]));
}
