import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../web/lib/call-api.ts';
import type { FormProblem } from '../../web/ui/form-errors.tsx';
import { problemsOf } from './save-investment.ts';

interface InvestmentChange {
  problems: readonly FormProblem[];
  pending: boolean;
  refuse(problems: readonly FormProblem[]): void;
  /** Runs one change at a time, then `done`; a refusal is told in `problems`, and what was typed stays. */
  run(change: (queries: QueryClient) => Promise<void>, done: () => void): void;
}

/** One form's change of what is owned. `gone` is said where another tab has removed it meanwhile. */
export function useInvestmentChange(gone: string): InvestmentChange {
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
      refuse(
        error instanceof ApiError && error.code === 'NOT_FOUND' ? [{ field: null, message: gone }] : problemsOf(error),
      );
    } finally {
      setPending(false);
    }
  }

  return { problems, pending, refuse, run: (change, done) => void attempt(change, done) };
}
