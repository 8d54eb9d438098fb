import type { z } from 'zod';

/** A feature that the contract allows, with the first place where it may occur, and whether a value has it. */
interface Feature {
  path: string;
  isCovered: boolean;
}

type Def = z.core.$ZodTypes['_zod']['def'];

/**
 * Walks a contract together with values that satisfy it. Collects every key, union option, enumeration value, pattern
 * prefix, allowed null, true and false. A shape with several places is walked once, with the values of all its places.
 */
export function collectFeatures(contract: z.ZodType, values: readonly unknown[]): Feature[] {
  const places = new Map<z.core.$ZodType, { place: string; values: unknown[] }>();
  const order: z.core.$ZodType[] = [];
  const features: Feature[] = [];

  const collect = (schema: z.core.$ZodType, path: string, found: readonly unknown[]): void => {
    const visited = places.get(schema);
    if (visited) visited.values.push(...found);
    else {
      places.set(schema, { place: path, values: [...found] });
      order.push(schema);
    }
    for (const { schema: inner, path: at, found: further } of getInnerSchemas(getDefinition(schema), path, found))
      collect(inner, at, further);
  };
  collect(contract, 'request', values);

  for (const schema of order) {
    const { place, values: found } = places.get(schema)!;
    for (const [what, isCovered] of getOwnFeatures(getDefinition(schema), found))
      features.push({ path: `${place}${what}`, isCovered });
  }
  return features;
}

/** Returns the features of a shape itself, without its inner shapes. */
function getOwnFeatures(def: Def, found: readonly unknown[]): [what: string, held: boolean][] {
  const getLiterals = (all: readonly unknown[]): [string, boolean][] =>
    all.map((word) => [` = ${String(word)}`, found.includes(word)]);
  switch (def.type) {
    case 'object':
      return Object.keys(def.shape).map((key) => [
        `.${key}`,
        found.some((value) => Object.hasOwn(value as object, key)),
      ]);
    case 'union':
      return def.options.map((option, index) => [
        `, ${getOptionName(option, index)}`,
        found.some((value) => passesThrough(option, value)),
      ]);
    case 'nullable':
      return getLiterals([null]);
    case 'boolean':
      return getLiterals([true, false]);
    case 'enum':
      return getLiterals(Object.values(def.entries));
    case 'literal':
      return getLiterals(def.values);
    case 'string':
      return prefixPatterns(def).map((word) => [
        ` = ${word}…`,
        found.some((value) => (value as string).startsWith(word)),
      ]);
    default:
      return [];
  }
}

/** Returns the words that a pattern lists as prefixes, such as `^(bash|memory)_…`. */
function prefixPatterns(def: Def & { type: 'string' }): string[] {
  const patterns = (def.checks ?? []).map((check) => (check._zod.def as { pattern?: RegExp }).pattern?.source ?? '');
  return patterns.flatMap(
    (pattern) =>
      /^\^\(([\w|]+)\)_/
        .exec(pattern)?.[1]
        ?.split('|')
        .map((word) => `${word}_`) ?? [],
  );
}

interface InnerSchema {
  schema: z.core.$ZodType;
  path: string;
  found: readonly unknown[];
}

/** Returns the inner shapes of a shape, with their values. */
function getInnerSchemas(def: Def, path: string, found: readonly unknown[]): InnerSchema[] {
  switch (def.type) {
    case 'optional':
      return [{ schema: def.innerType, path, found: found.filter((value) => value !== undefined) }];
    case 'nullable':
      return [{ schema: def.innerType, path, found: found.filter((value) => value !== null) }];
    case 'array':
      return [{ schema: def.element, path: `${path}[]`, found: (found as unknown[][]).flat() }];
    case 'object':
      return Object.entries(def.shape).map(([key, schema]) => ({
        schema,
        path: `${path}.${key}`,
        found: (found as Record<string, unknown>[])
          .filter((value) => Object.hasOwn(value, key))
          .map((value) => value[key]),
      }));
    case 'union':
      return def.options.map((schema, index) => ({
        schema,
        path: `${path}, ${getOptionName(schema, index)}`,
        found: found.filter((value) => passesThrough(schema, value)),
      }));
    case 'string':
    case 'number':
    case 'boolean':
    case 'enum':
    case 'literal':
    case 'record':
    case 'unknown':
      return [];
    default:
      throw new Error(
        `${path} is of a kind that this walk does not know: ${def.type}. Add it, ` +
          'so that nothing of the contract is passed over.',
      );
  }
}

const getDefinition = (schema: z.core.$ZodType): Def => schema._zod.def as Def;

const passesThrough = (schema: z.core.$ZodType, value: unknown): boolean =>
  (schema as z.ZodType).safeParse(value).success;

/** Returns the tag of a union option (`type: "text"`), or its kind. */
function getOptionName(schema: z.core.$ZodType, at: number): string {
  const def = getDefinition(schema);
  const tag = def.type === 'object' && def.shape['type'] ? getDefinition(def.shape['type']) : undefined;
  return tag?.type === 'literal' ? String(tag.values[0]) : `${def.type} ${at + 1}`;
}
