import { type QueryKey, useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';

/**
 * Mutation of the member's secrets that refetches their list. The response is never cached, because it may contain a
 * secret.
 */
export function useSecretMutation<Data, Variables>(
  listQueryKey: QueryKey,
  mutate: (variables: Variables) => Promise<Data>,
): UseMutationResult<Data, Error, Variables> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: mutate,
    gcTime: 0,
    onSettled: () => queries.invalidateQueries({ queryKey: listQueryKey }),
  });
}
