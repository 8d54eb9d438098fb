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

const model = namedObject('Model', {
  type: z.literal('model'),
  id: z.string(),
  display_name: z.string(),
  created_at: z.string(),
  lifecycle: z.enum(['active', 'deprecated', 'retired']),
  line: z.enum(['haiku', 'sonnet', 'opus', 'fable', 'mythos']).nullable(),
  capabilities: z.null(),
  deprecated_at: z.null(),
  retires_at: z.string().nullable(),
  max_input_tokens: z.null(),
  max_tokens: z.null(),
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

const exampleKey = {
  id: '0199a7c2-8c42-7f13-b5d6-2e3f4a5b6c7d',
  name: 'Billing script',
  hint: 'sk-…x4Qz',
  usage_tier: 1,
  created_at: '2025-11-03T14:30:00.000Z',
  last_used_at: null,
  revoked_at: null,
};
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
      example: { response: { api_keys: [exampleKey], limit: 20 } },
    },
    createApiKey: {
      endpoint: 'POST /api/api-keys',
      summary: 'Create an API key',
      description: 'The key is returned once and cannot be read again. Requires a sign-in within ten minutes.',
      body: newApiKeyRequest,
      responses: { 201: newApiKeyResponse },
      errors: [...notAllowed, 'SESSION_REVERIFICATION_REQUIRED', limitReached],
      example: {
        body: { name: exampleKey.name },
        response: { key: 'sk-example-key-that-counts-nothing', api_key: exampleKey },
      },
    },
    revokeApiKey: {
      endpoint: 'DELETE /api/api-keys/{id}',
      summary: 'Revoke an API key',
      params: z.object({ id: z.string() }),
      responses: { 204: noContent('It is revoked.') },
      errors: [...notAllowed, 'NOT_FOUND'],
      example: { params: { id: exampleKey.id } },
    },
  },
);

const headers = z.object({
  'svc-version': z
    .string()
    .optional()
    .describe('`2023-06-01` or `2026-10-21`; this header or `anthropic-version` is required.'),
  'anthropic-version': z.string().optional().describe('Alias of `svc-version`.'),
});
const readFailures = {
  400: errorResponse,
  401: errorResponse,
  404: errorResponse,
  405: errorResponse,
  500: errorResponse,
  529: errorResponse,
};
const exampleModel = {
  type: 'model',
  id: 'claude-sonnet-5',
  display_name: 'Claude Sonnet 5',
  created_at: '2026-06-30T00:00:00Z',
  lifecycle: 'active',
  line: 'sonnet',
  capabilities: null,
  deprecated_at: null,
  retires_at: null,
  max_input_tokens: null,
  max_tokens: null,
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
      example: {
        body: { model: 'claude-sonnet-5', messages: [{ role: 'user', content: 'Hello, world' }] },
        response: { input_tokens: 10 },
      },
    },
    listModels: {
      endpoint: 'GET /v1/models',
      summary: 'List models',
      description: 'Returns the active models, newest first.',
      headers,
      query: modelListQuery,
      responses: { 200: modelList, ...readFailures },
      example: {
        query: { limit: 1 },
        response: { data: [exampleModel], has_more: true, first_id: exampleModel.id, last_id: exampleModel.id },
      },
    },
    getModel: {
      endpoint: 'GET /v1/models/{id}',
      summary: 'Get a model',
      description: 'Accepts the id of a model or an alias.',
      headers,
      params: z.object({ id: z.string() }),
      responses: { 200: model, ...readFailures },
      example: { params: { id: 'claude-sonnet-5' }, response: exampleModel },
    },
  },
);

export const routes = { ...keyRoutes, ...messagesRoutes };
