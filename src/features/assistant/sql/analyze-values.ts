import type { List, SelectStmt } from 'libpg-query';
import { measureExpression, sumCosts } from './measure-expression.ts';
import { type Analyzer, combineColumns, type Ctes, type Query, type Scope } from './scope.ts';

/** VALUES: the columns are named column1, column2, … */
export function analyzeValues(
  analyzer: Analyzer,
  { valuesLists = [], sortClause, limitCount }: SelectStmt,
  ctes: Ctes,
  outer: Scope | undefined,
): Query {
  const context = { analyzer, ctes, scope: { sources: [], outer } };
  const rows = (valuesLists as { List: List }[]).map(({ List: row }) =>
    (row.items ?? []).map((item) => measureExpression(item, context)),
  );
  const columns = new Map(
    (rows[0] ?? []).map((_, at) => [`column${at + 1}`, combineColumns(rows.flatMap((row) => row[at] ?? []))] as const),
  );
  const cost = rows.flat().reduce((sum, column) => sum + column.cost, 0);
  return { columns, cost: cost + sumCosts([sortClause, limitCount], context), tableReads: 0 };
}
