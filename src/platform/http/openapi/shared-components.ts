/** Authentication schemes of callers. */
export const securitySchemes = {
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'A key of the settings page.' },
  apiKeyAsBearer: { type: 'http', scheme: 'bearer', description: 'The API key; `x-api-key` wins where both are sent.' },
  operatorToken: { type: 'http', scheme: 'bearer', description: 'The token of the part’s operator, and no other.' },
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

const text = { type: 'string' } as const;

/** Response headers by component name. */
export const headers = {
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
  WwwAuthenticate: { description: 'How to say who asks.', required: true, schema: { type: 'string', const: 'Bearer' } },
  ETag: {
    description:
      'Names this answer; sent back as `if-none-match` it is answered with 304 for as long as nothing changed.',
    required: true,
    schema: text,
  },
  RateLimitLimit: { description: 'Requests that the caller may send in any minute.', schema: { type: 'integer' } },
  RateLimitRemaining: { description: 'How many of them are left.', schema: { type: 'integer' } },
  RateLimitReset: { description: 'Seconds until all of them are free again.', schema: { type: 'integer' } },
} as const;

/** Headers of a response that a limit counted. */
export const rateLimitHeaders = ['RateLimitLimit', 'RateLimitRemaining', 'RateLimitReset'] as const;

const HEADER_NAMES = {
  RequestId: 'x-request-id',
  RetryAfter: 'retry-after',
  WwwAuthenticate: 'www-authenticate',
  ETag: 'etag',
  RateLimitLimit: 'ratelimit-limit',
  RateLimitRemaining: 'ratelimit-remaining',
  RateLimitReset: 'ratelimit-reset',
} as const;

/** Returns references to headers by their names in HTTP. `false` is skipped. */
export function getHeaderReferences(...names: (keyof typeof headers | false)[]): Record<string, object> {
  const includedNames = names.filter((name) => name !== false);
  return Object.fromEntries(
    includedNames.map((name) => [HEADER_NAMES[name], { $ref: `#/components/headers/${name}` }]),
  );
}

/** Request headers that several routes accept. */
export const parameters = {
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
} as const;
