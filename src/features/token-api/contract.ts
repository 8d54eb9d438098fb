import { z } from 'zod';
import { PLAIN_LINE } from '../../platform/database/contract.ts';
import { defineRoutes, limitReached, namedObject, namedStrictObject, noContent } from '../../platform/http/contract.ts';
import { countTokensRequest } from './validation/contract.ts';

/** Schemas of `/v1` and of the key routes for members. */

const countTokensResponse = namedObject('CountedTokens', { input_tokens: z.int().nonnegative() });

const errorResponse = namedObject('MessagesError', {
  type: z.literal('error'),
  error: z.object({ type: z.string(), message: z.string() }),
  request_id: z.string(),
});

const support = z.object({ supported: z.boolean() }).nullable();

/** The shape of the official client library. A feature about which nothing is published is null. */
const capabilities = namedObject('ModelCapabilities', {
  batch: support,
  citations: support,
  code_execution: support.describe('Whether programs of the code execution tool may call other tools.'),
  context_management: z
    .object({
      supported: z.boolean(),
      clear_thinking_20251015: support,
      clear_tool_uses_20250919: support,
      compact_20260112: support,
    })
    .nullable(),
  effort: z
    .object({ supported: z.boolean(), low: support, medium: support, high: support, xhigh: support, max: support })
    .nullable(),
  image_input: support,
  pdf_input: support,
  server_tools: z.object({ supported: z.boolean(), code_execution: support, web_search: support }).nullable(),
  structured_outputs: support,
  thinking: z.object({
    supported: z.boolean(),
    types: z.object({ adaptive: support, between_tools: support, disabled: support, enabled: support }),
  }),
});

const model = namedObject('Model', {
  type: z.literal('model'),
  id: z.string(),
  display_name: z.string(),
  created_at: z.string(),
  lifecycle: z.enum(['active', 'deprecated', 'retired']),
  line: z.enum(['haiku', 'sonnet', 'opus', 'fable', 'mythos']).nullable(),
  capabilities: capabilities.describe('Null for a feature about which nothing is published.'),
  deprecated_at: z.string().nullable().describe('Null for an active model, and if no date is published.'),
  retires_at: z.string().nullable().describe('Null if no date is published.'),
  max_input_tokens: z.int().nullable().describe('Context window in tokens. Null if it is not published.'),
  max_tokens: z.int().nullable().describe('Maximum output in tokens. Null if it is not published.'),
});

const modelList = namedObject('Models', {
  data: z.array(model),
  has_more: z.boolean(),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
});

const modelListQuery = z.strictObject({
  before_id: z.string().optional(),
  after_id: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(20),
});

/** An API key on the settings page, without the key text. */
const apiKey = namedObject('ApiKey', {
  id: z.string(),
  name: z.string(),
  hint: z.string(),
  usage_tier: z.int().min(1).max(4),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
});
export type ApiKey = z.infer<typeof apiKey>;

const apiKeyList = namedObject('ApiKeys', { api_keys: z.array(apiKey), limit: z.int() });
const keyName = z.string().trim().min(1).max(120).regex(PLAIN_LINE, 'No control or bidirectional characters.');
const newApiKeyRequest = namedStrictObject('NewApiKeyRequest', { name: keyName });
/** `key` is returned only in this response. */
const newApiKeyResponse = namedObject('NewApiKey', { key: z.string(), api_key: apiKey });
/** The shared demo account and the sample portfolio cannot have keys. */
const notAllowed = ['DEMO_ACCOUNT', 'DEMO_MODE'] as const;

const keyRoutes = defineRoutes(
  { tag: { name: 'API keys', description: 'A member’s own keys for token counting.' } },
  {
    listApiKeys: {
      endpoint: 'GET /api/api-keys',
      summary: 'List API keys',
      description: 'Newest first. Revoked keys are included.',
      responses: { 200: apiKeyList },
    },
    createApiKey: {
      endpoint: 'POST /api/api-keys',
      summary: 'Create an API key',
      description: 'The key is returned once and cannot be read again. Requires a sign-in within ten minutes.',
      body: newApiKeyRequest,
      responses: { 201: newApiKeyResponse },
      errors: [...notAllowed, 'SESSION_REVERIFICATION_REQUIRED', limitReached],
    },
    revokeApiKey: {
      endpoint: 'DELETE /api/api-keys/{id}',
      summary: 'Revoke an API key',
      params: z.object({ id: z.string() }),
      responses: { 204: noContent('It is revoked.') },
      errors: [...notAllowed, 'NOT_FOUND'],
    },
  },
);

const headers = z.object({
  'svc-version': z
    .string()
    .optional()
    .describe('`2023-06-01` or `2026-10-21`; this header or `anthropic-version` is required.'),
  'anthropic-version': z
    .string()
    .optional()
    .meta({ description: 'Alias of `svc-version`.', examples: ['2023-06-01'] }),
});
const readFailures = {
  400: errorResponse,
  401: errorResponse,
  404: errorResponse,
  405: errorResponse,
  500: errorResponse,
  529: errorResponse,
};
const messagesRoutes = defineRoutes(
  {
    tag: { name: 'Token counting', description: 'The token-counting interface of the Messages API.' },
    access: 'api-key',
  },
  {
    countTokens: {
      endpoint: 'POST /v1/messages/count_tokens',
      summary: 'Count tokens',
      description: 'Returns the number of input tokens of a Messages request. No message is created.',
      headers,
      query: z.object({ beta: z.string().optional() }),
      body: countTokensRequest,
      responses: {
        200: countTokensResponse,
        ...readFailures,
        413: errorResponse,
        415: errorResponse,
        429: errorResponse,
        504: errorResponse,
      },
    },
    listModels: {
      endpoint: 'GET /v1/models',
      summary: 'List models',
      description: 'Returns the active models, newest first.',
      headers,
      query: modelListQuery,
      responses: { 200: modelList, ...readFailures },
    },
    getModel: {
      endpoint: 'GET /v1/models/{id}',
      summary: 'Get a model',
      description:
        'Accepts the id of a model, an alias or the name of another platform, which is the id of the response.',
      headers,
      params: z.object({ id: z.string() }),
      responses: { 200: model, ...readFailures },
    },
  },
);

export const routes = { ...keyRoutes, ...messagesRoutes };
