import type { SelectStmt } from 'libpg-query';
import { readableTables } from './readable-tables.ts';
import { SqlRejection } from './rejection.ts';

/** A column of a query: the number of expressions that one value costs, and whether the value may be text. */
export interface Column {
  cost: number;
  mayBeText: boolean;
}

/** The columns of a query in order. Several may have one name, and a list of aliases counts all of them. */
export type Columns = readonly (readonly [name: string, column: Column])[];

/** A query, CTE or table. */
export interface Query {
  columns: Columns;
  /** Total number of expressions. A source counts once for each reference. */
  cost: number;
  /** Number of table reads, counted in the same way as `cost`. */
  tableReads: number;
}

/** CTEs by name. */
export type Ctes = ReadonlyMap<string, Query>;

/** A table, CTE or subquery under its name in FROM. */
interface Source {
  alias: string;
  columns: Columns;
}

/** The sources of one query and of the queries around it. */
export interface Scope {
  sources: Source[];
  /** Output names that ORDER BY and GROUP BY may use. */
  outputs?: Columns;
  outer?: Scope | undefined;
}

/** Analyzes nested queries and counts the tables in FROM. */
export interface Analyzer {
  analyze(select: SelectStmt, ctes: Ctes, outer: Scope | undefined): Query;
  addTableRef(name: string, options: { isCte: boolean }): void;
}

/** The position of an expression. */
export interface QueryContext {
  analyzer: Analyzer;
  ctes: Ctes;
  scope: Scope;
}

const tables: ReadonlyMap<string, Query> = new Map(
  Object.entries(readableTables).map(([name, { columns }]) => {
    const columnEntries = Object.entries(columns).map(
      ([column, type]) => [column, { cost: 1, mayBeText: type === 'text' }] as const,
    );
    return [name, { columns: columnEntries, cost: 1, tableReads: 1 }];
  }),
);

/** Returns the table or CTE behind a name in FROM. A CTE hides a table, but only in the CTE's scope. */
export function findSource(schema: string | undefined, name: string, ctes: Ctes): Query {
  const cte = schema === undefined ? ctes.get(name) : undefined;
  if (cte) return cte;
  const table = schema === undefined || schema === 'assistant' ? tables.get(name) : undefined;
  if (table) return table;
  const tableNames = [...tables.keys()].join(', ');
  throw new SqlRejection(
    'name',
    `There is no table ${[schema, name].filter(Boolean).join('.')}. There are: ${tableNames}.`,
  );
}

/** Throws `SqlRejection` if a CTE has the name of a readable table or of a table of the server. */
export function checkCteName(name: string): void {
  if (tables.has(name) || /^pg_|^information_schema$/.test(name))
    throw new SqlRejection('name', `A WITH query cannot be named ${name}, which is a table's name; choose another.`);
}

/** Returns the column behind a name, with or without its table. Throws `SqlRejection` for any other name. */
export function findColumn(names: readonly string[], scope: Scope): Column {
  const [last = '', alias, ...qualifiers] = names.toReversed();
  if (qualifiers.length > 0) throw new SqlRejection('name', `Write ${alias}.${last} without the schema.`);
  if (alias !== undefined) {
    const source = findAlias(alias, scope);
    return findIn(source.columns, last) ?? rejectUnknownColumn(`${alias}.${last}`, [source]);
  }
  for (let level: Scope | undefined = scope; level; level = level.outer) {
    const found = level.sources.flatMap(({ columns }) => findIn(columns, last) ?? []);
    if (found.length > 0) return combineColumns(found);
    const output = level.outputs && findIn(level.outputs, last);
    if (output) return output;
  }
  return rejectUnknownColumn(last, scope.sources);
}

/** Returns the column of a name, or all columns of the name combined, or `undefined` without one. */
export function findIn(columns: Columns, name: string): Column | undefined {
  const found = columns.flatMap(([columnName, column]) => (columnName === name ? [column] : []));
  return found.length > 1 ? combineColumns(found) : found[0];
}

/** Returns the columns behind `*` or `alias.*`. */
export function expandStar(alias: string | undefined, scope: Scope): Columns {
  const sources = alias === undefined ? scope.sources : [findAlias(alias, scope)];
  return sources.flatMap(({ columns }) => columns);
}

/**
 * Combines columns into one. The result is as expensive as the most expensive column, and may be text if one of them
 * may be.
 */
export const combineColumns = (columns: readonly Column[]): Column => ({
  cost: Math.max(1, ...columns.map(({ cost }) => cost)),
  mayBeText: columns.some((column) => column.mayBeText),
});

/** Renames columns by a list of aliases, in order. Columns without an alias keep their names. */
export function renameColumns(columns: Columns, names: readonly string[]): Columns {
  return columns.map(([name, column], index) => [names[index] ?? name, column]);
}

function findAlias(alias: string, scope: Scope): Source {
  for (let level: Scope | undefined = scope; level; level = level.outer) {
    const found = level.sources.find((source) => source.alias === alias);
    if (found) return found;
  }
  throw new SqlRejection('name', `There is no table or alias ${alias} in FROM.`);
}

function rejectUnknownColumn(name: string, sources: readonly Source[]): never {
  const sourceDescriptions = sources.map(
    ({ alias, columns }) => `${alias} (${[...new Set(columns.map(([columnName]) => columnName))].join(', ')})`,
  );
  throw new SqlRejection(
    'name',
    `There is no column ${name}. FROM has: ${sourceDescriptions.join('; ') || 'nothing'}.`,
  );
}
