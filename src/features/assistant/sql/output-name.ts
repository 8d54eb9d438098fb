import type { Node } from 'libpg-query';
import { getStrings } from './ast.ts';

const UNNAMED = '?column?';

/** The name that the server gives an output that has none in the statement. */
export function getOutputName(node: Node | undefined): string {
  if (!node) return UNNAMED;
  if ('ColumnRef' in node) return getStrings(node.ColumnRef.fields).at(-1) ?? '';
  if ('FuncCall' in node) return getStrings(node.FuncCall.funcname).at(-1) ?? '';
  if ('TypeCast' in node) {
    const inner = getOutputName(node.TypeCast.arg);
    return inner === UNNAMED ? (getStrings(node.TypeCast.typeName?.names).at(-1) ?? '') : inner;
  }
  if ('CaseExpr' in node) {
    const { defresult } = node.CaseExpr;
    return defresult && 'ColumnRef' in defresult ? getOutputName(defresult) : 'case';
  }
  if ('SubLink' in node) {
    const { subLinkType, subselect } = node.SubLink;
    if (subLinkType !== 'EXPR_SUBLINK') return 'exists';
    const target = subselect && 'SelectStmt' in subselect ? subselect.SelectStmt.targetList?.[0] : undefined;
    return target && 'ResTarget' in target ? target.ResTarget.name || getOutputName(target.ResTarget.val) : UNNAMED;
  }
  if ('CoalesceExpr' in node) return 'coalesce';
  if ('MinMaxExpr' in node) return String(node.MinMaxExpr.op).replace('IS_', '').toLowerCase();
  if ('SQLValueFunction' in node) return String(node.SQLValueFunction.op).replace('SVFOP_', '').toLowerCase();
  if ('GroupingFunc' in node) return 'grouping';
  if ('A_ArrayExpr' in node) return 'array';
  return 'A_Expr' in node && node.A_Expr.kind === 'AEXPR_NULLIF' ? 'nullif' : UNNAMED;
}
