import type { Handle } from './roles.ts';

/**
 * Returns whether the role of members' own SQL may still call `set_config()`. The migration of the client guards closes
 * it together with session locks, large objects and the like, if it runs as a superuser.
 */
export async function canAssistantSetClaims(sql: Pick<Handle, 'query'>): Promise<boolean> {
  const [row] = await sql.query<{ may_call: boolean }>(
    `select has_function_privilege(oid, 'pg_catalog.set_config(text, text, boolean)', 'execute') as may_call
       from pg_catalog.pg_roles where rolname = 'assistant'`,
  );
  return row?.may_call === true;
}
