import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../../ui/shell/api/api.ts';
import { useSecretMutation } from '../../../ui/kit/use-secret-mutation.ts';
import type { AssistantToken, TokenScope } from '../mcp/contract.ts';

const TOKENS_QUERY_KEY = ['assistant-tokens'] as const;

/** Returns the member's tokens, valid ones first. */
export const useTokens = () =>
  useQuery({ queryKey: TOKENS_QUERY_KEY, queryFn: ({ signal }) => callApi('GET /api/assistant/tokens', { signal }) });

/** Creates a token. Only the response contains the token itself. */
export const useCreateToken = () =>
  useSecretMutation(TOKENS_QUERY_KEY, async (body: { name: string; scopes: TokenScope[]; expires_in_days: number }) => {
    const { token, assistant_token } = await callApi('POST /api/assistant/tokens', { body });
    return { ...assistant_token, secret: token };
  });

/** Revokes a token permanently. */
export const useRevokeToken = () =>
  useSecretMutation(TOKENS_QUERY_KEY, ({ id }: AssistantToken) =>
    callApi('DELETE /api/assistant/tokens/{id}', { params: { id } }),
  );
