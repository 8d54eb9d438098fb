import { queryOptions } from '@tanstack/react-query';
import { callApi } from '../../../ui/shell/api/api.ts';
import type { AnswerOf } from '../../../ui/shell/api/api-routes.ts';
import { ApiError } from '../../../ui/kit/api-error.ts';

/** Everything that changes with an answer. */
export const ASSISTANT = ['assistant'] as const;

export type AssistantStatus = AnswerOf<'GET /api/assistant'>;

/** Whether a model answers, and what is left of the day. */
export const statusQuery = queryOptions({
  queryKey: [...ASSISTANT, 'status'],
  queryFn: ({ signal }) => callApi('GET /api/assistant', { signal }),
});

/** The conversations of the last 30 days. */
export const conversationsQuery = queryOptions({
  queryKey: [...ASSISTANT, 'conversations'],
  queryFn: ({ signal }) => callApi('GET /api/assistant/conversations', { signal }),
  staleTime: 5_000,
});

/** What a report can be about: what is watched and not locked, and what is held, each once; numbers come last. */
export const symbolsQuery = queryOptions({
  queryKey: [...ASSISTANT, 'symbols'],
  queryFn: async ({ signal }) => {
    const [list, held] = await Promise.all([
      // Outside the rollout there is no list.
      callApi('GET /api/watchlist', { signal }).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return { items: [] };
        throw error;
      }),
      callApi('GET /api/investments/positions', { signal }),
    ]);
    const names = new Map<string, string | null>();
    for (const { symbol, name } of held.positions) names.set(symbol, name);
    for (const item of list.items) if (!item.locked) names.set(item.symbol, item.name);
    return [...names]
      .map(([symbol, name]) => ({ symbol, name }))
      .sort((a, b) => (placeOf(a.symbol) < placeOf(b.symbol) ? -1 : 1));
  },
});

/** Bonds are numbers: nobody looks for them first. */
const placeOf = (symbol: string): string => (/^\d/.test(symbol) ? `~${symbol}` : symbol);
