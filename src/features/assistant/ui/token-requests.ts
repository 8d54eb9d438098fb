import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../../ui/shell/api/api.ts';
import { useSecretChange } from '../../../ui/kit/use-secret-change.ts';
import type { AssistantToken, TokenScope } from '../mcp/contract.ts';

const TOKENS = ['assistant-tokens'] as const;

/** The member's tokens, those in effect first. */
export const useTokens = () =>
  useQuery({ queryKey: TOKENS, queryFn: ({ signal }) => callApi('GET /api/assistant/tokens', { signal }) });

/** Makes a token; the answer is the only one that ever holds the token itself. */
export const useCreateToken = () =>
  useSecretChange(TOKENS, async (body: { name: string; scopes: TokenScope[]; expires_in_days: number }) => {
    const { token, assistant_token } = await callApi('POST /api/assistant/tokens', { body });
    return { ...assistant_token, secret: token };
  });

/** Revokes a token for good. */
export const useRevokeToken = () =>
  useSecretChange(TOKENS, ({ id }: AssistantToken) => callApi('DELETE /api/assistant/tokens/{id}', { params: { id } }));
