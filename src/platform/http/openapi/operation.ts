import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { Route } from '../contract.ts';
import { type Components, type JsonSchema, toJsonSchema } from './components.ts';
import { examples } from './examples.ts';
import { toErrorResponses } from './error-responses.ts';
import { getHeaderReferences, rateLimitHeaders } from './shared-components.ts';

const SECURITY_BY_ACCESS = {
  member: [{ session: [] }, { sessionCookie: [] }],
  'optional-member': [{}, { session: [] }, { sessionCookie: [] }],
  'api-key': [{ apiKey: [] }, { apiKeyAsBearer: [] }],
  operator: [{ operatorToken: [] }],
  'operator-session': [{ operatorSession: [] }],
  public: [],
} as const;

/** Converts a route to an OpenAPI 3.1 operation. Shared parts are added to the components. */
export function toOperation(components: Components, route: Route): object {
  const { id, tag, summary, description, access = 'member', body } = route;
  const parameterList = toParameters(components, route);
  return {
    operationId: id,
    tags: [tag.name],
    summary,
    ...(description && { description }),
    security: SECURITY_BY_ACCESS[access],
    ...(parameterList.length > 0 && { parameters: parameterList }),
    ...(body && {
      requestBody: {
        required: true,
        content: toJsonContent(toJsonSchema(components, body, 'input'), examples[id]?.body),
      },
    }),
    responses: toResponses(components, route),
  };
}

/** Returns whether responses have an ETag and may be 304. Responses under `/v1` do not. */
const isConditional = ({ method, access }: Route): boolean => method === 'GET' && access !== 'api-key';

function toParameters(components: Components, route: Route): object[] {
  const { params, query, headers } = route;
  const example = examples[route.id];
  const toLocatedParameters = (
    location: string,
    schema: z.ZodObject | undefined,
    values: Readonly<Record<string, unknown>> = {},
  ) => {
    const input: JsonSchema = schema ? toJsonSchema(components, schema, 'input') : {};
    const properties = (input['properties'] ?? {}) as Record<string, JsonSchema>;
    const required = (input['required'] ?? []) as string[];
    return Object.entries(properties).map(([name, { description, examples: declaredExamples, ...rest }]) => {
      const value = values[name] ?? (declaredExamples as unknown[] | undefined)?.[0];
      return {
        name,
        in: location,
        required: required.includes(name),
        ...(description !== undefined && { description }),
        schema: rest,
        ...(value !== undefined && { example: value }),
      };
    });
  };
  return [
    ...toLocatedParameters('path', params, example?.params),
    ...toLocatedParameters('query', query, example?.query),
    ...toLocatedParameters('header', headers),
    ...(isConditional(route) ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
    ...(route.variesByDemoTour ? [{ $ref: '#/components/parameters/DemoTour' }] : []),
  ];
}

function toResponses(components: Components, route: Route): Record<string, object> {
  const declaredResponses = Object.entries(route.responses).map(([status, response]) => [
    status,
    route.access === 'api-key' && Number(status) >= 400
      ? toMessagesErrorResponse(components, Number(status), response as z.ZodType)
      : toResponse(components, route, Number(status), response),
  ]);
  return {
    ...(Object.fromEntries(declaredResponses) as Record<string, object>),
    ...(isConditional(route) && { 304: { $ref: '#/components/responses/NotModified' } }),
    ...(route.access !== 'api-key' && toErrorResponses(components, route)),
  };
}

function toResponse(
  components: Components,
  route: Route,
  status: number,
  response: Route['responses'][number],
): object {
  const hasEtag = isConditional(route) && status === 200;
  const isRateLimited = ['member', 'operator', 'operator-session'].includes(route.access ?? 'member');
  const headers = getHeaderReferences('RequestId', hasEtag && 'ETag', ...(isRateLimited ? rateLimitHeaders : []));
  if (route.access === 'api-key') headers['request-id'] = headers['x-request-id']!;
  if ('jsonFile' in response) {
    const content = toJsonContent(toJsonSchema(components, response.jsonFile, 'output'), examples[route.id]?.response);
    return { description: response.description, headers, content };
  }
  if (!(response instanceof z.ZodType)) {
    const content = Object.fromEntries(response.mediaTypes.map((type) => [type, { schema: { type: 'string' } }]));
    return { description: response.description, headers, content };
  }
  const description = response.description ?? route.summary;
  if (response instanceof z.ZodUndefined) return { description, headers };
  const exampleBody = status < 300 ? examples[route.id]?.response : undefined;
  return { description, headers, content: toJsonContent(toJsonSchema(components, response, 'output'), exampleBody) };
}

/** Returns the error response of `/v1` in the shape of the Messages API, with the request id under two names. */
function toMessagesErrorResponse(components: Components, status: number, body: z.ZodType): object {
  const name = `Messages${status}`;
  const headers = getHeaderReferences(
    'RequestId',
    status === 401 && 'WwwAuthenticate',
    (status === 429 || status === 529) && 'RetryAfter',
  );
  components.responses[name] ??= {
    description: STATUS_CODES[status] ?? 'Overloaded',
    headers: { ...headers, 'request-id': headers['x-request-id'] },
    content: toJsonContent(toJsonSchema(components, body, 'output')),
  };
  return { $ref: `#/components/responses/${name}` };
}

const toJsonContent = (schema: JsonSchema, example?: unknown): object => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
});
