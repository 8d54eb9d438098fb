import type { SelectStmt } from 'libpg-query';
import { sumCosts } from './measure-expression.ts';
import { type Analyzer, combineColumns, type Columns, type Ctes, type Query, type Scope } from './scope.ts';

/** Analyzes UNION, INTERSECT and EXCEPT. The columns have the names of the left side. */
export function analyzeSetOperation(
  analyzer: Analyzer,
  select: SelectStmt,
  ctes: Ctes,
  outer: Scope | undefined,
): Query {
  const left = analyzer.analyze(select.larg!, ctes, outer);
  const right = analyzer.analyze(select.rarg!, ctes, outer);
  const columns: Columns = left.columns.map(([name, column], index) => {
    const [, other] = right.columns[index] ?? [name, column];
    return [name, combineColumns([column, other])];
  });
  const context = { analyzer, ctes, scope: { sources: [{ alias: '', columns }], outer } };
  const ordering = sumCosts([select.sortClause, select.limitCount, select.limitOffset], context);
  return {
    columns,
    cost: left.cost + right.cost + ordering,
    tableReads: left.tableReads + right.tableReads,
  };
}
