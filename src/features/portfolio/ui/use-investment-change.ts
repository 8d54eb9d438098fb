import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../ui/kit/api-error.ts';
import type { FormProblem } from '../../../ui/kit/form-errors.tsx';
import { problemsOf } from './save-investment.ts';

/**
 * One form's change of what is owned. `run` does one at a time, then `done`; a refusal is told in `problems`, and what
 * was typed stays. `gone` is said of what another tab has removed meanwhile.
 */
export function useInvestmentChange(gone?: string) {
  const queries = useQueryClient();
  const [problems, refuse] = useState<readonly FormProblem[]>([]);
  const [pending, setPending] = useState(false);

  async function attempt(change: (queries: QueryClient) => Promise<void>, done: () => void): Promise<void> {
    if (pending) return;
    setPending(true);
    try {
      await change(queries);
      done();
    } catch (error) {
      const isGone = error instanceof ApiError && error.code === 'NOT_FOUND';
      refuse(isGone && gone !== undefined ? [{ field: null, message: gone }] : problemsOf(error));
    } finally {
      setPending(false);
    }
  }

  return { problems, pending, refuse, run: (...change: Parameters<typeof attempt>) => void attempt(...change) };
}
