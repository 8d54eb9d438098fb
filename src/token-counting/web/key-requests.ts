import {
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { callApi } from '../../web/lib/api.ts';
import type { AnswerOf } from '../../web/lib/api-routes.ts';
import type { ApiKey } from '../contract.ts';

type KeyList = AnswerOf<'GET /api/api-keys'>;
type NewKey = AnswerOf<'POST /api/api-keys'>;

const KEYS = ['api-keys'] as const;

/** The member's keys, newest first, revoked ones included. */
export function useKeys(): UseQueryResult<KeyList> {
  return useQuery({ queryKey: KEYS, queryFn: ({ signal }) => callApi('GET /api/api-keys', { signal }) });
}

/** Creates a key by its name; the answer is the only one that ever holds the key itself, so it is kept nowhere. */
export function useCreateKey(): UseMutationResult<NewKey, Error, string> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (name) => callApi('POST /api/api-keys', { body: { name } }),
    gcTime: 0,
    onSettled: () => queries.invalidateQueries({ queryKey: KEYS }),
  });
}

/** Revokes a key for good. One that is gone already (another tab) counts as revoked. */
export function useRevokeKey(): UseMutationResult<void, Error, ApiKey> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (key) => callApi('DELETE /api/api-keys/{id}', { params: { id: key.id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: KEYS }),
  });
}
