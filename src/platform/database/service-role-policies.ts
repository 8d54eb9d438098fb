import type pg from 'pg';

const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Creates `service_role` if our first migration could not. Granting BYPASSRLS needs a superuser, which managed servers
 * do not offer. The role then gets an allow-all policy on each table (`createServiceRolePolicies`). The migration warns
 * an owner who may create no roles.
 */
export async function createServiceRole(owner: pg.Client, warn: (message: string) => void): Promise<void> {
  const { rows } = await owner.query<{ exists: boolean }>(
    `select exists (select from pg_catalog.pg_roles where rolname = 'service_role') as exists`,
  );
  if (rows[0]?.exists) return;
  // Tried in a transaction that is rolled back. The migration creates the role with its settings.
  const canGrantBypass = await tryStatement(
    owner,
    'begin; create role service_role nologin noinherit bypassrls; rollback',
  );
  if (canGrantBypass || !(await tryStatement(owner, 'create role service_role nologin noinherit'))) return;
  warn(
    'This owner may not grant BYPASSRLS, so service_role gets an allow-all policy on each table: ' +
      'see docs/how-to/external-database.md.',
  );
}

async function tryStatement(owner: pg.Client, text: string): Promise<boolean> {
  try {
    await owner.query(text);
    return true;
  } catch (error) {
    await owner.query('rollback');
    if ((error as { code?: string }).code === INSUFFICIENT_PRIVILEGE) return false;
    throw error;
  }
}

/** Name of the policy in the catalog. */
const SERVICE_POLICY = 'service_role_all';

/**
 * Gives `service_role` without BYPASSRLS an allow-all policy on each table that it has grants on. Its grants still
 * limit it. Runs after the migrations, so that it covers new tables. Does nothing if the role has BYPASSRLS.
 */
export async function createServiceRolePolicies(owner: pg.Client): Promise<void> {
  await owner.query(`
    do $$
    declare
      relation record;
    begin
      if (select rolbypassrls or rolsuper from pg_catalog.pg_roles where rolname = 'service_role') then
        return;
      end if;
      for relation in
        select c.oid::regclass as name
          from pg_catalog.pg_class c
         where c.relkind in ('r', 'p') and c.relrowsecurity
           and pg_catalog.pg_has_role(current_user, c.relowner, 'usage')
           and pg_catalog.has_table_privilege('service_role', c.oid, 'select, insert, update, delete')
           and not exists (
             select from pg_catalog.pg_policy p where p.polrelid = c.oid and p.polname = '${SERVICE_POLICY}')
      loop
        execute format('create policy ${SERVICE_POLICY} on %s to service_role using (true) with check (true)',
          relation.name);
      end loop;
    end
    $$`);
}
