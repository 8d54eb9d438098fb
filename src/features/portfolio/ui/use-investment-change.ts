import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../ui/kit/api-error.ts';
import type { FormProblem } from '../../../ui/kit/form-errors.tsx';
import { toInvestmentProblems } from './save-investment.ts';

/**
 * One form's change of what is owned. `run` does one at a time, then `done`; a refusal is told in `problems`, and what
 * was typed stays. `gone` is said of what another tab has removed meanwhile.
 */
export function useInvestmentChange(notFoundMessage?: string) {
  const queries = useQueryClient();
  const [problems, showProblems] = useState<readonly FormProblem[]>([]);
  const [pending, setPending] = useState(false);

  async function attempt(change: (queries: QueryClient) => Promise<void>, onDone: () => void): Promise<void> {
    if (pending) return;
    setPending(true);
    try {
      await change(queries);
      onDone();
    } catch (error) {
      const isNotFound = error instanceof ApiError && error.code === 'NOT_FOUND';
      showProblems(
        isNotFound && notFoundMessage !== undefined
          ? [{ field: null, message: notFoundMessage }]
          : toInvestmentProblems(error),
      );
    } finally {
      setPending(false);
    }
  }

  return { problems, pending, showProblems, run: (...change: Parameters<typeof attempt>) => void attempt(...change) };
}
