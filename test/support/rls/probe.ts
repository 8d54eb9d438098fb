import type pg from 'pg';

/** One statement that runs as a role in the name of a member (`claims`) and is rolled back. */
export interface Probe {
  role: string;
  claims?: string | undefined;
  sql: string;
}

/**
 * The outcome of a statement. It touched `rows`, passed every right and then violated another rule (`stopped`), or was
 * rejected.
 */
export type Outcome =
  | { kind: 'rows'; rows: number }
  | { kind: 'stopped'; why: string }
  | { kind: 'rejected'; why: string };

/** The server itself decides on the rights: one round trip runs a thousand statements and rolls back each of them. */
const PROBE_FUNCTION = `
create or replace function pg_temp.probe(p_role text, p_claims text,
  p_sql text) returns text language plpgsql as $probe$
declare
  n bigint;
begin
  perform set_config('request.jwt.claims', p_claims, true);
  execute format('set local role %I', p_role);
  execute p_sql;
  get diagnostics n = row_count;
  raise exception using errcode = 'ZZ000', message = n::text;
exception
  when sqlstate 'ZZ000' then return 'rows ' || sqlerrm;
  when others then return case sqlstate when '42501' then 'rejected ' else 'stopped ' end || sqlstate || ' ' || sqlerrm;
end
$probe$`;

export const createProbeFunction = (client: pg.Client): Promise<unknown> => client.query(PROBE_FUNCTION);

/** Runs all probes in order. `client` is the owner's connection, inside a transaction that will be rolled back.
 * It must have the function of the probes. */
export async function runProbes(client: pg.Client, probes: readonly Probe[]): Promise<Outcome[]> {
  const { rows } = await client.query<{ result: string }>(
    `select pg_temp.probe(p ->> 'role', coalesce(p ->> 'claims', ''), p ->> 'sql') as result
       from jsonb_array_elements($1::jsonb) with ordinality as list (p, n) order by n`,
    [JSON.stringify(probes)],
  );
  return rows.map(({ result }) => parseOutcome(result));
}

function parseOutcome(text: string): Outcome {
  const kind = text.slice(0, text.indexOf(' '));
  const rest = text.slice(text.indexOf(' ') + 1);
  if (kind === 'rows') return { kind, rows: Number(rest) };
  return { kind: kind === 'rejected' ? 'rejected' : 'stopped', why: rest };
}

export const createClaims = (member: string): string => JSON.stringify({ sub: member, role: 'authenticated' });
