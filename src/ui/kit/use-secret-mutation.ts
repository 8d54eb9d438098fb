import { type QueryKey, useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';

/** A change of the member's secrets, which reads their list anew. Its answer is kept nowhere: it may hold a secret. */
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
