import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../../ui/kit/api-error.ts';
import type { FormProblem } from '../../../../ui/kit/form-errors.tsx';
import { toInvestmentProblems } from './save-investment.ts';

/**
 * Runs one form's change of the portfolio. `run` runs one at a time, then `done`. A rejection is returned in
 * `problems`, and the input is kept. `notFoundMessage` is the text for data that another tab removed.
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

  return {
    problems,
    pending,
    showProblems,
    run: (...change: Parameters<typeof attempt>) => {
      void attempt(...change);
    },
  };
}
