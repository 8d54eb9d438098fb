import type { z } from 'zod';

/**
 * One thing that a request may hold by its contract, at the first place where it may stand, and whether any of the
 * values holds it.
 */
interface Feature {
  place: string;
  held: boolean;
}

type Def = z.core.$ZodTypes['_zod']['def'];

/**
 * Walks a contract beside values that keep it: every key, every option of a union, every word of an enumeration or at
 * the head of a pattern, null where it may be, true and false. A shape that stands in several places is walked once,
 * with the values of all of them.
 */
export function featuresOf(contract: z.ZodType, values: readonly unknown[]): Feature[] {
  const places = new Map<z.core.$ZodType, { place: string; values: unknown[] }>();
  const order: z.core.$ZodType[] = [];
  const features: Feature[] = [];

  const gather = (schema: z.core.$ZodType, place: string, found: readonly unknown[]): void => {
    const known = places.get(schema);
    if (known) known.values.push(...found);
    else {
      places.set(schema, { place, values: [...found] });
      order.push(schema);
    }
    for (const { schema: inner, place: at, found: further } of inside(defOf(schema), place, found))
      gather(inner, at, further);
  };
  gather(contract, 'request', values);

  for (const schema of order) {
    const { place, values: found } = places.get(schema)!;
    for (const [what, held] of ownFeatures(defOf(schema), found)) features.push({ place: `${place}${what}`, held });
  }
  return features;
}

/** What a shape itself lets a value choose, without the shapes inside it. */
function ownFeatures(def: Def, found: readonly unknown[]): [what: string, held: boolean][] {
  const words = (all: readonly unknown[]): [string, boolean][] =>
    all.map((word) => [` = ${String(word)}`, found.includes(word)]);
  switch (def.type) {
    case 'object':
      return Object.keys(def.shape).map((key) => [
        `.${key}`,
        found.some((value) => Object.hasOwn(value as object, key)),
      ]);
    case 'union':
      return def.options.map((option, at) => [
        `, ${optionName(option, at)}`,
        found.some((value) => keeps(option, value)),
      ]);
    case 'nullable':
      return words([null]);
    case 'boolean':
      return words([true, false]);
    case 'enum':
      return words(Object.values(def.entries));
    case 'literal':
      return words(def.values);
    case 'string':
      return beginnings(def).map((word) => [` = ${word}…`, found.some((value) => (value as string).startsWith(word))]);
    default:
      return [];
  }
}

/** The words with which a text begins whose pattern names them first: `^(bash|memory)_…`. */
function beginnings(def: Def & { type: 'string' }): string[] {
  const patterns = (def.checks ?? []).map((check) => (check._zod.def as { pattern?: RegExp }).pattern?.source ?? '');
  return patterns.flatMap(
    (pattern) =>
      /^\^\(([\w|]+)\)_/
        .exec(pattern)?.[1]
        ?.split('|')
        .map((word) => `${word}_`) ?? [],
  );
}

interface Inside {
  schema: z.core.$ZodType;
  place: string;
  found: readonly unknown[];
}

/** The shapes inside a shape, with the values that stand there. */
function inside(def: Def, place: string, found: readonly unknown[]): Inside[] {
  switch (def.type) {
    case 'optional':
      return [{ schema: def.innerType, place, found: found.filter((value) => value !== undefined) }];
    case 'nullable':
      return [{ schema: def.innerType, place, found: found.filter((value) => value !== null) }];
    case 'array':
      return [{ schema: def.element, place: `${place}[]`, found: (found as unknown[][]).flat() }];
    case 'object':
      return Object.entries(def.shape).map(([key, schema]) => ({
        schema,
        place: `${place}.${key}`,
        found: (found as Record<string, unknown>[])
          .filter((value) => Object.hasOwn(value, key))
          .map((value) => value[key]),
      }));
    case 'union':
      return def.options.map((schema, at) => ({
        schema,
        place: `${place}, ${optionName(schema, at)}`,
        found: found.filter((value) => keeps(schema, value)),
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
        `${place} is of a kind that this walk does not know: ${def.type}. Add it, ` +
          'so that nothing of the contract is passed over.',
      );
  }
}

const defOf = (schema: z.core.$ZodType): Def => schema._zod.def as Def;

const keeps = (schema: z.core.$ZodType, value: unknown): boolean => (schema as z.ZodType).safeParse(value).success;

/** An option's own tag (`type: "text"`), else its kind. */
function optionName(schema: z.core.$ZodType, at: number): string {
  const def = defOf(schema);
  const tag = def.type === 'object' && def.shape['type'] ? defOf(def.shape['type']) : undefined;
  return tag?.type === 'literal' ? String(tag.values[0]) : `${def.type} ${at + 1}`;
}
