import type pg from 'pg';
import { isOwnSchema } from '../database-lints/own-schemas.ts';
import { OTHER, OWNER } from './one-row-each.ts';
import { createClaims, runProbes } from './probe.ts';

/**
 * Every role that a statement from outside can run as; B stands for a member who calls with somebody else's rows in
 * mind.
 */
const CALLERS = [
  { name: 'anon', role: 'anon', claims: undefined },
  { name: 'A', role: 'authenticated', claims: createClaims(OWNER) },
  { name: 'B', role: 'authenticated', claims: createClaims(OTHER) },
  { name: 'service_role', role: 'service_role', claims: undefined },
  { name: 'own SQL', role: 'assistant', claims: createClaims(OWNER) },
] as const;

interface Routine {
  /** `public.get_tier(text)`. */
  name: string;
  call: string;
  /** As the server names it when it refuses. */
  bare: string;
  definer: boolean;
  settings: string;
}

/** Every function of our schemas but aggregates, which consist of others; with a call that passes null everywhere. */
export async function listRoutines(client: pg.Client): Promise<Routine[]> {
  const { rows } = await client.query<Routine>(`
    select format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)) as name,
           format('select %I.%I(%s)', n.nspname, p.proname,
             (select string_agg('null::' || format_type(t, null), ', ' order by i) from unnest(p.proargtypes)
               with ordinality a (t, i))) as call,
           p.proname as bare, p.prosecdef as definer,
             coalesce(array_to_string(p.proconfig, ' '), 'no settings') as settings
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace and ${isOwnSchema}
     where p.prokind <> 'a' order by 1`);
  return rows;
}

/** Who gets to call a function, found by calling it. What it then does with its arguments is another matter. */
export async function findRoutineRights(
  client: pg.Client,
  { call, bare, definer, settings }: Routine,
): Promise<string[]> {
  const outcomes = await runProbes(
    client,
    CALLERS.map(({ role, claims }) => ({ role, claims, sql: call })),
  );
  const callers = CALLERS.filter((_, index) => {
    const outcome = outcomes[index]!;
    // Another name in the refusal is of something further in: the call itself was let through.
    return !(
      outcome.kind === 'refused' &&
      (outcome.why.endsWith(` function ${bare}`) || outcome.why.includes('permission denied for schema'))
    );
  });
  return [
    `  runs with the rights of its ${definer ? 'owner' : 'caller'}, ${settings}`,
    `  called by: ${callers.map(({ name }) => name).join(', ') || '-'}`,
  ];
}
