import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** Named components of a document, filled while its operations are generated. */
export interface Components {
  schemas: Record<string, JsonSchema>;
  responses: Record<string, object>;
}

/** Converts a schema to JSON Schema. Schemas with `meta({ id })` are added to the components and referenced. */
export function toJsonSchema(components: Components, schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const {
    $schema: _,
    $defs = {},
    ...rootSchema
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: simplifySchema });
  for (const [name, definition] of Object.entries($defs)) addSchema(components, name, rewriteReferences(definition));
  return rewriteReferences(rootSchema);
}

/** Adds a named schema. Throws if another schema has that name. */
export function addSchema({ schemas }: Components, name: string, schema: JsonSchema): void {
  if (schemas[name] !== undefined && !isDeepStrictEqual(schemas[name], schema))
    throw new Error(`Two schemas are named ${name}, or one is written differently in requests and in responses.`);
  schemas[name] = schema;
}

/**
 * Removes irrelevant details: closed response objects, since responses may gain fields, and a pattern that only repeats
 * the format.
 */
function simplifySchema({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  const { def } = zodSchema._zod;
  if (def.type === 'object' && def.catchall === undefined) delete jsonSchema['additionalProperties'];
  if (jsonSchema['format'] !== undefined) delete jsonSchema['pattern'];
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
}

const rewriteReferences = (schema: object): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema;
