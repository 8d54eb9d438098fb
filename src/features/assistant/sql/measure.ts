import { choosingFunctions, textFunctions } from './allowed-names.ts';
import { namesIn, nodeOf, textOf } from './check-shapes.ts';
import type { Body } from './parse.ts';
import { Refusal } from './refusal.ts';
import { type Column, findColumn, heaviest, type Query, type Scope } from './scope.ts';

const PLAIN_NUMBER = /^\s*[-+]?\d{1,20}(\.\d{0,20})?\s*$/;

/**
 * What an expression multiplies: the sum of its leaves, each mention of a column counting as what stands behind it;
 * and whether its value may be a text. `enter` resolves a subquery. Throws `Refusal` for an unknown name, and for a
 * text that would become a number of any length.
 */
export function measure(node: unknown, scope: Scope, enter: (subselect: Body) => Query): Column {
  const inside = (value: unknown): Column => measure(value, scope, enter);
  const { kind, body } = nodeOf(node);
  switch (kind) {
    case 'ColumnRef': {
      const fields = body['fields'] as unknown[];
      if (nodeOf(fields.at(-1)).kind === 'A_Star')
        throw new Refusal('name', 'A star cannot stand here; name the column.');
      return findColumn(namesIn(fields), scope);
    }
    case 'A_Const': {
      const text = (body['sval'] as Body | undefined)?.['sval'];
      return { weight: 1, texty: typeof text === 'string' && !PLAIN_NUMBER.test(text) };
    }
    case 'SubLink': {
      const { columns, total } = enter(nodeOf(body['subselect']).body);
      const [first] = [...columns.values()];
      const tested = body['testexpr'] ? inside(body['testexpr']).weight : 0;
      return { weight: total + tested, texty: body['subLinkType'] === 'EXPR_SUBLINK' && (first?.texty ?? false) };
    }
    case 'TypeCast':
      return cast(namesIn((body['typeName'] as Body)['names']).at(-1) ?? '', inside(body['arg']));
    default: {
      const parts = partsOf(body).map((part) => [part, inside(part)] as const);
      const weight = parts.reduce((sum, [, part]) => sum + part.weight, 0);
      return { weight: Math.max(1, weight), texty: mayBeText(kind, body, parts) };
    }
  }
}

function cast(type: string, { weight, texty }: Column): Column {
  if (texty && (type === 'numeric' || type === 'decimal'))
    throw new Refusal('value', 'A text cannot be cast to numeric here; cast it to double precision.');
  return { weight, texty: type === 'text' || type === 'varchar' };
}

/** The expressions directly inside a node. */
function partsOf(body: Body): unknown[] {
  return Object.entries(body).flatMap(([field, value]) => {
    if (field === 'funcname' || field === 'name' || field === 'operName') return [];
    if (field === 'over') return Object.values(value as object).flatMap((one) => (typeof one === 'object' ? one : []));
    return Array.isArray(value) ? value : typeof value === 'object' && value !== null ? [value] : [];
  });
}

function mayBeText(kind: string, body: Body, parts: readonly (readonly [unknown, Column])[]): boolean {
  if (kind === 'A_Expr')
    return namesIn(body['name']).at(-1) === '||' || (body['kind'] === 'AEXPR_NULLIF' && anyOf(parts));
  if (kind === 'FuncCall') {
    const name = namesIn(body['funcname']).at(-1) ?? '';
    return textFunctions.has(name) || (choosingFunctions.has(name) && anyOf(parts));
  }
  if (kind === 'CaseWhen')
    return heaviest(parts.filter(([part]) => part === body['result']).map(([, one]) => one)).texty;
  if (kind === 'CaseExpr') return anyOf(parts.filter(([part]) => part !== body['arg']));
  return ['CoalesceExpr', 'MinMaxExpr', 'List', 'A_ArrayExpr'].includes(kind) && anyOf(parts);
}

const anyOf = (parts: readonly (readonly [unknown, Column])[]): boolean => parts.some(([, { texty }]) => texty);

/** The name that the server gives an output without one. */
export function nameOf(node: unknown): string {
  const { kind, body } = nodeOf(node);
  if (kind === 'ColumnRef') return namesIn(body['fields']).at(-1) ?? '';
  if (kind === 'FuncCall') return namesIn(body['funcname']).at(-1) ?? '';
  if (kind === 'TypeCast') {
    const inner = nameOf(body['arg']);
    return inner === '?column?' ? (namesIn((body['typeName'] as Body)['names']).at(-1) ?? '') : inner;
  }
  if (kind === 'CaseExpr') {
    const inner = body['defresult'] ? nameOf(body['defresult']) : '?column?';
    return nodeOf(body['defresult']).kind === 'ColumnRef' ? inner : 'case';
  }
  if (kind === 'SubLink' && body['subLinkType'] === 'EXPR_SUBLINK') {
    const { targetList } = nodeOf(body['subselect']).body as { targetList?: unknown[] };
    const target = nodeOf(targetList?.[0]).body;
    return textOf(target['name']) || nameOf(target['val']);
  }
  const named: Readonly<Record<string, string>> = {
    CoalesceExpr: 'coalesce',
    MinMaxExpr: textOf(body['op']).replace('IS_', '').toLowerCase(),
    SubLink: 'exists',
    SQLValueFunction: textOf(body['op']).replace('SVFOP_', '').toLowerCase(),
    GroupingFunc: 'grouping',
    A_ArrayExpr: 'array',
  };
  return named[kind] ?? (kind === 'A_Expr' && body['kind'] === 'AEXPR_NULLIF' ? 'nullif' : '?column?');
}
