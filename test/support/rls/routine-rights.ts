import type pg from 'pg';
import { isOwnSchema } from '../database-lints/own-schemas.ts';
import { OTHER, OWNER } from './one-row-each.ts';
import { createClaims, runProbes } from './probe.ts';

/** Every role that a statement from outside can run as. B is a member who calls with ids of another member's rows. */
const CALLERS = [
  { name: 'anon', role: 'anon', claims: undefined },
  { name: 'A', role: 'authenticated', claims: createClaims(OWNER) },
  { name: 'B', role: 'authenticated', claims: createClaims(OTHER) },
  { name: 'service_role', role: 'service_role', claims: undefined },
  { name: 'own SQL', role: 'assistant', claims: createClaims(OWNER) },
] as const;

interface Routine {
  /** The name with argument types, such as `public.get_tier(text)`. */
  name: string;
  schema: string;
  call: string;
  /** The name in the server's permission error. */
  bare: string;
  definer: boolean;
  settings: string;
}

/**
 * Returns every function of our schemas except aggregates, which consist of others, with a call that passes null
 * everywhere.
 */
export async function listRoutines(client: pg.Client): Promise<Routine[]> {
  const { rows } = await client.query<Routine>(`
    select format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)) as name,
           quote_ident(n.nspname) as schema,
           format('select %I.%I(%s)', n.nspname, p.proname,
             (select string_agg('null::' || format_type(t, null), ', ' order by i) from unnest(p.proargtypes)
               with ordinality a (t, i))) as call,
           p.proname as bare, p.prosecdef as definer,
             coalesce(array_to_string(p.proconfig, ' '), 'no settings') as settings
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace and ${isOwnSchema}
     where p.prokind <> 'a' order by 1`);
  return rows;
}

/**
 * Determines the roles that may call a function by calling it. The effect of the call does not matter. The schema is
 * opened first, since a closed schema would hide a grant and has its own entry. Must run in a transaction that is
 * rolled back.
 */
export async function findRoutineRights(
  client: pg.Client,
  { schema, call, bare, definer, settings }: Routine,
): Promise<string[]> {
  await client.query(`grant usage on schema ${schema} to ${CALLERS.map(({ role }) => role).join(', ')}`);
  const outcomes = await runProbes(
    client,
    CALLERS.map(({ role, claims }) => ({ role, claims, sql: call })),
  );
  const callers = CALLERS.filter((_, index) => {
    const outcome = outcomes[index]!;
    // Another name in the error belongs to an inner object, so the call itself was allowed.
    return !(
      outcome.kind === 'rejected' &&
      (outcome.why.endsWith(` function ${bare}`) || outcome.why.includes('permission denied for schema'))
    );
  });
  return [
    `  runs with the rights of its ${definer ? 'owner' : 'caller'}, ${settings}`,
    `  called by: ${callers.map(({ name }) => name).join(', ') || '-'}`,
  ];
}
