import type { z } from 'zod';
import {
  type Check,
  isObject,
  type Problem,
  validationError,
  FIELD_REQUIRED,
  truncateForMessage,
  prependPath,
} from './problem.ts';

type Schema = z.core.$ZodType;
type Definition = z.core.$ZodTypes['_zod']['def'];
type ObjectDefinition = z.core.$ZodObjectDef;
type Rule = z.core.$ZodCheck | undefined;

interface CompileOptions {
  /** Shapes with one variant that the real API rejects like a union. */
  singleVariantUnions: ReadonlySet<Schema>;
  /** Replaces the compiled check of a shape. List lengths and refinements are checked only here. */
  overrides: ReadonlyMap<unknown, (compiled: Check) => Check>;
}

const getDefinition = (schema: Schema): Definition => (schema as z.core.$ZodTypes)._zod.def;

/**
 * Compiles the schemas of a contract into checks. They are faster than the schemas and return the messages of the real
 * API where those are known.
 * @throws Error for an unknown kind of schema
 */
export function compileShapes({ singleVariantUnions, overrides }: CompileOptions): (schema: Schema) => Check {
  const compiledChecks = new Map<Schema, Check>();

  /** Compiles an object. `isTagged` is true if `type` has already selected this shape. */
  const compileObject = ({ shape, catchall }: ObjectDefinition, isTagged: boolean): Check => {
    const fields = Object.entries(shape).map(([name, schema]): Field => {
      const def = getDefinition(schema);
      if (def.type === 'optional') return { name, check: compile(def.innerType), isRequired: false };
      return { name, check: isTagged && name === 'type' ? acceptAny : compile(schema), isRequired: true };
    });
    return compileFields(fields, catchall !== undefined && getDefinition(catchall).type === 'unknown');
  };

  const compileTagged = (options: readonly Schema[]): Check => {
    const byTag = new Map<string, Check>();
    for (const option of options) {
      const def = getDefinition(option) as ObjectDefinition;
      const check = compileObject(def, true);
      const [type] = (getDefinition(def.shape['type']!) as z.core.$ZodLiteralDef<string>).values;
      byTag.set(type!, overrides.get(option)?.(check) ?? check);
    }
    return compileByTag(byTag);
  };

  const compileUnion = (def: z.core.$ZodUnionDef): Check => {
    if ('discriminator' in def) return compileTagged(def.options);
    const [first, second] = def.options as [Schema, Schema];
    const checkFirst = compile(first);
    const checkSecond = compile(second);
    if (getDefinition(first).type === 'string')
      return (value) => (typeof value === 'string' ? undefined : checkSecond(value));
    return (value) => (Array.isArray(value) ? checkFirst(value) : checkSecond(value));
  };

  const compileUncached = (schema: Schema): Check => {
    const def = getDefinition(schema);
    switch (def.type) {
      case 'string':
        return compileString(def.checks ?? []);
      case 'number':
        return 'format' in def ? compileInteger(def.checks?.[0]) : checkNumber;
      case 'boolean':
        return checkBoolean;
      case 'literal':
        return compileEnum(def.values as string[]);
      case 'enum':
        return compileEnum(Object.values(def.entries) as string[]);
      case 'record':
        return checkObject;
      case 'array':
        return compileList(compile(def.element));
      case 'nullable': {
        const check = compile(def.innerType);
        return (value) => (value === null ? undefined : check(value));
      }
      case 'union':
        return compileUnion(def);
      case 'object':
        return singleVariantUnions.has(schema) ? compileTagged([schema]) : compileObject(def, false);
      default:
        throw new Error(`A shape of a request is a ${def.type}, which has no check.`);
    }
  };

  const compile = (schema: Schema): Check => {
    let check = compiledChecks.get(schema);
    if (!check) {
      const compiled = compileUncached(schema);
      check = overrides.get(schema)?.(compiled) ?? compiled;
      compiledChecks.set(schema, check);
    }
    return check;
  };
  return compile;
}

const NOT_AN_OBJECT = 'Input should be an object';

const acceptAny: Check = () => undefined;
const checkString: Check = (value) =>
  typeof value === 'string' ? undefined : validationError('Input should be a valid string');
const checkBoolean: Check = (value) =>
  typeof value === 'boolean' ? undefined : validationError('Input should be a valid boolean');
const checkNumber: Check = (value) =>
  Number.isFinite(value) ? undefined : validationError('Input should be a valid number');
const checkObject: Check = (value) => (isObject(value) ? undefined : validationError(NOT_AN_OBJECT));

