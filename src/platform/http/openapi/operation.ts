import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { FileResponse, Route } from '../contract.ts';
import { type Components, type JsonSchema, schemaOf } from './components.ts';
import { refusalResponses } from './refusal-responses.ts';
import { headersOf, rateLimitHeaders } from './shared-components.ts';

const securityOf = {
  member: [{ session: [] }, { sessionCookie: [] }],
  'api-key': [{ apiKey: [] }, { apiKeyAsBearer: [] }],
  operator: [{ operatorToken: [] }],
  anybody: [],
} as const;

/** A route as an operation of OpenAPI 3.1; what it shares with others goes into the components. */
export function operationOf(components: Components, route: Route): object {
  const { id, tag, summary, description, access = 'member', body, example } = route;
  const sent = parametersOf(components, route);
  return {
    operationId: id,
    tags: [tag.name],
    summary,
    ...(description && { description }),
    security: securityOf[access],
    ...(sent.length > 0 && { parameters: sent }),
    ...(body && {
      requestBody: { required: true, content: json(schemaOf(components, body, 'input'), example?.body) },
    }),
    responses: responsesOf(components, route),
  };
}

/** Whether answers carry an ETag and may be 304; those under `/v1` do not. */
const isConditional = ({ method, access }: Route): boolean => method === 'GET' && access !== 'api-key';

function parametersOf(components: Components, route: Route): object[] {
  const { params, query, headers, example } = route;
  const own = (place: string, schema: z.ZodObject | undefined, values: Readonly<Record<string, unknown>> = {}) => {
    const input: JsonSchema = schema ? schemaOf(components, schema, 'input') : {};
    const properties = (input['properties'] ?? {}) as Record<string, JsonSchema>;
    const required = (input['required'] ?? []) as string[];
    return Object.entries(properties).map(([name, { description, ...rest }]) => ({
      name,
      in: place,
      required: required.includes(name),
      ...(description !== undefined && { description }),
      schema: rest,
      ...(name in values && { example: values[name] }),
    }));
  };
  return [
    ...own('path', params, example?.params),
    ...own('query', query, example?.query),
    ...own('header', headers),
    ...(isConditional(route) ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
    ...(route.followsDemoTour ? [{ $ref: '#/components/parameters/DemoTour' }] : []),
  ];
}

function responsesOf(components: Components, route: Route): Record<string, object> {
  const own = Object.entries(route.responses).map(([status, response]) => [
    status,
    route.access === 'api-key' && Number(status) >= 400
      ? messagesRefusal(components, Number(status), response as z.ZodType)
      : responseOf(components, route, Number(status), response),
  ]);
  return {
    ...(Object.fromEntries(own) as Record<string, object>),
    ...(isConditional(route) && { 304: { $ref: '#/components/responses/NotModified' } }),
    ...(route.access !== 'api-key' && refusalResponses(components, route)),
  };
}

function responseOf(components: Components, route: Route, status: number, response: z.ZodType | FileResponse): object {
  const isKept = isConditional(route) && status === 200;
  const isCounted = route.access === undefined || route.access === 'member' || route.access === 'operator';
  const headers = headersOf('RequestId', isKept && 'ETag', ...(isCounted ? rateLimitHeaders : []));
  if (route.access === 'api-key') headers['request-id'] = headers['x-request-id']!;
  if (!(response instanceof z.ZodType)) {
    const content = Object.fromEntries(response.mediaTypes.map((type) => [type, { schema: { type: 'string' } }]));
    return { description: response.description, headers, content };
  }
  const description = response.description ?? route.summary;
  if (response instanceof z.ZodUndefined) return { description, headers };
  const shown = status < 300 ? route.example?.response : undefined;
  return { description, headers, content: json(schemaOf(components, response, 'output'), shown) };
}

/** `/v1` refuses in the shape of the Messages API, with a request id under two names. */
function messagesRefusal(components: Components, status: number, body: z.ZodType): object {
  const name = `Messages${status}`;
  const headers = headersOf(
    'RequestId',
    status === 401 && 'WwwAuthenticate',
    (status === 429 || status === 529) && 'RetryAfter',
  );
  components.responses[name] ??= {
    description: STATUS_CODES[status] ?? 'Overloaded',
    headers: { ...headers, 'request-id': headers['x-request-id'] },
    content: json(schemaOf(components, body, 'output')),
  };
  return { $ref: `#/components/responses/${name}` };
}

const json = (schema: JsonSchema, example?: unknown): object => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
});
