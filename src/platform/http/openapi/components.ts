import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** The named parts of a document, filled while its operations are written. */
export interface Components {
  schemas: Record<string, JsonSchema>;
  responses: Record<string, object>;
}

/** A schema as JSON Schema; what it names with `meta({ id })` stands in the components and is referred to. */
export function toJsonSchema(components: Components, schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const {
    $schema: _,
    $defs = {},
    ...rootSchema
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: simplifySchema });
  for (const [name, definition] of Object.entries($defs)) addSchema(components, name, rewriteReferences(definition));
  return rewriteReferences(rootSchema);
}

/** Adds a named schema. Throws where another one has the name already. */
export function addSchema({ schemas }: Components, name: string, schema: JsonSchema): void {
  if (schemas[name] !== undefined && !isDeepStrictEqual(schemas[name], schema))
    throw new Error(`Two schemas are named ${name}, or one is written differently in requests and in responses.`);
  schemas[name] = schema;
}

/** Leaves out what a reader does not need: responses may grow, and a pattern that only repeats the format. */
function simplifySchema({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  const { def } = zodSchema._zod;
  if (def.type === 'object' && def.catchall === undefined) delete jsonSchema['additionalProperties'];
  if (jsonSchema['format'] !== undefined) delete jsonSchema['pattern'];
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
}

const rewriteReferences = (schema: object): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema;
