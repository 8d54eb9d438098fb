import type { Node } from 'libpg-query';
import * as allowed from './allowed-names.ts';
import { getStrings, type KindedNode, type NodeBody, toKindedNode } from './ast.ts';
import { SqlRejection } from './rejection.ts';

const MAX_TEXT_LENGTH = 200;
const MAX_WILDCARDS = 6;
const MAX_FORMAT_LENGTH = 100;
const MAX_PRECISION = 100;
const DECIMAL = /^\d{0,20}\.?\d{0,20}(e[+-]?\d\d?)?$/i;

/** Checks functions, operators, types and constants against the allowed names. Throws `SqlRejection`. */
export function checkNames(nodes: readonly KindedNode[]): void {
  for (const { kind, body } of nodes) checks[kind]?.(body);
}

const checks: Readonly<Record<string, (body: NodeBody) => void>> = {
  FuncCall: checkFunction,
  A_Expr: checkExpression,
  SubLink: checkSubquery,
  TypeName: checkType,
  A_Const: checkConstant,
  SQLValueFunction({ op }) {
    if (!allowed.timeValues.has(String(op)))
      throw new SqlRejection(
        'function',
        'The current user is not available as a value; every table contains only your own rows.',
      );
  },
};

function checkFunction({ funcname, funcformat, args }: NodeBody): void {
  const names = getStrings(funcname as Node[]);
  const name = names.at(-1) ?? '';
  const isGrammarCall = funcformat === 'COERCE_SQL_SYNTAX';
  if (isGrammarCall ? !allowed.grammarFunctions.has(name) : names.length !== 1 || !allowed.functions.has(name)) {
    const list = [...allowed.functions].join(', ');
    const message = `The function ${names.join('.')}() is not available. There are: ${list}.`;
    throw new SqlRejection('function', allowed.functionAdvice[name] ?? message);
  }
  const callArguments = (args ?? []) as unknown[];
  if (name === 'to_char' || name === 'to_date') requireConstant(name, callArguments[1], MAX_FORMAT_LENGTH);
  if (name === 'string_agg') requireConstant(name, callArguments[1], MAX_FORMAT_LENGTH);
  if (name === 'replace') {
    const from = requireConstant(name, callArguments[1], MAX_TEXT_LENGTH);
    const to = requireConstant(name, callArguments[2], MAX_TEXT_LENGTH);
    if (to.length > from.length) throw new SqlRejection('value', 'replace() cannot make a text longer.');
  }
}

/** Returns the constant text of an argument. Throws `SqlRejection` for any other argument. */
function requireConstant(name: string, argument: unknown, maxLength: number): string {
  const { kind, body } = toKindedNode(argument);
  const text = (body['sval'] as NodeBody | undefined)?.['sval'] ?? (body['sval'] && '');
  if (kind !== 'A_Const' || typeof text !== 'string' || text.length > maxLength)
    throw new SqlRejection('value', `${name}() requires a constant text of at most ${maxLength} characters.`);
  return text;
}

function checkExpression({ kind, name, rexpr }: NodeBody): void {
  if (!allowed.expressionKinds.has(String(kind)))
    throw new SqlRejection('operator', 'SIMILAR TO is not available; use LIKE or ILIKE.');
  if (kind === 'AEXPR_BETWEEN' || String(kind).includes('BETWEEN')) return;
  checkOperator(getStrings(name as Node[]));
  if (kind === 'AEXPR_LIKE' || kind === 'AEXPR_ILIKE' || getStrings(name as Node[])[0]?.includes('~~')) {
    const pattern = requireConstant('LIKE', rexpr, MAX_TEXT_LENGTH);
    if ([...pattern].filter((one) => one === '%' || one === '_').length > MAX_WILDCARDS)
      throw new SqlRejection('value', `A pattern has at most ${MAX_WILDCARDS} wildcards.`);
  }
}

function checkOperator(names: readonly string[]): void {
  const name = names.at(-1) ?? '';
  if (names.length === 1 && allowed.operators.has(name)) return;
  const list = [...allowed.operators].slice(0, 13).join(' ');
  const message = `The operator ${names.join('.')} is not available. There are: ${list}, LIKE, IN.`;
  throw new SqlRejection('operator', allowed.operatorAdvice[name] ?? message);
}

function checkSubquery({ subLinkType, operName }: NodeBody): void {
  if (!allowed.subqueryKinds.has(String(subLinkType)))
    throw new SqlRejection('shape', 'ARRAY(…) is not available; return rows.');
  if (operName !== undefined) checkOperator(getStrings(operName as Node[]));
}

function checkType({ names, typmods }: NodeBody): void {
  const [name = '', ...schema] = getStrings(names as Node[]).toReversed();
  const isListed =
    allowed.types.has(name) && (schema.length === 0 || (schema.length === 1 && schema[0] === 'pg_catalog'));
  if (!isListed)
    throw new SqlRejection('type', `The type ${name} is not available. There are: ${[...allowed.types].join(', ')}.`);
  for (const one of (typmods ?? []) as unknown[]) {
    const { ival } = toKindedNode(one).body as { ival?: { ival?: number } };
    // The mask of "interval year" is larger than any precision and has no limit.
    const isTooLong = name !== 'interval' && Math.abs(ival?.ival ?? 0) > MAX_PRECISION;
    if (ival === undefined || isTooLong)
      throw new SqlRejection('type', `A type's length or precision is at most ${MAX_PRECISION}.`);
  }
}

function checkConstant({ sval, fval }: NodeBody): void {
  const decimal = (fval as NodeBody | undefined)?.['fval'];
  if (typeof decimal === 'string' && !DECIMAL.test(decimal))
    throw new SqlRejection('value', 'A number in the statement has at most 20 digits on each side.');
  const text = (sval as NodeBody | undefined)?.['sval'];
  if (typeof text !== 'string') return;
  if (text.length > MAX_TEXT_LENGTH)
    throw new SqlRejection('value', `A text in the statement has at most ${MAX_TEXT_LENGTH} characters.`);
  // PostgreSQL converts an untyped text beside a number to a number with that many digits.
  if (/^\s*[-+]?[\d._]*e[-+]?\d/i.test(text) && !/^\s*[-+]?\d+(\.\d*)?e[-+]?\d\d?\s*$/i.test(text))
    throw new SqlRejection('value', 'Write a number as a number, with at most 20 digits on each side.');
  if (/\d{21}/.test(text)) throw new SqlRejection('value', 'A text in the statement has at most 20 digits in a row.');
}
