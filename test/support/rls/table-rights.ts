import type pg from 'pg';
import { OTHER, OWNER, createSampleRow, type Table } from './one-row-each.ts';
import { createClaims, type Outcome, type Probe, runProbes } from './probe.ts';

const ROLES = ['anon', 'authenticated', 'service_role', 'assistant'] as const;
const VERBS = ['select', 'insert', 'update', 'delete'] as const;
type Verb = (typeof VERBS)[number];

const WHOLE_TABLE = 'truncate, trigger, maintain';

/**
 * Returns the grants of each role by column, found by probes without a row. The schema is opened first, since a closed
 * schema would hide a grant and has its own entry. Must run in a transaction that is rolled back.
 */
export async function findGrants(client: pg.Client, table: Table): Promise<string[]> {
  if (table.view) return findViewGrants(client, table);
  await openSchema(client, table);
  const lines: string[] = [];
  for (const role of ROLES) {
    const probeByVerb = VERBS.flatMap((verb) =>
      createAttempts(table, verb).map(({ column, sql }) => ({
        verb,
        column,
        probe: { role, claims: createClaims(OWNER), sql },
      })),
    );
    const outcomes = await runProbes(
      client,
      probeByVerb.map(({ probe }) => probe),
    );
    const grantedVerbs = VERBS.map((verb) => {
      const all = probeByVerb
        .map((one, index) => ({ ...one, granted: isGranted(outcomes[index]!, one.probe) }))
        .filter((candidate) => candidate.verb === verb);
      const granted = all.filter((candidate) => candidate.granted);
      if (granted.length === 0) return '';
      return granted.length === all.length ? verb : `${verb} (${granted.map(({ column }) => column).join(', ')})`;
    });
    const { rows } = await client.query<{ extra: string[] }>(
      `select coalesce(array_agg(p), '{}') as extra from unnest(string_to_array('${WHOLE_TABLE}', ', ')) ` +
        `p where has_table_privilege('${role}', '${table.name}', p)`,
    );
    const { rows: canReference } = await client.query<{ name: string }>(
      'select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 ' +
        `and not attisdropped and has_column_privilege($2, attrelid, attnum, 'references') order by attnum`,
      [table.name, role],
    );
    let references = '';
    if (canReference.length === table.columns.length) references = 'references';
    else if (canReference.length > 0) references = `references (${canReference.map(({ name }) => name).join(', ')})`;
    const summary = [...grantedVerbs, references, ...rows[0]!.extra].filter(Boolean).join(', ');
    lines.push(`  ${role}: ${summary || '-'}`);
  }
  return lines;
}

/**
 * Reads the grants of a view from the catalog. A probe would fail for the tables beneath, or since no view here is
 * writable, and hide the grant.
 */
async function findViewGrants(client: pg.Client, { name }: Table): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(
    `select '  ' || role || ': ' || coalesce((
              select string_agg(verb || case when whole then '' else ' (some columns)' end, ', ' order by verb) from (
                select verb, has_table_privilege(role, $1::regclass, verb) as whole
                  from unnest(array['select', 'insert', 'update', 'delete', 'references', ${WHOLE_TABLE.split(', ')
                    .map((verb) => `'${verb}'`)
                    .join()}]) verb
                 where has_table_privilege(role, $1::regclass, verb)
                    or verb in ('select', 'insert', 'update', 'references') and exists (
                         select from pg_attribute a where a.attrelid = $1::regclass and a.attnum > 0
                           and has_column_privilege(role, a.attrelid, a.attnum, verb))) held), '-') as line
       from unnest($2::text[]) with ordinality as r (role, place) order by place`,
    [name, ROLES],
  );
  return rows.map(({ line }) => line);
}

function createAttempts(table: Table, verb: Verb): { column: string; sql: string }[] {
  if (verb === 'delete') return [{ column: '', sql: `delete from ${table.name} where false` }];
  return table.columns
    .filter(({ settable }) => settable || verb === 'select')
    .map(({ name, type }) => {
      if (verb === 'select') return { column: name, sql: `select ${name} from ${table.name} limit 0` };
      if (verb === 'update') return { column: name, sql: `update ${table.name} set ${name} = default where false` };
      return {
        column: name,
        sql: `insert into ${table.name} (${name}) overriding system value select null::${type} where false`,
      };
    });
}

/**
 * Returns whether a statement without a row was allowed. Only a missing grant rejects it, so any other error is a bug
 * of the probe.
 */
function isGranted(outcome: Outcome, { sql }: Probe): boolean {
  if (outcome.kind === 'stopped') throw new Error(`The probe is broken: ${sql}: ${outcome.why}`);
  return outcome.kind === 'rows';
}

const ACTORS: readonly { name: string; role: string; claims?: string }[] = [
  { name: 'A', role: 'authenticated', claims: createClaims(OWNER) },
  { name: 'B', role: 'authenticated', claims: createClaims(OTHER) },
  { name: 'no claims', role: 'authenticated' },
  { name: 'anon', role: 'anon' },
  { name: "A's own SQL", role: 'assistant', claims: createClaims(OWNER) },
  { name: "B's own SQL", role: 'assistant', claims: createClaims(OTHER) },
];

/**
 * Returns the effect of row-level security. Every grant is given first, so that no missing grant hides a loose policy.
 * Only A has a row. Must run in a transaction that is rolled back.
 */
export async function findPolicies(client: pg.Client, table: Table): Promise<string[]> {
  await openSchema(client, table);
  await client.query(`grant all on ${table.name} to anon, authenticated, assistant`);
  // A view with its reader's rights reads the tables beneath as the reader.
  if (table.view) {
    await client.query(
      'grant usage on schema public, market, assistant to anon, authenticated, assistant; grant ' +
        'select on all tables in schema public, market, assistant to anon, authenticated, assistant',
    );
  }
  const row = createSampleRow(table);
  const owners = table.columns.filter(({ name }) => /idp_id$/.test(name)).map(({ name }) => name);
  // The statement sets a constant without a condition. Reading a column would add the select policy and hide a loose
  // update policy.
  const plain = table.columns.find(({ name, settable }) => settable && !owners.includes(name))?.name;
  const writes = {
    ...(plain && { updates: `update ${table.name} set ${plain} = default` }),
    deletes: `delete from ${table.name}`,
    "inserts as A's": `insert into ${table.name} (${row.columns}) overriding system value values (${row.values})`,
    ...(owners.length > 0 && {
      'hands to B': `update ${table.name} set ${owners.map((owner) => `${owner} = '${OTHER}'`).join(', ')}`,
    }),
  };
  const lines: string[] = [];
  for (const { name, role, claims } of ACTORS) {
    const probes: Record<string, string> = {
      sees: `select from ${table.name}`,
      ...(!table.view && writes),
    };
    const outcomes = await runProbes(
      client,
      Object.values(probes).map((sql) => ({ role, claims, sql })),
    );
    const isAllowed = Object.keys(probes).filter((_, index) => reachedRows(outcomes[index]!));
    lines.push(`    ${name}: ${isAllowed.join(', ') || 'nothing'}`);
  }
  return lines;
}

const openSchema = (client: pg.Client, { schema }: Table) =>
  client.query(`grant usage on schema ${schema} to ${ROLES.join(', ')}`);

/**
 * Returns true if the policies allowed a row. A row that another rule stopped (a duplicate, a missing value) had passed
 * the policies.
 */
const reachedRows = (outcome: Outcome): boolean =>
  outcome.kind === 'stopped' || (outcome.kind === 'rows' && outcome.rows > 0);
