/** Authentication schemes of callers. */
export const securitySchemes = {
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'An API key from the settings page.' },
  apiKeyAsBearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The API key. If both headers are sent, `x-api-key` takes precedence.',
  },
  operatorToken: { type: 'http', scheme: 'bearer', description: 'The operator token of this group of operations.' },
  operatorSession: {
    type: 'apiKey',
    in: 'cookie',
    name: 'tally_operator',
    description: 'The session that `POST /api/operator/session` starts. Writes must be sent from a page of this site.',
  },
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
    description: 'The session token in the provider’s cookie. Writes must then be sent from a page of this site.',
  },
} as const;

const text = { type: 'string' } as const;

/** Response headers by component name. */
export const headers = {
  RequestId: {
    description: 'The caller’s id if it is valid, otherwise a new one. The server logs contain it.',
    required: true,
    schema: text,
  },
  RetryAfter: {
    description: 'Seconds after which a retry can succeed.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  WwwAuthenticate: {
    description: 'The required authentication scheme.',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
  },
  ETag: {
    description: 'Identifies this version. Send it as `if-none-match` to receive 304 while nothing has changed.',
    required: true,
    schema: text,
  },
  RateLimitLimit: { description: 'Maximum number of requests in any minute.', schema: { type: 'integer' } },
  RateLimitRemaining: { description: 'Remaining requests.', schema: { type: 'integer' } },
  RateLimitReset: { description: 'Seconds until the full limit is available again.', schema: { type: 'integer' } },
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
    description: 'ETags of the versions that the caller has.',
    schema: text,
  },
  DemoTour: {
    name: 'x-demo-tour',
    in: 'header',
    required: false,
    description:
      '`1` during the demo tour: the watchlist is then empty and on the Free plan, and its writes return 403 DEMO_MODE.',
    schema: text,
  },
} as const;
