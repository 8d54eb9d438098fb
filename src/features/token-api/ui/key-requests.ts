import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../../ui/shell/api/api.ts';
import { useSecretMutation } from '../../../ui/kit/use-secret-mutation.ts';
import type { ApiKey } from '../contract.ts';

const KEYS_QUERY_KEY = ['api-keys'] as const;

/** Loads the member's keys, newest first, including revoked ones. */
export const useKeys = () =>
  useQuery({ queryKey: KEYS_QUERY_KEY, queryFn: ({ signal }) => callApi('GET /api/api-keys', { signal }) });

/** Creates a key by name. Only this response contains the key text. */
export const useCreateKey = () =>
  useSecretMutation(KEYS_QUERY_KEY, async (name: string) => {
    const { key, api_key } = await callApi('POST /api/api-keys', { body: { name } });
    return { ...api_key, secret: key };
  });

/** Revokes a key permanently. A key that no longer exists (revoked in another tab) counts as revoked. */
export const useRevokeKey = () =>
  useSecretMutation(KEYS_QUERY_KEY, ({ id }: ApiKey) => callApi('DELETE /api/api-keys/{id}', { params: { id } }));
