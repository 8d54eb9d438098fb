import { validate as matchesMetaSchema } from './data/draft-2020-12.js';
import { isObject, type Problem, validationError } from './problem.ts';

const COMBINATOR_KEYS = ['oneOf', 'allOf', 'anyOf'];
const COMBINATORS_NOT_SUPPORTED = 'input_schema does not support oneOf, allOf, or anyOf at the top level';
const PROPERTY_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;
const INVALID_SCHEMA =
  'JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). Learn more ' +
  'about tool use at https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview.';
/** Maximum nesting. The validator calls itself for each level, and a schema of a tool has about ten. */
const MAX_SCHEMA_DEPTH = 200;
/** Maximum number of values in all schemas of a request that are checked, which takes about 0.3 s. */
const MAX_CHECKED_VALUES = 100_000;

/** Number of values that a request may still have checked. */
export class SchemaBudget {
  private values = MAX_CHECKED_VALUES;

  /** Takes the values of a schema. Returns the depth that was reached, or `undefined` if the values do not suffice. */
  measure(value: unknown, depth = 1): number | undefined {
    this.values -= 1;
    if (this.values < 0) return undefined;
    if (typeof value !== 'object' || value === null || depth > MAX_SCHEMA_DEPTH) return depth;
    let deepest = depth;
    for (const key in value) {
      const reached = this.measure((value as Record<string, unknown>)[key], depth + 1);
      if (reached === undefined) return undefined;
      deepest = Math.max(deepest, reached);
    }
    return deepest;
  }
}

/** Returns the problem of a tool's input schema, whose path is relative to it. */
export function findSchemaProblem(schema: Record<string, unknown>, budget: SchemaBudget): Problem | undefined {
  if (hasBadPropertyName(schema['properties']))
    return validationError(`Property keys should match pattern '${PROPERTY_NAME.source}'`, 'properties');
  if (COMBINATOR_KEYS.some((key) => Object.hasOwn(schema, key))) return validationError(COMBINATORS_NOT_SUPPORTED);
  const depth = budget.measure(schema);
  // A request with more values is counted without the check of its schemas.
  if (depth === undefined) return undefined;
  return depth <= MAX_SCHEMA_DEPTH && matchesDraft(schema) ? undefined : validationError(INVALID_SCHEMA);
}

function hasBadPropertyName(properties: unknown): boolean {
  if (!isObject(properties)) return false;
  for (const name in properties) if (!PROPERTY_NAME.test(name)) return true;
  return false;
}

/**
 * Returns whether a schema matches the meta-schema. `$schema` is ignored, because the real API accepts schemas that name
 * draft 7 (897 recorded requests).
 */
function matchesDraft(schema: Record<string, unknown>): boolean {
  if (schema['properties'] !== null && schema['required'] !== null) return matchesMetaSchema(schema);
  // The client library types these two as nullable.
  const { properties, required, ...rest } = schema;
  return matchesMetaSchema({
    ...rest,
    ...(properties !== null && { properties }),
    ...(required !== null && { required }),
  });
}

const OPEN_OBJECT = "For 'object' type, 'additionalProperties' must be explicitly set to false";

/** Returns the problem of a strict tool's schema with an object that allows other properties. */
export function findOpenObjectProblem(schema: unknown): Problem | undefined {
  if (Array.isArray(schema)) return findFirst(schema, findOpenObjectProblem);
  if (!isObject(schema)) return undefined;
  if (schema['type'] === 'object' && schema['additionalProperties'] !== false) return validationError(OPEN_OBJECT);
  const { properties, $defs, items, anyOf } = schema;
  const inner = [...getMembers(properties), ...getMembers($defs), items, anyOf];
  return findFirst(inner, findOpenObjectProblem);
}

const getMembers = (value: unknown): unknown[] => (isObject(value) ? Object.values(value) : []);

function findFirst(values: readonly unknown[], find: (value: unknown) => Problem | undefined): Problem | undefined {
  for (const value of values) {
    const problem = find(value);
    if (problem) return problem;
  }
  return undefined;
}
