import * as allowed from './allowed-names.ts';
import { namesIn, type Node, nodeOf } from './check-shapes.ts';
import type { Body } from './parse.ts';
import { Refusal } from './refusal.ts';

const LONGEST_TEXT = 200;
const MOST_WILDCARDS = 6;
const LONGEST_FORMAT = 100;
const MOST_PRECISION = 100;
const DECIMAL = /^\d{0,20}\.?\d{0,20}(e[+-]?\d\d?)?$/i;

/** Holds functions, operators, types and constants against their lists. Throws `Refusal`. */
export function checkNames(nodes: readonly Node[]): void {
  for (const { kind, body } of nodes) checks[kind]?.(body);
}

const checks: Readonly<Record<string, (body: Body) => void>> = {
  FuncCall: checkFunction,
  A_Expr: checkExpression,
  SubLink: checkSubquery,
  TypeName: checkType,
  A_Const: checkConstant,
  SQLValueFunction({ op }) {
    if (!allowed.moments.has(String(op)))
      throw new Refusal('function', 'Who is asking is not available as a value: every table holds only your own rows.');
  },
};

function checkFunction({ funcname, funcformat, args }: Body): void {
  const names = namesIn(funcname);
  const name = names.at(-1) ?? '';
  const byGrammar = funcformat === 'COERCE_SQL_SYNTAX';
  if (byGrammar ? !allowed.grammarFunctions.has(name) : names.length !== 1 || !allowed.functions.has(name)) {
    const list = [...allowed.functions].join(', ');
    const message = `The function ${names.join('.')}() is not available. There are: ${list}.`;
    throw new Refusal('function', allowed.functionAdvice[name] ?? message);
  }
  const given = (args ?? []) as unknown[];
  if (name === 'to_char' || name === 'to_date') needConstant(name, given[1], LONGEST_FORMAT);
  if (name === 'string_agg') needConstant(name, given[1], LONGEST_FORMAT);
  if (name === 'replace') {
    const [from = '', to = ''] = [given[1], given[2]].map((one) => needConstant(name, one, LONGEST_TEXT));
    if (to.length > from.length) throw new Refusal('value', 'replace() cannot make a text longer.');
  }
}

/** The constant text that an argument must be. */
function needConstant(name: string, argument: unknown, longest: number): string {
  const { kind, body } = nodeOf(argument);
  const text = (body['sval'] as Body | undefined)?.['sval'] ?? (body['sval'] && '');
  if (kind !== 'A_Const' || typeof text !== 'string' || text.length > longest)
    throw new Refusal('value', `${name}() takes a constant text of at most ${longest} characters there.`);
  return text;
}

function checkExpression({ kind, name, rexpr }: Body): void {
  if (!allowed.expressionKinds.has(String(kind)))
    throw new Refusal('operator', 'SIMILAR TO is not available; use LIKE or ILIKE.');
  if (kind === 'AEXPR_BETWEEN' || String(kind).includes('BETWEEN')) return;
  checkOperator(namesIn(name));
  if (kind === 'AEXPR_LIKE' || kind === 'AEXPR_ILIKE' || namesIn(name)[0]?.includes('~~')) {
    const pattern = needConstant('LIKE', rexpr, LONGEST_TEXT);
    if ([...pattern].filter((one) => one === '%' || one === '_').length > MOST_WILDCARDS)
      throw new Refusal('value', `A pattern has at most ${MOST_WILDCARDS} wildcards.`);
  }
}

function checkOperator(names: readonly string[]): void {
  const name = names.at(-1) ?? '';
  if (names.length === 1 && allowed.operators.has(name)) return;
  const list = [...allowed.operators].slice(0, 13).join(' ');
  const message = `The operator ${names.join('.')} is not available. There are: ${list}, LIKE, IN.`;
  throw new Refusal('operator', allowed.operatorAdvice[name] ?? message);
}

function checkSubquery({ subLinkType, operName }: Body): void {
  if (!allowed.subqueryKinds.has(String(subLinkType)))
    throw new Refusal('shape', 'ARRAY(…) is not available; return rows.');
  if (operName !== undefined) checkOperator(namesIn(operName));
}

function checkType({ names, typmods }: Body): void {
  const [name = '', ...schema] = namesIn(names).toReversed();
  const isListed =
    allowed.types.has(name) && (schema.length === 0 || (schema.length === 1 && schema[0] === 'pg_catalog'));
  if (!isListed)
    throw new Refusal('type', `The type ${name} is not available. There are: ${[...allowed.types].join(', ')}.`);
  for (const one of (typmods ?? []) as unknown[]) {
    const { ival } = nodeOf(one).body as { ival?: { ival?: number } };
    // The mask of "interval year" is larger than any precision, and bounds nothing.
    if (name !== 'interval' && (ival === undefined || Math.abs(ival.ival ?? 0) > MOST_PRECISION))
      throw new Refusal('type', `A type's length or precision is at most ${MOST_PRECISION}.`);
  }
}

function checkConstant({ sval, fval }: Body): void {
  const decimal = (fval as Body | undefined)?.['fval'];
  if (typeof decimal === 'string' && !DECIMAL.test(decimal))
    throw new Refusal('value', 'A number in the statement has at most 20 digits on each side.');
  const text = (sval as Body | undefined)?.['sval'];
  if (typeof text !== 'string') return;
  if (text.length > LONGEST_TEXT)
    throw new Refusal('value', `A text in the statement has at most ${LONGEST_TEXT} characters.`);
  // An untyped text becomes a number of as many digits where it stands beside one.
  if (/^\s*[-+]?[\d._]*e[-+]?\d/i.test(text) && !/^\s*[-+]?\d+(\.\d*)?e[-+]?\d\d?\s*$/i.test(text))
    throw new Refusal('value', 'Write a number as a number, with at most 20 digits on each side.');
  if (/\d{21}/.test(text)) throw new Refusal('value', 'A text in the statement has at most 20 digits in a row.');
}
