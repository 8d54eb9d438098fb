import { type QueryKey, useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';

/**
 * Mutation of the member's secrets that refetches their list. The response is never cached, because it may contain a
 * secret.
 */
export function useSecretMutation<Answer, Given>(
  listQueryKey: QueryKey,
  mutate: (variables: Given) => Promise<Answer>,
): UseMutationResult<Answer, Error, Given> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: mutate,
    gcTime: 0,
    onSettled: () => queries.invalidateQueries({ queryKey: listQueryKey }),
  });
}
