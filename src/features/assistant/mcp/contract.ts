import { z } from 'zod';
import { PLAIN_LINE } from '../../../platform/database/contract.ts';
import {
  defineRoutes,
  limitReached,
  namedObject,
  namedStrictObject,
  noContent,
} from '../../../platform/http/contract.ts';

/** Schemas of the tokens with which a member's own assistant reads their data over MCP. */

const scope = z
  .enum(['reports', 'sql'])
  .describe('`reports`: the ready-made reports. `sql`: read-only SQL over the tables of docs/reference/assistant.md.');
/** Permissions of a token. */
export type TokenScope = z.infer<typeof scope>;

const assistantToken = z
  .object({
    id: z.string(),
    name: z.string(),
    hint: z.string().describe('Its last four characters.'),
    scopes: z.array(scope),
    created_at: z.string(),
    expires_at: z.string(),
    last_used_at: z.string().nullable().describe('Rounded to the minute.'),
    revoked_at: z.string().nullable(),
  })
  .meta({ id: 'AssistantToken', description: 'Description of a token, without the token itself.' });
export type AssistantToken = z.infer<typeof assistantToken>;

const tokenList = namedObject('AssistantTokens', {
  tokens: z.array(assistantToken),
  limit: z.int().describe('Maximum number of valid tokens.'),
  mcp_url: z.string().describe('The address that an MCP client connects to.'),
});

const newTokenRequest = namedStrictObject('NewAssistantTokenRequest', {
  name: z.string().trim().min(1).max(120).regex(PLAIN_LINE, 'No control or bidirectional characters.'),
  scopes: z
    .array(scope)
    .min(1)
    .max(2)
    .refine((scopes) => new Set(scopes).size === scopes.length, 'Name each scope once.')
    .default(['reports', 'sql']),
  expires_in_days: z.int().min(1).max(365).default(90),
});
/** The `token` itself appears only in this response. */
const newToken = namedObject('NewAssistantToken', { token: z.string(), assistant_token: assistantToken });
/** The shared demo account and the sample portfolio cannot have tokens. */
const demoErrorCodes = ['DEMO_ACCOUNT', 'DEMO_MODE'] as const;

export const routes = defineRoutes(
  { tag: { name: 'Assistant tokens', description: 'Tokens with which a member’s own assistant reads data over MCP.' } },
  {
    listAssistantTokens: {
      endpoint: 'GET /api/assistant/tokens',
      summary: 'List assistant tokens',
      description: 'Newest first. Revoked and expired tokens are included.',
      responses: { 200: tokenList },
    },
    createAssistantToken: {
      endpoint: 'POST /api/assistant/tokens',
      summary: 'Create an assistant token',
      description: 'The token is returned once and cannot be read again. Requires a sign-in within ten minutes.',
      body: newTokenRequest,
      responses: { 201: newToken },
      errors: [...demoErrorCodes, 'SESSION_REVERIFICATION_REQUIRED', limitReached],
    },
    revokeAssistantToken: {
      endpoint: 'DELETE /api/assistant/tokens/{id}',
      summary: 'Revoke an assistant token',
      params: z.object({ id: z.string() }),
      responses: { 204: noContent('It is revoked.') },
      errors: [...demoErrorCodes, 'NOT_FOUND'],
    },
  },
);
