/** The parts of an OpenAPI document that the rules below read or write. */
export interface OpenApiDocument {
  components?: { schemas?: object; headers?: object; parameters?: object; responses?: object };
  paths?: Record<string, Record<string, Operation>>;
}

interface Operation {
  parameters?: object[];
  security?: Record<string, string[]>[];
  responses: Record<string, { headers?: Record<string, object>; content?: object }>;
}

/** How callers say who they are. */
export const securitySchemes = {
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
  apiKeyAsBearer: { type: 'http', scheme: 'bearer', description: 'The API key; `x-api-key` wins where both are sent.' },
  session: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A session token of the identity provider.',
  },
  sessionCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: '__session',
    description: 'The same token in the provider’s cookie; a write must then come from a page of this site.',
  },
} as const;

const text = { type: 'string' };
const headers = {
  RequestId: {
    description: 'The caller’s own id where it sent a sane one, else a new one; our logs carry it.',
    required: true,
    schema: text,
  },
  RetryAfter: {
    description: 'Seconds after which a retry can succeed.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  WwwAuthenticate: { description: 'How to say who asks.', required: true, schema: { const: 'Bearer' } },
  ETag: {
    description:
      'Names this answer; sent back as `if-none-match` it is answered with 304 for as long as nothing changed.',
    required: true,
    schema: text,
  },
};
const parameters = {
  IfNoneMatch: {
    name: 'if-none-match',
    in: 'header',
    required: false,
    description: 'Tags of answers that the caller has already.',
    schema: text,
  },
  DemoTour: {
    name: 'x-demo-tour',
    in: 'header',
    required: false,
    description: '`1` during the demo tour: the watchlist is then an empty Free one, and its writes are 403 DEMO_MODE.',
    schema: text,
  },
};
const responses = {
  NotModified: { description: 'The caller has this answer already.', headers: headersOf('RequestId', 'ETag') },
};

/**
 * Adds to the document what holds by rule and no route says by hand: an operation that may answer 401 needs a credential, every answer
 * has a request id, a refusal says when or how to come back, and a read can be asked for by its ETag.
 */
export function completeOpenApi(
  document: OpenApiDocument,
  followsDemoTour: (method: string, path: string) => boolean,
): void {
  document.components = { ...document.components, headers, parameters, responses };
  for (const [path, operations] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(operations)) {
      const isV1 = path.startsWith('/v1/');
      operation.security =
        operation.responses['401'] === undefined
          ? []
          : isV1
            ? [{ apiKey: [] }, { apiKeyAsBearer: [] }]
            : [{ session: [] }, { sessionCookie: [] }];
      for (const [status, answer] of Object.entries(operation.responses))
        answer.headers = { ...answer.headers, ...headersAt(status, path, method === 'get') };
      const asked: (keyof typeof parameters)[] = [];
      // The fast path under /v1 gives no ETags.
      if (method === 'get' && !isV1) {
        operation.responses['304'] = { $ref: '#/components/responses/NotModified' } as object;
        asked.push('IfNoneMatch');
      }
      if (followsDemoTour(method, path)) asked.push('DemoTour');
      if (asked.length > 0)
        operation.parameters = [
          ...(operation.parameters ?? []),
          ...asked.map((name) => ({ $ref: `#/components/parameters/${name}` })),
        ];
    }
  }
}

function headersAt(status: string, path: string, isRead: boolean): Record<string, object> {
  if (path.startsWith('/v1/')) {
    const own = { ...headersOf('RequestId'), 'request-id': { $ref: '#/components/headers/RequestId' } };
    return {
      ...own,
      ...(status === '401' && headersOf('WwwAuthenticate')),
      ...(/429|529/.test(status) && headersOf('RetryAfter')),
    };
  }
  return {
    ...headersOf('RequestId'),
    ...(status === '401' && headersOf('WwwAuthenticate')),
    // A probe that finds the service not ready is told nothing of when.
    ...(/429|503/.test(status) && path.startsWith('/api/') && headersOf('RetryAfter')),
    ...(status === '200' && isRead && headersOf('ETag')),
  };
}

function headersOf(...names: (keyof typeof headers)[]): Record<string, object> {
  const written = {
    RequestId: 'x-request-id',
    RetryAfter: 'retry-after',
    WwwAuthenticate: 'www-authenticate',
    ETag: 'etag',
  } as const;
  return Object.fromEntries(names.map((name) => [written[name], { $ref: `#/components/headers/${name}` }]));
}
