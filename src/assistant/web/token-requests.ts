import {
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { callApi } from '../../web/lib/api.ts';
import type { AnswerOf } from '../../web/lib/api-routes.ts';
import type { AssistantToken, TokenScope } from '../mcp/contract.ts';

type NewToken = AnswerOf<'POST /api/assistant/tokens'>;

/** What a member chooses of a new token. */
interface TokenChoices {
  name: string;
  scopes: TokenScope[];
  expires_in_days: number;
}

const TOKENS = ['assistant-tokens'] as const;

/** The member's tokens, those in effect first. */
export function useTokens(): UseQueryResult<AnswerOf<'GET /api/assistant/tokens'>> {
  return useQuery({ queryKey: TOKENS, queryFn: ({ signal }) => callApi('GET /api/assistant/tokens', { signal }) });
}

/** Makes a token; the answer is the only one that ever holds the token itself, so it is kept nowhere. */
export function useCreateToken(): UseMutationResult<NewToken, Error, TokenChoices> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body) => callApi('POST /api/assistant/tokens', { body }),
    gcTime: 0,
    onSettled: () => queries.invalidateQueries({ queryKey: TOKENS }),
  });
}

/** Revokes a token for good. */
export function useRevokeToken(): UseMutationResult<void, Error, AssistantToken> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (token) => callApi('DELETE /api/assistant/tokens/{id}', { params: { id: token.id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: TOKENS }),
  });
}
