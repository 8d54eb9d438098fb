/**
 * Condition on `pg_namespace n`: schemas with objects of our migrations. The queue's library manages its own schema.
 */
export const isOwnSchema = `n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'graphile_worker')`;

/** Condition on an object's oid and catalog: no extension owns the object. */
export const excludeExtensionObjects = (oid: string, catalog: string): string =>
  `not exists (select from pg_depend e where e.objid = ${oid} and e.classid = '${catalog}'::regclass ` +
  `and e.deptype = 'e')`;

/**
 * Condition on `pg_policy p`: excludes the policies for a service whose owner could not grant BYPASSRLS
 * (src/platform/database/service-role-policies.ts). These policies apply only to the service role and allow every row.
 */
export const notOfService = `p.polroles <> array['service_role'::regrole]::oid[]`;

/** The roles of statements from outside. 0 is PUBLIC, which includes all of them. */
export const clientRoles = `(0, 'anon'::regrole, 'authenticated'::regrole, 'assistant'::regrole)`;
