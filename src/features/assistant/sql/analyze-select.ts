import type { Node, ResTarget, SelectStmt } from 'libpg-query';
import { analyzeFrom } from './analyze-from.ts';
import { getStrings, isStar } from './ast.ts';
import { measureExpression, sumCosts } from './measure-expression.ts';
import { getOutputName } from './output-name.ts';
import { SqlRejection } from './rejection.ts';
import {
  type Analyzer,
  type Columns,
  type Ctes,
  expandStar,
  type Query,
  type QueryContext,
  type Scope,
} from './scope.ts';

/**
 * Analyzes a SELECT with a target list. FROM adds columns to the scope, and the targets become the columns of the
 * query.
 */
export function analyzeSelect(analyzer: Analyzer, select: SelectStmt, ctes: Ctes, outer: Scope | undefined): Query {
  const scope: Scope = { sources: [], outer };
  const context = { analyzer, ctes, scope };
  let { cost, tableReads } = analyzeFrom(select.fromClause ?? [], context);
  const targets = (select.targetList ?? []) as { ResTarget: ResTarget }[];
  const columns = targets.flatMap((target) => getOutputs(target.ResTarget, context));
  for (const [, column] of columns) cost += column.cost;
  const { whereClause, havingClause, windowClause, limitCount, limitOffset } = select;
  cost += sumCosts([whereClause, havingClause, windowClause, limitCount, limitOffset], context);
  const { groupClause, sortClause, distinctClause } = select;
  cost += sumCosts([groupClause, sortClause, distinctClause], { ...context, scope: { ...scope, outputs: columns } });
  return { columns, cost, tableReads };
}

function getOutputs({ name, val }: ResTarget, context: QueryContext): Columns {
  const fields: Node[] = (val && 'ColumnRef' in val && val.ColumnRef.fields) || [];
  if (isStar(fields.at(-1))) {
    if (fields.length > 2) throw new SqlRejection('name', 'Write the star without the schema.');
    return expandStar(fields.length === 2 ? getStrings(fields)[0] : undefined, context.scope);
  }
  return [[name || getOutputName(val), measureExpression(val, context)]];
}
