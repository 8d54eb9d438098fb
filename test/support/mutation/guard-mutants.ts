import type pg from 'pg';
import { isOwnSchema } from '../database-lints/own-schemas.ts';
import { mutateSql } from './mutate-sql.ts';

/** One loosened guard of the database. `object` is the qualified table, view or function that contains it. */
export interface GuardMutant {
  kind: 'function' | 'view' | 'policy' | 'unique' | 'check';
  object: string;
  what: string;
  sql: string;
}

/** Returns every mutant of the guards in the catalog, so that a new guard adds its own. Some are rejected as no SQL. */
export async function listGuardMutants(client: pg.Client): Promise<GuardMutant[]> {
  // Names are qualified, as in the definitions that the server prints.
  await client.query(`set search_path = ''`);
  return [
    ...(await listFunctionMutants(client)),
    ...(await listViewMutants(client)),
    ...(await listPolicyMutants(client)),
    ...(await listConstraintMutants(client)),
  ];
}

async function listFunctionMutants(client: pg.Client): Promise<GuardMutant[]> {
  const { rows } = await client.query<{ object: string; definition: string; body: string }>(`
    select format('%s.%s', n.nspname, p.proname) as object, pg_get_functiondef(p.oid) as definition, p.prosrc as body
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace and ${isOwnSchema}
     where p.prokind <> 'a' and p.prosrc <> '' order by 1`);
  return rows.flatMap(({ object, definition, body }) =>
    mutateSql(body).map(({ what, text }) => ({
      kind: 'function' as const,
      object,
      what,
      sql: definition.replace(body, () => text),
    })),
  );
}

/** Views that members' statements may read. Those of the service alone keep nothing from anybody. */
async function listViewMutants(client: pg.Client): Promise<GuardMutant[]> {
  const { rows } = await client.query<{ object: string; options: string | null; definition: string }>(`
    select format('%s.%s', n.nspname, c.relname) as object, array_to_string(c.reloptions, ', ') as options,
           pg_get_viewdef(c.oid) as definition
      from pg_class c join pg_namespace n on n.oid = c.relnamespace and ${isOwnSchema}
     where c.relkind = 'v' and (has_any_column_privilege('authenticated', c.oid, 'select')
        or has_any_column_privilege('assistant', c.oid, 'select')) order by 1`);
  return rows.flatMap(({ object, options, definition }) => [
    ...mutateSql(definition).map(({ what, text }) => ({
      kind: 'view' as const,
      object,
      what,
      sql: `create or replace view ${object} ${options ? `with (${options})` : ''} as ${text}`,
    })),
    ...(/security_barrier=true/.test(options ?? '')
      ? [
          {
            kind: 'view' as const,
            object,
            what: 'barrier off',
            sql: `alter view ${object} set (security_barrier = false)`,
          },
        ]
      : []),
  ]);
}

/** `../rls/mutants.ts` opens whole policies. These mutants loosen one condition of several. */
async function listPolicyMutants(client: pg.Client): Promise<GuardMutant[]> {
  const { rows } = await client.query<{ object: string; name: string; using: string | null; check: string | null }>(`
    select p.polrelid::regclass::text as object, p.polname as name, pg_get_expr(p.polqual, p.polrelid) as using,
           pg_get_expr(p.polwithcheck, p.polrelid) as check
      from pg_policy p join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace
       and ${isOwnSchema} order by 1, 2`);
  return rows.flatMap(({ object, name, using, check }) =>
    Object.entries({ using, 'with check': check }).flatMap(([clause, condition]) =>
      mutateSql(condition === null ? '' : `check (${condition})`).map(({ what, text }) => ({
        kind: 'policy' as const,
        object,
        what: `${clause} of ${name}, ${what}`,
        sql: `alter policy ${name} on ${object} ${clause} ${text.slice('check '.length)}`,
      })),
    ),
  );
}

async function listConstraintMutants(client: pg.Client): Promise<GuardMutant[]> {
  const { rows } = await client.query<{
    kind: 'unique' | 'check';
    object: string;
    name: string;
    definition: string | null;
  }>(`
    select case k.contype when 'u' then 'unique' else 'check' end as kind,
           k.conrelid::regclass::text as object, quote_ident(k.conname) as name, pg_get_constraintdef(k.oid) as definition
      from pg_constraint k join pg_namespace n on n.oid = k.connamespace and ${isOwnSchema}
     where k.contype in ('u', 'c') and k.conrelid <> 0
    union all
    select 'unique', i.indrelid::regclass::text, i.indexrelid::regclass::text, null
      from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
       and ${isOwnSchema} and i.indisunique
     where not exists (select from pg_constraint k where k.conindid = i.indexrelid)
     order by 1, 2, 3`);
  return rows.flatMap(({ kind, object, name, definition }) => {
    const drop = definition === null ? `drop index ${name}` : `alter table ${object} drop constraint ${name}`;
    const isLoosened = kind === 'check' && definition !== null;
    return [
      { kind, object, what: `without ${name}`, sql: `${drop}${kind === 'unique' ? ' cascade' : ''}` },
      ...(isLoosened ? mutateSql(definition) : []).map(({ what, text }) => ({
        kind,
        object,
        what: `${name}, ${what}`,
        sql: `${drop}; alter table ${object} add constraint ${name} ${text} not valid`,
      })),
    ];
  });
}
