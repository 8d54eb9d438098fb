import type { A_Const, ColumnRef, Node, SubLink, TypeCast } from 'libpg-query';
import { passThroughFunctions, textFunctions } from './allowed-names.ts';
import { getStrings, isStar, toKindedNode } from './ast.ts';
import { SqlRejection } from './rejection.ts';
import { type Column, findColumn, type QueryContext } from './scope.ts';

const PLAIN_NUMBER = /^\s*[-+]?\d{1,20}(\.\d{0,20})?\s*$/;

/**
 * Returns the cost of an expression, which is the sum of its leaves, and whether its value may be text. Throws
 * `SqlRejection` for an unknown name, and for a text that would become a number of any length.
 */
export function measureExpression(node: Node | undefined, context: QueryContext): Column {
  const { kind } = toKindedNode(node);
  if (!node || kind === 'nothing') return { cost: 1, mayBeText: false };
  if ('ColumnRef' in node) return measureColumn(node.ColumnRef, context);
  if ('A_Const' in node) return measureConstant(node.A_Const);
  if ('SubLink' in node) return measureSubquery(node.SubLink, context);
  if ('TypeCast' in node) return measureCast(node.TypeCast, context);
  const parts = getParts(node).map((part) => ({ part, column: measureExpression(part, context) }));
  const cost = parts.reduce((sum, { column }) => sum + column.cost, 0);
  return { cost: Math.max(1, cost), mayBeText: mayBeText(node, parts) };
}

/** Returns the total cost of clauses. Each is an expression, a list of expressions, or absent. */
export function sumCosts(clauses: readonly (Node | Node[] | undefined)[], context: QueryContext): number {
  const expressions = clauses.flatMap((clause) => clause ?? []);
  return expressions.reduce((sum, expression) => sum + measureExpression(expression, context).cost, 0);
}

function measureColumn({ fields = [] }: ColumnRef, { scope }: QueryContext): Column {
  if (isStar(fields.at(-1))) throw new SqlRejection('name', 'A star is not allowed here; name the column.');
  return findColumn(getStrings(fields), scope);
}

function measureConstant({ sval }: A_Const): Column {
  const text = sval?.sval;
  return { cost: 1, mayBeText: text !== undefined && !PLAIN_NUMBER.test(text) };
}

function measureSubquery({ subselect, subLinkType, testexpr }: SubLink, context: QueryContext): Column {
  const { SelectStmt: select } = subselect as Extract<Node, { SelectStmt: unknown }>;
  const query = context.analyzer.analyze(select, context.ctes, context.scope);
  const [, first] = query.columns[0] ?? [];
  return {
    cost: query.cost + (testexpr ? measureExpression(testexpr, context).cost : 0),
    mayBeText: subLinkType === 'EXPR_SUBLINK' && (first?.mayBeText ?? false),
  };
}

function measureCast({ arg, typeName }: TypeCast, context: QueryContext): Column {
  const { cost, mayBeText: isFromText } = measureExpression(arg, context);
  const type = getStrings(typeName?.names).at(-1);
  if (isFromText && (type === 'numeric' || type === 'decimal'))
    throw new SqlRejection('value', 'A text cannot be cast to numeric here; cast it to double precision.');
  return { cost, mayBeText: type === 'text' || type === 'varchar' };
}

/** Returns the expressions directly inside a node. */
function getParts(node: Node): Node[] {
  const { body } = toKindedNode(node);
  return Object.entries(body).flatMap(([field, value]): Node[] => {
    if (field === 'funcname' || field === 'name' || field === 'operName') return [];
    // A window definition is not wrapped in a node of its own kind.
    if (field === 'over')
      return Object.values(value as object).flatMap((child) => (typeof child === 'object' ? child : []));
    if (Array.isArray(value)) return value as Node[];
    return typeof value === 'object' && value !== null ? [value as Node] : [];
  });
}

type ExpressionPart = { part: Node; column: Column };

function mayBeText(node: Node, parts: readonly ExpressionPart[]): boolean {
  const someMayBeText = (candidates: readonly ExpressionPart[]): boolean =>
    candidates.some(({ column }) => column.mayBeText);
  if ('A_Expr' in node) {
    const { name, kind } = node.A_Expr;
    return getStrings(name).at(-1) === '||' || (kind === 'AEXPR_NULLIF' && someMayBeText(parts));
  }
  if ('FuncCall' in node) {
    const name = getStrings(node.FuncCall.funcname).at(-1) ?? '';
    return textFunctions.has(name) || (passThroughFunctions.has(name) && someMayBeText(parts));
  }
  if ('CaseWhen' in node) return someMayBeText(parts.filter(({ part }) => part === node.CaseWhen.result));
  if ('CaseExpr' in node) return someMayBeText(parts.filter(({ part }) => part !== node.CaseExpr.arg));
  return (
    ['CoalesceExpr', 'MinMaxExpr', 'List', 'A_ArrayExpr'].includes(toKindedNode(node).kind) && someMayBeText(parts)
  );
}
