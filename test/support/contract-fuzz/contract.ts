import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Schema } from './schema-values.ts';

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  example?: unknown;
  schema: Schema;
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  parameters: Parameter[];
  body: Schema | undefined;
  /** The body that the document shows. */
  example: unknown;
  responses: Readonly<Record<string, { content?: Readonly<Record<string, { schema?: Schema }>> }>>;
}

type Raw = Record<string, unknown> & { $ref?: string };
const document = JSON.parse(readFileSync(new URL('../../../docs/reference/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Raw>>;
  components: object;
};

/** Returns the target of a `$ref` of the document. */
export function resolve<T extends object>(part: T & { $ref?: string }): T {
  if (part.$ref === undefined) return part;
  const path = part.$ref.slice(2).split('/');
  return resolve(path.reduce((at, key) => (at as Record<string, object>)[key]!, document as object) as T);
}

/** Every operation of docs/reference/openapi.json. */
export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, raw]) => {
    const { requestBody } = raw as {
      requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
    };
    const responses = Object.entries(raw['responses'] as Record<string, Raw>);
    return {
      id: raw['operationId'] as string,
      method: method.toUpperCase(),
      path,
      parameters: ((raw['parameters'] ?? []) as Parameter[]).map((parameter) => resolve(parameter)),
      body: requestBody?.content['application/json']?.schema,
      example: requestBody?.content['application/json']?.example,
      responses: Object.fromEntries(responses.map(([status, response]) => [status, resolve(response)])),
    };
  }),
);

const ajv = new Ajv2020({ strict: false, allErrors: false });
formats.default(ajv);
ajv.addSchema({ $id: 'document', ...document });
const checks = new Map<Schema, ValidateFunction>();

/** Returns the contradiction between a response and the document, or `undefined`. */
export function findContradiction(
  { id, responses }: Operation,
  documentedResponse: { status: number; type: string | undefined; text: string },
): string | undefined {
  const isDescribed = responses[documentedResponse.status];
  if (!isDescribed)
    return `${id} does not document the status ${documentedResponse.status}: ${documentedResponse.text.slice(0, 200)}`;
  const type = documentedResponse.type?.split(';')[0];
  // A 304 has the content type of the omitted body.
  if (documentedResponse.text === '' && (documentedResponse.status === 304 || isDescribed.content === undefined))
    return undefined;
  const content = type === undefined ? undefined : isDescribed.content?.[type];
  if (!content)
    return `${id} ${documentedResponse.status} does not document the type ${type ?? 'without a type'}: ${documentedResponse.text.slice(0, 200)}`;
  if (type !== 'application/json' || !content.schema) return undefined;
  let body: unknown;
  try {
    body = JSON.parse(documentedResponse.text);
  } catch {
    return `${id} ${documentedResponse.status} is no JSON: ${documentedResponse.text.slice(0, 200)}`;
  }
  const check = checks.get(content.schema) ?? ajv.compile(resolveRefs(content.schema));
  checks.set(content.schema, check);
  if (check(body)) return undefined;
  const [error] = check.errors ?? [];
  return `${id} ${documentedResponse.status} ${error?.instancePath} ${error?.message}: ${documentedResponse.text.slice(0, 300)}`;
}

/** Returns the schema with references that resolve in the document from any place. */
function resolveRefs<T>(part: T): T {
  if (Array.isArray(part)) return part.map(resolveRefs) as T;
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? value.replace(/^#/, 'document#') : resolveRefs(value as unknown),
    ]),
  ) as T;
}
