import { validate as matchesMetaSchema } from './data/draft-2020-12.js';
import { isObject, type Problem, validationError } from './problem.ts';

const COMBINATOR_KEYS = ['oneOf', 'allOf', 'anyOf'];
const COMBINATORS_NOT_SUPPORTED = 'input_schema does not support oneOf, allOf, or anyOf at the top level';
const PROPERTY_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;
const INVALID_SCHEMA =
  'JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). Learn more ' +
  'about tool use at https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview.';

const OPEN_OBJECT = "For 'object' type, 'additionalProperties' must be explicitly set to false";

/** Returns the problem of a tool's input schema, whose path is relative to it. */
export function findSchemaProblem(schema: Record<string, unknown>): Problem | undefined {
  if (hasInvalidPropertyName(schema['properties']))
    return validationError(`Property keys should match pattern '${PROPERTY_NAME.source}'`, 'properties');
  if (COMBINATOR_KEYS.some((key) => Object.hasOwn(schema, key))) return validationError(COMBINATORS_NOT_SUPPORTED);
  return matchesDraft(schema) ? undefined : validationError(INVALID_SCHEMA);
}

function hasInvalidPropertyName(properties: unknown): boolean {
  if (!isObject(properties)) return false;
  for (const name in properties) if (!PROPERTY_NAME.test(name)) return true;
  return false;
}

/**
 * Returns whether a schema matches the meta-schema, in linear time (about that of parsing it). `$schema` is ignored,
 * because the real API accepts schemas that name draft 7 (897 recorded requests).
 */
export function matchesDraft(schema: Record<string, unknown>): boolean {
  try {
    return matchesMetaSchema(omitNulls(schema));
  } catch (error) {
    // The check calls itself for each level, so a schema of about 1,000 levels exceeds the stack.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Returns a schema without null in the two fields that the client library types as nullable. */
function omitNulls(schema: Record<string, unknown>): Record<string, unknown> {
  if (schema['properties'] !== null && schema['required'] !== null) return schema;
  const { properties, required, ...rest } = schema;
  return { ...rest, ...(properties !== null && { properties }), ...(required !== null && { required }) };
}

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
