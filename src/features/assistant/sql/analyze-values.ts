import type { List, SelectStmt } from 'libpg-query';
import { measureExpression, sumCosts } from './measure-expression.ts';
import { type Analyzer, combineColumns, type Columns, type Ctes, type Query, type Scope } from './scope.ts';

/** Analyzes VALUES. The columns are named column1, column2, …, which ORDER BY may use. */
export function analyzeValues(
  analyzer: Analyzer,
  { valuesLists = [], sortClause, limitCount, limitOffset }: SelectStmt,
  ctes: Ctes,
  outer: Scope | undefined,
): Query {
  const rowContext = { analyzer, ctes, scope: { sources: [], outer } };
  const rows = (valuesLists as { List: List }[]).map(({ List: row }) =>
    (row.items ?? []).map((item) => measureExpression(item, rowContext)),
  );
  const columns: Columns = (rows[0] ?? []).map((_, index) => [
    `column${index + 1}`,
    combineColumns(rows.flatMap((row) => row[index] ?? [])),
  ]);
  const rowCost = rows.flat().reduce((sum, column) => sum + column.cost, 0);
  const context = { analyzer, ctes, scope: { sources: [{ alias: '', columns }], outer } };
  return { columns, cost: rowCost + sumCosts([sortClause, limitCount, limitOffset], context), tableReads: 0 };
}
