import { namesIn, nodeOf, textOf } from './check-shapes.ts';
import type { Body } from './parse.ts';
import { Refusal } from './refusal.ts';
import { measure, nameOf } from './measure.ts';
import {
  checkCteName,
  type Column,
  type Columns,
  findAll,
  findSource,
  heaviest,
  type Query,
  type Scope,
} from './scope.ts';

const MOST_WEIGHT = 2_000;
const MOST_TABLES = 8;
/** Tables as often as their CTEs are mentioned. */
const MOST_MENTIONS = 16;

type Ctes = ReadonlyMap<string, Query>;
const list = (value: unknown): unknown[] => (value ?? []) as unknown[];

/**
 * Resolves every name of a statement through the scopes of its WITH queries and subqueries, as the server will, and
 * adds up what it multiplies: the server's planner pulls queries up into each other, and each mention of a column
 * becomes the whole expression behind it. Returns the tables that it reads. Throws `Refusal` for a name that is none of
 * ours, and past the limits.
 */
export function checkScopes(select: Body): ReadonlySet<string> {
  let written = 0;
  const read = new Set<string>();
  resolve(select, new Map(), undefined);
  return read;

  function resolve(body: Body, around: Ctes, outer: Scope | undefined): Query {
    const ctes = withQueries(body, around, outer);
    const query = body['larg']
      ? setOperation(body, ctes, outer)
      : body['valuesLists']
        ? values(body, ctes, outer)
        : plain(body, ctes, outer);
    if (query.total > MOST_WEIGHT)
      throw new Refusal('weight', 'The statement multiplies too many expressions; use each WITH query once or twice.');
    if (query.tables > MOST_MENTIONS) throw new Refusal('size', 'The statement mentions too many tables.');
    return query;
  }

  function withQueries(body: Body, around: Ctes, outer: Scope | undefined): Ctes {
    const ctes = new Map(around);
    for (const one of list((body['withClause'] as Body | undefined)?.['ctes'])) {
      const cte = nodeOf(one).body;
      const name = textOf(cte['ctename']);
      checkCteName(name);
      const { kind, body: inner } = nodeOf(cte['ctequery']);
      if (kind !== 'SelectStmt') throw new Refusal('shape', 'Only SELECT is available, in WITH too.');
      const query = resolve(inner, ctes, outer);
      ctes.set(name, { ...query, columns: renamed(query.columns, namesIn(cte['aliascolnames'])) });
    }
    return ctes;
  }

  function setOperation(body: Body, ctes: Ctes, outer: Scope | undefined): Query {
    const left = resolve(body['larg'] as Body, ctes, outer);
    const right = resolve(body['rarg'] as Body, ctes, outer);
    const others = [...right.columns.values()];
    const columns = new Map(
      [...left.columns].map(([name, column], at) => [name, heaviest([column, others[at] ?? column])]),
    );
    const scope: Scope = { sources: [{ alias: '', columns }], outer };
    const rest = weigh(body, ['sortClause', 'limitCount', 'limitOffset'], scope, ctes);
    return { columns, total: left.total + right.total + rest, tables: left.tables + right.tables };
  }

  function values(body: Body, ctes: Ctes, outer: Scope | undefined): Query {
    const scope: Scope = { sources: [], outer };
    const rows = list(body['valuesLists']).map((row) =>
      list(nodeOf(row).body['items']).map((one) => measureIn(one, scope, ctes)),
    );
    const columns = new Map(
      (rows[0] ?? []).map((_, at) => [`column${at + 1}`, heaviest(rows.flatMap((row) => row[at] ?? []))] as const),
    );
    const total = rows.flat().reduce((sum, { weight }) => sum + weight, 0);
    return { columns, total: total + weigh(body, ['sortClause', 'limitCount'], scope, ctes), tables: 0 };
  }

  function plain(body: Body, ctes: Ctes, outer: Scope | undefined): Query {
    const scope: Scope = { sources: [], outer };
    let total = 0;
    let tables = 0;
    const add = ({ total: more, tables: others }: Query): void => {
      total += more;
      tables += others;
    };
    for (const item of list(body['fromClause'])) total += addSource(item, scope, ctes, add);
    const columns = new Map<string, Column>();
    for (const target of list(body['targetList'])) {
      for (const [name, column] of outputsOf(nodeOf(target).body, scope, ctes)) {
        const known = columns.get(name);
        // A name that stands twice keeps both places, which a list of names behind an alias counts.
        if (known) columns.set(`${name}\0${columns.size}`, column);
        columns.set(name, heaviest([column, known ?? column]));
        total += column.weight;
      }
    }
    total += weigh(body, ['whereClause', 'havingClause', 'windowClause', 'limitCount', 'limitOffset'], scope, ctes);
    const after = { ...scope, outputs: columns };
    total += weigh(body, ['groupClause', 'sortClause', 'distinctClause'], after, ctes);
    return { columns, total, tables };
  }

  /** Adds what a place of FROM brings into scope; returns the weight of its conditions. */
  function addSource(item: unknown, scope: Scope, ctes: Ctes, add: (query: Query) => void): number {
    const { kind, body } = nodeOf(item);
    if (kind === 'JoinExpr') {
      const sides = addSource(body['larg'], scope, ctes, add) + addSource(body['rarg'], scope, ctes, add);
      for (const name of namesIn(body['usingClause']))
        if (!scope.sources.some(({ columns }) => columns.has(name)))
          throw new Refusal('name', `There is no column ${name} to join by.`);
      return sides + (body['quals'] ? measureIn(body['quals'], scope, ctes).weight : 0);
    }
    const alias = body['alias'] as Body | undefined;
    let query: Query;
    if (kind === 'RangeVar') {
      const name = textOf(body['relname']);
      const schema = body['schemaname'] as string | undefined;
      query = findSource(schema, name, ctes);
      if (!ctes.has(name)) read.add(name);
      written += 1;
      if (written > MOST_TABLES) throw new Refusal('size', `FROM names more than ${MOST_TABLES} tables in all.`);
    } else if (kind === 'RangeSubselect') {
      query = resolve(nodeOf(body['subquery']).body, ctes, { ...scope, sources: [...scope.sources] });
    } else throw new Refusal('shape', 'Only tables, joins and subqueries may stand in FROM.');
    add(query);
    const columns = renamed(query.columns, namesIn(alias?.['colnames']));
    scope.sources.push({ alias: textOf(alias?.['aliasname']) || textOf(body['relname']), columns });
    return 0;
  }

  function outputsOf(target: Body, scope: Scope, ctes: Ctes): [string, Column][] {
    const { kind, body } = nodeOf(target['val']);
    const fields = kind === 'ColumnRef' ? list(body['fields']) : [];
    if (nodeOf(fields.at(-1)).kind === 'A_Star') {
      if (fields.length > 2) throw new Refusal('name', 'Write the star without the schema.');
      return findAll(fields.length === 2 ? namesIn(fields)[0] : undefined, scope);
    }
    return [[textOf(target['name']) || nameOf(target['val']), measureIn(target['val'], scope, ctes)]];
  }

  function weigh(body: Body, clauses: readonly string[], scope: Scope, ctes: Ctes): number {
    return clauses
      .flatMap((clause) => (Array.isArray(body[clause]) ? list(body[clause]) : body[clause] ? [body[clause]] : []))
      .reduce<number>((sum, one) => sum + measureIn(one, scope, ctes).weight, 0);
  }

  function measureIn(node: unknown, scope: Scope, ctes: Ctes): Column {
    return measure(node, scope, (subselect) => resolve(subselect, ctes, scope));
  }
}

function renamed(columns: Columns, names: readonly string[]): Columns {
  return names.length === 0 ? columns : new Map([...columns].map(([name, column], at) => [names[at] ?? name, column]));
}
