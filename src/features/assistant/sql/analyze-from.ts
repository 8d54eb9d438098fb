import type { JoinExpr, Node, RangeSubselect, RangeVar } from 'libpg-query';
import { getStrings } from './ast.ts';
import { measureExpression } from './measure-expression.ts';
import { SqlRejection } from './rejection.ts';
import { findIn, findSource, type Query, type QueryContext, renameColumns } from './scope.ts';

type Costs = Pick<Query, 'cost' | 'tableReads'>;

/** Adds the tables, CTEs and subqueries of FROM to the scope, in their order. */
export function analyzeFrom(items: readonly (Node | undefined)[], context: QueryContext): Costs {
  return items.map((item) => analyzeItem(item, context)).reduce(addCosts, { cost: 0, tableReads: 0 });
}

function analyzeItem(item: Node | undefined, context: QueryContext): Costs {
  if (item && 'JoinExpr' in item) return analyzeJoin(item.JoinExpr, context);
  if (item && 'RangeVar' in item) return analyzeTable(item.RangeVar, context);
  if (item && 'RangeSubselect' in item) return analyzeSubselect(item.RangeSubselect, context);
  throw new SqlRejection('shape', 'FROM may contain only tables, joins and subqueries.');
}

function analyzeJoin({ larg, rarg, usingClause, quals }: JoinExpr, context: QueryContext): Costs {
  const sides = analyzeFrom([larg, rarg], context);
  for (const name of getStrings(usingClause))
    if (!context.scope.sources.some(({ columns }) => findIn(columns, name)))
      throw new SqlRejection('name', `There is no column ${name} to join by.`);
  return { ...sides, cost: sides.cost + (quals ? measureExpression(quals, context).cost : 0) };
}

function analyzeTable({ schemaname, relname = '', alias }: RangeVar, { analyzer, ctes, scope }: QueryContext): Costs {
  const query = findSource(schemaname, relname, ctes);
  analyzer.addTableRef(relname, { isCte: ctes.has(relname) });
  const columns = renameColumns(query.columns, getStrings(alias?.colnames));
  scope.sources.push({ alias: alias?.aliasname || relname, columns });
  return query;
}

/** The subquery sees the preceding sources, as LATERAL allows. */
function analyzeSubselect({ subquery, alias }: RangeSubselect, { analyzer, ctes, scope }: QueryContext): Costs {
  if (!subquery || !('SelectStmt' in subquery))
    throw new SqlRejection('shape', 'FROM may contain only tables, joins and subqueries.');
  const query = analyzer.analyze(subquery.SelectStmt, ctes, { ...scope, sources: [...scope.sources] });
  const columns = renameColumns(query.columns, getStrings(alias?.colnames));
  scope.sources.push({ alias: alias?.aliasname ?? '', columns });
  return query;
}

const addCosts = (a: Costs, b: Costs): Costs => ({ cost: a.cost + b.cost, tableReads: a.tableReads + b.tableReads });
