import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { output } from 'zod';
import { callApi } from '../../web/lib/api.ts';
import type { ApiKey, apiKeyList, newApiKeyResponse } from '../contract.ts';

export type KeyList = output<typeof apiKeyList>;
export type NewKey = output<typeof newApiKeyResponse>;

const KEYS = ['api-keys'] as const;

/** The member's keys, newest first, revoked ones included. */
export function useKeys(): UseQueryResult<KeyList> {
  return useQuery({ queryKey: KEYS, queryFn: ({ signal }) => callApi<KeyList>({ path: '/api/api-keys', signal }) });
}

/** Creates a key by its name; the answer is the only one that ever holds the key itself, so it is kept nowhere. */
export function useCreateKey(): UseMutationResult<NewKey, Error, string> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (name) => callApi<NewKey>({ method: 'POST', path: '/api/api-keys', body: { name } }),
    gcTime: 0,
    onSettled: () => queries.invalidateQueries({ queryKey: KEYS }),
  });
}

/** Revokes a key for good. One that is gone already (another tab) counts as revoked. */
export function useRevokeKey(): UseMutationResult<void, Error, ApiKey> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (key) => callApi({ method: 'DELETE', path: `/api/api-keys/${encodeURIComponent(key.id)}` }),
    onSettled: () => queries.invalidateQueries({ queryKey: KEYS }),
  });
}
