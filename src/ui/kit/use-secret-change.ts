import { type QueryKey, useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';

/** A change of the member's secrets, which reads their list anew. Its answer is kept nowhere: it may hold a secret. */
export function useSecretChange<Answer, Given>(
  list: QueryKey,
  change: (given: Given) => Promise<Answer>,
): UseMutationResult<Answer, Error, Given> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    gcTime: 0,
    onSettled: () => queries.invalidateQueries({ queryKey: list }),
  });
}
