import type { z } from 'zod';
import { type Check, isObject, type Problem, refuse, REQUIRED, shown, within } from './problem.ts';

type Schema = z.core.$ZodType;
type Def = z.core.$ZodTypes['_zod']['def'];
type ObjectDef = z.core.$ZodObjectDef;
type Rule = z.core.$ZodCheck | undefined;

interface Exceptions {
  /** Shapes that the real API refuses as it does a union, though they have one form only. */
  unionsOfOne: ReadonlySet<Schema>;
  /** What becomes of the compiled check of a shape. Lengths of lists and refinements are checked here alone. */
  wrapped: ReadonlyMap<unknown, (compiled: Check) => Check>;
}

const defOf = (schema: Schema): Def => (schema as z.core.$ZodTypes)._zod.def;

/**
 * Makes the checks of a contract's shapes: faster than the schemas themselves, with the sentences of the real API
 * wherever it is known to say them.
 * @throws Error for a kind of schema that it does not know
 */
export function compileShapes({ unionsOfOne, wrapped }: Exceptions): (schema: Schema) => Check {
  const known = new Map<Schema, Check>();

  /** `isTagged`: the `type` has been read already to choose this shape. */
  const compileObject = ({ shape, catchall }: ObjectDef, isTagged: boolean): Check => {
    const required = new Map<string, Check>();
    const optional = new Map<string, Check>();
    for (const [name, schema] of Object.entries(shape)) {
      const def = defOf(schema);
      if (def.type === 'optional') optional.set(name, compile(def.innerType));
      else required.set(name, isTagged && name === 'type' ? anything : compile(schema));
    }
    return fields(required, optional, catchall !== undefined && defOf(catchall).type === 'unknown');
  };

  const compileTagged = (options: readonly Schema[]): Check => {
    const byTag = new Map<string, Check>();
    for (const option of options) {
      const def = defOf(option) as ObjectDef;
      const check = compileObject(def, true);
      const [type] = (defOf(def.shape['type']!) as z.core.$ZodLiteralDef<string>).values;
      byTag.set(type!, wrapped.get(option)?.(check) ?? check);
    }
    return tagged(byTag);
  };

  const compileUnion = (def: z.core.$ZodUnionDef): Check => {
    if ('discriminator' in def) return compileTagged(def.options);
    const [first, second] = def.options as [Schema, Schema];
    const [ofFirst, ofSecond] = [compile(first), compile(second)];
    if (defOf(first).type === 'string') return (value) => (typeof value === 'string' ? undefined : ofSecond(value));
    return (value) => (Array.isArray(value) ? ofFirst(value) : ofSecond(value));
  };

  const compileNew = (schema: Schema): Check => {
    const def = defOf(schema);
    switch (def.type) {
      case 'string':
        return compileString(def.checks?.[0]);
      case 'number':
        return 'format' in def ? compileInteger(def.checks?.[0]) : number;
      case 'boolean':
        return boolean;
      case 'literal':
        return oneOf(def.values as string[]);
      case 'enum':
        return oneOf(Object.values(def.entries) as string[]);
      case 'record':
        return object;
      case 'array':
        return list(compile(def.element));
      case 'nullable': {
        const check = compile(def.innerType);
        return (value) => (value === null ? undefined : check(value));
      }
      case 'union':
        return compileUnion(def);
      case 'object':
        return unionsOfOne.has(schema) ? compileTagged([schema]) : compileObject(def, false);
      default:
        throw new Error(`A shape of a request is a ${def.type}, which has no check.`);
    }
  };

  const compile = (schema: Schema): Check => {
    let check = known.get(schema);
    if (!check) {
      const compiled = compileNew(schema);
      check = wrapped.get(schema)?.(compiled) ?? compiled;
      known.set(schema, check);
    }
    return check;
  };
  return compile;
}

const anything: Check = () => undefined;
const string: Check = (value) => (typeof value === 'string' ? undefined : refuse('Input should be a valid string'));
const boolean: Check = (value) => (typeof value === 'boolean' ? undefined : refuse('Input should be a valid boolean'));
const number: Check = (value) => (Number.isFinite(value) ? undefined : refuse('Input should be a valid number'));
const object: Check = (value) => (isObject(value) ? undefined : notAnObject());
const notAnObject = (): Problem => refuse('Input should be a valid dictionary');

function compileString(rule: Rule): Check {
  if (!rule) return string;
  const { pattern } = rule._zod.def as { pattern?: RegExp };
  const message = pattern
    ? `String should match pattern '${pattern.source}'`
    : 'String should have at least 1 character';
  const fits = pattern ? (text: string) => pattern.test(text) : (text: string) => text !== '';
  return (value) => string(value) ?? (fits(value as string) ? undefined : refuse(message));
}

function compileInteger(rule: Rule): Check {
  const { value: least = Number.NEGATIVE_INFINITY } = (rule?._zod.def ?? {}) as { value?: number };
  return (value) => {
    if (!Number.isSafeInteger(value)) return refuse('Input should be a valid integer');
    return (value as number) < least ? refuse(`Input should be greater than or equal to ${least}`) : undefined;
  };
}

const quoted = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

/** One of a few strings, told as the real API tells it: `'a', 'b' or 'c'`. */
function oneOf(values: readonly string[]): Check {
  const last = values.at(-1)!;
  const message = `Input should be ${values.length === 1 ? '' : `${quoted(values.slice(0, -1))} or `}'${last}'`;
  return (value) => (typeof value === 'string' && values.includes(value) ? undefined : refuse(message));
}

function list(item: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return refuse('Input should be a valid list');
    for (let index = 0; index < value.length; index += 1) {
      const problem = item(value[index]);
      if (problem) return within(index, problem);
    }
    return undefined;
  };
}

/** An object with these fields, which are checked in this order; others are refused unless `isOpen`. */
function fields(required: ReadonlyMap<string, Check>, optional: ReadonlyMap<string, Check>, isOpen: boolean): Check {
  const names = [...required.keys(), ...optional.keys()];
  const checks = [...required.values(), ...optional.values()];
  const needed = required.size;
  const known = new Set(names);
  return (value) => {
    if (!isObject(value)) return notAnObject();
    let present = 0;
    for (let index = 0; index < names.length; index += 1) {
      const name = names[index]!;
      const inner = value[name];
      if (inner === undefined) {
        if (index < needed) return refuse(REQUIRED, name);
        continue;
      }
      present += 1;
      const problem = checks[index]!(inner);
      if (problem) return within(name, problem);
    }
    return isOpen ? undefined : extraField(value, present, known);
  };
}

function extraField(value: Record<string, unknown>, present: number, known: ReadonlySet<string>): Problem | undefined {
  let total = 0;
  for (const _name in value) total += 1;
  if (total === present) return undefined;
  for (const name in value) if (!known.has(name)) return refuse('Extra inputs are not permitted', shown(name));
  return undefined;
}

/** An object whose `type` chooses its shape. */
function tagged(byTag: ReadonlyMap<string, Check>): Check {
  const expected = quoted([...byTag.keys()].sort());
  return (value) => {
    if (!isObject(value)) return notAnObject();
    const tag = value['type'];
    if (tag === undefined) return refuse(REQUIRED, 'type');
    const check = typeof tag === 'string' ? byTag.get(tag) : undefined;
    if (check) return check(value);
    const found = typeof tag === 'string' ? shown(tag) : JSON.stringify(tag)?.slice(0, 64);
    return refuse(`Input tag '${found}' found using 'type' does not match any of the expected tags: ${expected}`);
  };
}
