/** A schema of the OpenAPI document. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
}

interface Response {
  $ref?: string;
  headers?: Readonly<Record<string, object>>;
  content?: Readonly<Record<string, { schema: Schema }>>;
}

interface Operation {
  parameters?: readonly { $ref?: string; name: string; in: string }[];
  requestBody?: { content: Readonly<Record<string, { schema: Schema }>> };
  responses: Readonly<Record<string, Response>>;
  security: Readonly<Record<string, unknown>>[];
}

export interface OpenApiDocument {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: {
    schemas: Readonly<Record<string, Schema>>;
    securitySchemes: Readonly<Record<string, { type: string; scheme?: string; name?: string }>>;
  };
}

/** Provides operations, responses and fields of an OpenAPI document by their names. */
export function readOpenApi(document: OpenApiDocument) {
  /** Follows a local reference. */
  function follow<T extends object>(value: T & { $ref?: string }): T {
    if (value.$ref === undefined) return value;
    const steps = value.$ref.slice('#/'.length).split('/');
    return follow(steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document) as T);
  }

  /** Returns a schema with all its variants and, of a list, those of its elements. */
  function expand(schema: Schema): Schema[] {
    const target = follow(schema);
    const parts = [...(target.anyOf ?? []), ...(target.oneOf ?? []), ...(target.allOf ?? [])];
    return [target, ...parts.flatMap(expand), ...(target.items ? expand(target.items) : [])];
  }

  const listValues = ({ const: value, enum: values = [] }: Schema): string[] =>
    [...values, ...(value === undefined ? [] : [value])].map(String);
  const hasType = (schema: Schema, type: string): boolean =>
    expand(schema.properties?.['type'] ?? {}).some((variant) => listValues(variant).includes(type));

  function step(schema: Schema, name: string): Schema[] {
    const { properties = {}, additionalProperties, propertyNames } = schema;
    if (Object.hasOwn(properties, name)) return expand(properties[name]!);
    const isKey = propertyNames !== undefined && expand(propertyNames).some((key) => listValues(key).includes(name));
    return isKey && typeof additionalProperties === 'object' ? expand(additionalProperties) : [];
  }

  /** Returns the schemas at a path such as `messages.content(text).citations`. */
  function find(schemas: readonly Schema[], path: string): Schema[] {
    let found = [...schemas];
    for (const [, name = '', type] of path.matchAll(/([^.()]+)(?:\(([^)]+)\))?\.?/g)) {
      found = found.flatMap((schema) => step(schema, name));
      if (type !== undefined) found = found.filter((schema) => hasType(schema, type));
    }
    return found;
  }

  const getOperation = (route: string): Operation | undefined => {
    const [method = '', path = ''] = route.split(' ');
    return document.paths[path]?.[method.toLowerCase()];
  };
  const getResponse = (name: string): Response | undefined => {
    const [, route = '', status = ''] = /^(\S+ \S+) (\d+)/.exec(name) ?? [];
    const response = getOperation(route)?.responses[status];
    return response && follow(response);
  };
  const getSchemas = (content: Response['content']): Schema[] =>
    Object.values(content ?? {}).flatMap(({ schema }) => expand(schema));

  return {
    getOperation,
    getResponse,
    getParameters: (route: string) => (getOperation(route)?.parameters ?? []).map(follow),
    getRequest: (route: string): Schema[] => getSchemas(getOperation(route)?.requestBody?.content),
    /** Returns the bodies of a response such as `GET /api/watchlist 200`, or those with an error code behind it. */
    getBodies(name: string): Schema[] {
      const code = name.split(' ')[3];
      const schemas = getSchemas(getResponse(name)?.content);
      if (code === undefined) return schemas;
      return schemas.filter((schema) => step(schema, 'code').some((value) => listValues(value).includes(code)));
    },
    find,
    /** Returns whether a field such as `tier` or one of its values, such as `tier=pro`, exists. */
    hasField(schemas: readonly Schema[], name: string): boolean {
      const [path = '', value] = name.split('=');
      const found = find(schemas, path);
      return found.some((schema) => value === undefined || listValues(schema).includes(value));
    },
    /** Returns the schemas of a list's variants whose field has the value. */
    filterBy: (schemas: readonly Schema[], field: string, value: string): Schema[] =>
      schemas.filter((schema) => step(schema, field).some((variant) => listValues(variant).includes(value))),
  };
}
