/** Condition on `pg_namespace n`: schemas that our migrations fill. The queue's library looks after its own. */
export const isOwnSchema = `n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'graphile_worker')`;

/** Condition on an object's oid and catalog: it was not brought by an extension. */
export const excludeExtensionObjects = (oid: string, catalog: string): string =>
  `not exists (select from pg_depend e where e.objid = ${oid} and e.classid = '${catalog}'::regclass ` +
  `and e.deptype = 'e')`;

/**
 * Condition on `pg_policy p`: it is none by which the service passes where its owner could not give it BYPASSRLS
 * (src/platform/database/service-role-policies.ts). Those are for nobody else, and let every row pass.
 */
export const notOfService = `p.polroles <> array['service_role'::regrole]::oid[]`;

/** The roles whose statements come from outside; 0 is PUBLIC, to which they belong. */
export const clientRoles = `(0, 'anon'::regrole, 'authenticated'::regrole, 'assistant'::regrole)`;
