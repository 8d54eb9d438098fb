import type { CaseExpr, Node, SelectStmt, SubLink, TypeCast } from 'libpg-query';
import { getStrings } from './ast.ts';

const UNNAMED = '?column?';

/** A name; a weak one, of a cast or CASE, is replaced by the name of a cast or CASE around it. */
interface OutputName {
  name: string;
  isWeak: boolean;
}

/** Returns the name that PostgreSQL gives an output without an alias, by the rules of its FigureColname. */
export const getOutputName = (node: Node | undefined): string => findName(node)?.name ?? UNNAMED;

function findName(node: Node | undefined): OutputName | undefined {
  if (!node) return undefined;
  if ('TypeCast' in node) return getCastName(node.TypeCast);
  if ('CaseExpr' in node) return getCaseName(node.CaseExpr);
  const name = getStrongName(node);
  return name === undefined ? undefined : { name, isWeak: false };
}

function getCastName({ arg, typeName }: TypeCast): OutputName {
  const inner = findName(arg);
  if (inner && !inner.isWeak) return inner;
  return { name: getStrings(typeName?.names).at(-1) ?? '', isWeak: true };
}

function getCaseName({ defresult }: CaseExpr): OutputName {
  const inner = findName(defresult);
  return inner && !inner.isWeak ? inner : { name: 'case', isWeak: true };
}

function getStrongName(node: Node): string | undefined {
  if ('ColumnRef' in node) return getStrings(node.ColumnRef.fields).at(-1) ?? '';
  if ('FuncCall' in node) return getStrings(node.FuncCall.funcname).at(-1) ?? '';
  if ('SubLink' in node) return getSubqueryName(node.SubLink);
  if ('CoalesceExpr' in node) return 'coalesce';
  if ('MinMaxExpr' in node) return String(node.MinMaxExpr.op).replace('IS_', '').toLowerCase();
  if ('SQLValueFunction' in node) return String(node.SQLValueFunction.op).replace('SVFOP_', '').toLowerCase();
  if ('GroupingFunc' in node) return 'grouping';
  if ('A_ArrayExpr' in node) return 'array';
  return 'A_Expr' in node && node.A_Expr.kind === 'AEXPR_NULLIF' ? 'nullif' : undefined;
}

/** Returns "exists" or the name of a scalar subquery's column. Comparisons with ANY or ALL have no name. */
function getSubqueryName({ subLinkType, subselect }: SubLink): string | undefined {
  if (subLinkType === 'EXISTS_SUBLINK') return 'exists';
  if (subLinkType !== 'EXPR_SUBLINK') return undefined;
  return subselect && 'SelectStmt' in subselect ? getFirstColumnName(subselect.SelectStmt) : UNNAMED;
}

function getFirstColumnName(select: SelectStmt): string {
  if (select.larg) return getFirstColumnName(select.larg);
  if (select.valuesLists) return 'column1';
  const target = select.targetList?.[0];
  return target && 'ResTarget' in target ? target.ResTarget.name || getOutputName(target.ResTarget.val) : UNNAMED;
}