function compileString(rules: readonly Exclude<Rule, undefined>[]): Check {
  const compiledRules = rules.map(compileStringRule);
  return (value) => {
    const problem = checkString(value);
    if (problem) return problem;
    const broken = compiledRules.find(({ isMatch }) => !isMatch(value as string));
    return broken && validationError(broken.message);
  };
}

interface StringRule {
  isMatch: (text: string) => boolean;
  message: string;
}

/** Compiles a length or a pattern with the message of the real API. */
function compileStringRule(rule: Exclude<Rule, undefined>): StringRule {
  const { pattern, minimum, maximum } = rule._zod.def as { pattern?: RegExp; minimum?: number; maximum?: number };
  if (pattern) {
    return { isMatch: (text) => pattern.test(text), message: `String should match pattern '${pattern.source}'` };
  }
  if (maximum !== undefined) {
    return { isMatch: ({ length }) => length <= maximum, message: `String should have at most ${maximum} characters` };
  }
  return { isMatch: ({ length }) => length >= minimum!, message: 'String should have at least 1 character' };
}

function compileInteger(rule: Rule): Check {
  const { value: min = Number.NEGATIVE_INFINITY } = (rule?._zod.def ?? {}) as { value?: number };
  return (value) => {
    if (!Number.isSafeInteger(value)) return validationError('Input should be a valid integer');
    return (value as number) < min ? validationError(`Input should be greater than or equal to ${min}`) : undefined;
  };
}

const formatQuoted = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

/** Compiles an enum with the message of the real API: `'a', 'b' or 'c'`. */
function compileEnum(values: readonly string[]): Check {
  const last = values.at(-1)!;
  const message = `Input should be ${values.length === 1 ? '' : `${formatQuoted(values.slice(0, -1))} or `}'${last}'`;
  return (value) => (typeof value === 'string' && values.includes(value) ? undefined : validationError(message));
}

function compileList(item: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return validationError('Input should be a valid array');
    for (let index = 0; index < value.length; index += 1) {
      const problem = item(value[index]);
      if (problem) return prependPath(index, problem);
    }
    return undefined;
  };
}

interface Field {
  name: string;
  check: Check;
  isRequired: boolean;
}

/** Compiles the check of an object with these fields, in this order. Other fields are rejected unless `isOpen`. */
function compileFields(fields: readonly Field[], isOpen: boolean): Check {
  const knownNames = new Set(fields.map(({ name }) => name));
  const notAnObject = isOpen ? NOT_AN_OBJECT : 'Input does not match the expected shape.';
  return (value) => {
    if (!isObject(value)) return validationError(notAnObject);
    let presentCount = 0;
    for (let index = 0; index < fields.length; index += 1) {
      const { name, check, isRequired } = fields[index]!;
      const fieldValue = value[name];
      if (fieldValue === undefined) {
        if (isRequired) return validationError(FIELD_REQUIRED, name);
        continue;
      }
      presentCount += 1;
      const problem = check(fieldValue);
      if (problem) return prependPath(name, problem);
    }
    return isOpen ? undefined : findExtraField(value, presentCount, knownNames);
  };
}

function findExtraField(
  value: Record<string, unknown>,
  presentCount: number,
  knownNames: ReadonlySet<string>,
): Problem | undefined {
  let total = 0;
  for (const _name in value) total += 1;
  if (total === presentCount) return undefined;
  for (const name in value)
    if (!knownNames.has(name)) return validationError('Extra inputs are not permitted', truncateForMessage(name));
  return undefined;
}

/** Compiles the check of an object whose `type` selects its shape. Paths contain the type, as those of the real API do. */
function compileByTag(byTag: ReadonlyMap<string, Check>): Check {
  const tags = [...byTag.keys()].sort();
  return (value) => {
    if (!isObject(value)) return validationError(NOT_AN_OBJECT);
    const tag = value['type'];
    if (tag === undefined) return validationError(FIELD_REQUIRED, 'type');
    const check = typeof tag === 'string' ? byTag.get(tag) : undefined;
    if (!check) return unknownTagError(tag, tags);
    const problem = check(value);
    return problem && prependPath(tag as string, problem);
  };
}

/** Returns the problem of an object whose `type` is none of the tags, which are sorted. */
export function unknownTagError(tag: unknown, tags: readonly string[]): Problem {
  const foundTag = typeof tag === 'string' ? truncateForMessage(tag) : JSON.stringify(tag)?.slice(0, 64);
  return validationError(
    `Input tag '${foundTag}' found using 'type' does not match any of the expected tags: ${formatQuoted(tags)}`,
  );
}
