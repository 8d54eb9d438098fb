import type { z } from 'zod';
import type { Check } from './problem.ts';
import {
  boolean,
  fields,
  integer,
  list,
  nonEmptyString,
  nullable,
  number,
  object,
  oneOf,
  pattern,
  string,
  stringOr,
  tag,
  tagged,
} from './shapes.ts';

type Schema = z.core.$ZodType;
type Def = z.core.$ZodTypes['_zod']['def'];
type ObjectDef = z.core.$ZodObjectDef;

const defOf = (schema: Schema): Def => (schema as z.core.$ZodTypes)._zod.def;

type Rule = z.core.$ZodCheck | undefined;
const limitOf = (rule: Rule): number | undefined => (rule?._zod.def as { value?: number } | undefined)?.value;

function compileString(rule: Rule): Check {
  if (!rule) return string;
  const { pattern: expression } = rule._zod.def as { pattern?: RegExp };
  return expression ? pattern(expression) : nonEmptyString;
}

interface Exceptions {
  /** Shapes that the real API refuses as it does a union, though they have one form only. */
  unionsOfOne: ReadonlySet<Schema>;
  /** What becomes of the compiled check of a shape. Lengths of lists and refinements are checked here alone. */
  wrapped: ReadonlyMap<unknown, (compiled: Check) => Check>;
}

/**
 * Makes the checks of a contract's shapes: faster than the schemas themselves, with the sentences of the real API.
 * @throws Error for a kind of schema that it does not know
 */
export function compileShapes({ unionsOfOne, wrapped }: Exceptions): (schema: Schema) => Check {
  const known = new Map<Schema, Check>();

  /** `isTagged`: the `type` has been read already to choose this shape. */
  const compileObject = ({ shape, catchall }: ObjectDef, isTagged: boolean): Check => {
    const required: Record<string, Check> = {};
    const optional: Record<string, Check> = {};
    for (const [name, schema] of Object.entries(shape)) {
      const def = defOf(schema);
      if (def.type === 'optional') optional[name] = compile(def.innerType);
      else required[name] = isTagged && name === 'type' ? tag : compile(schema);
    }
    return fields({ required, optional }, { open: catchall !== undefined && defOf(catchall).type === 'unknown' });
  };

  const compileTagged = (options: readonly Schema[]): Check =>
    tagged(
      Object.fromEntries(
        options.map((option) => {
          const def = defOf(option) as ObjectDef;
          const check = compileObject(def, true);
          const [type] = (defOf(def.shape['type']!) as z.core.$ZodLiteralDef<string>).values;
          return [type, wrapped.get(option)?.(check) ?? check];
        }),
      ),
    );

  const compileUnion = (def: z.core.$ZodUnionDef): Check => {
    if ('discriminator' in def) return compileTagged(def.options);
    const [first, second] = def.options as [Schema, Schema];
    if (defOf(first).type === 'string') return stringOr(compile(second));
    const [ofList, ofOther] = [compile(first), compile(second)];
    return (value) => (Array.isArray(value) ? ofList(value) : ofOther(value));
  };

  const compileNew = (schema: Schema): Check => {
    const def = defOf(schema);
    switch (def.type) {
      case 'string':
        return compileString(def.checks?.[0]);
      case 'number':
        return 'format' in def ? integer(limitOf(def.checks?.[0])) : number;
      case 'boolean':
        return boolean;
      case 'literal':
        return oneOf(...(def.values as string[]));
      case 'enum':
        return oneOf(...(Object.values(def.entries) as string[]));
      case 'record':
        return object;
      case 'array':
        return list(compile(def.element));
      case 'nullable':
        return nullable(compile(def.innerType));
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
