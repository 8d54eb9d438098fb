import { readableTables } from './readable-tables.ts';
import { Refusal } from './refusal.ts';

/** What is known of a column: how many values flow into one of its values, and whether it may be a text. */
export interface Column {
  weight: number;
  texty: boolean;
}

export type Columns = ReadonlyMap<string, Column>;

/** What is known of a query, a CTE or a table. */
export interface Query {
  columns: Columns;
  /** Weights of all its expressions, those of its sources counted once for each mention. */
  total: number;
  /** Tables, likewise. */
  tables: number;
}

/** A table, CTE or subquery under the name that FROM gives it. */
interface Source {
  alias: string;
  columns: Columns;
}

/** The sources of one query, and those of the queries around it. */
export interface Scope {
  sources: Source[];
  /** Names of the output, which ORDER BY and GROUP BY may use. */
  outputs?: Columns;
  outer?: Scope | undefined;
}

const tables: ReadonlyMap<string, Query> = new Map(
  Object.entries(readableTables).map(([name, { columns }]) => {
    const known = Object.entries(columns).map(
      ([column, type]) => [column, { weight: 1, texty: type === 'text' }] as const,
    );
    return [name, { columns: new Map(known), total: 1, tables: 1 }];
  }),
);

/** The table or CTE that a name in FROM means; a CTE hides a table, and only where it is in scope. */
export function findSource(schema: string | undefined, name: string, ctes: ReadonlyMap<string, Query>): Query {
  const found =
    (schema === undefined && ctes.get(name)) || ((schema ?? 'assistant') === 'assistant' && tables.get(name));
  if (found) return found;
  const list = [...tables.keys()].join(', ');
  throw new Refusal('name', `There is no table ${[schema, name].filter(Boolean).join('.')}. There are: ${list}.`);
}

/** Throws `Refusal` for a CTE that would have the name of a table, ours or the server's. */
export function checkCteName(name: string): void {
  if (tables.has(name) || /^pg_|^information_schema$/.test(name))
    throw new Refusal('name', `A WITH query cannot be named ${name}, which is a table's name; choose another.`);
}

/** What a name means where it stands: a column, with or without its table. Throws `Refusal` for anything else. */
export function findColumn(names: readonly string[], scope: Scope): Column {
  const [last = '', alias, ...more] = names.toReversed();
  if (more.length > 0) throw new Refusal('name', `Write ${alias}.${last} without the schema.`);
  if (alias !== undefined) {
    const source = findAlias(alias, scope);
    return source.columns.get(last) ?? noColumn(`${alias}.${last}`, [source]);
  }
  for (let level: Scope | undefined = scope; level; level = level.outer) {
    const found = level.sources.flatMap(({ columns }) => columns.get(last) ?? []);
    if (found.length > 0) return heaviest(found);
    const output = level.outputs?.get(last);
    if (output) return output;
  }
  return noColumn(last, scope.sources);
}

/** Everything that `*` or `alias.*` stands for. */
export function findAll(alias: string | undefined, scope: Scope): [string, Column][] {
  const sources = alias === undefined ? scope.sources : [findAlias(alias, scope)];
  return sources.flatMap(({ columns }) => [...columns]);
}

export const heaviest = (columns: readonly Column[]): Column => ({
  weight: Math.max(1, ...columns.map(({ weight }) => weight)),
  texty: columns.some(({ texty }) => texty),
});

function findAlias(alias: string, scope: Scope): Source {
  for (let level: Scope | undefined = scope; level; level = level.outer) {
    const found = level.sources.find((source) => source.alias === alias);
    if (found) return found;
  }
  throw new Refusal('name', `There is no table or alias ${alias} in FROM.`);
}

function noColumn(name: string, sources: readonly Source[]): never {
  const lists = sources.map(
    ({ alias, columns }) => `${alias} (${[...columns.keys()].filter((one) => !one.includes('\0')).join(', ')})`,
  );
  throw new Refusal('name', `There is no column ${name}. FROM has: ${lists.join('; ') || 'nothing'}.`);
}
