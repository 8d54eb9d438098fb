import { queryOptions } from '@tanstack/react-query';
import { callApi } from '../../../ui/shell/api/api.ts';
import type { RouteResponse } from '../../../ui/shell/api/api-routes.ts';
import { ApiError } from '../../../ui/kit/api-error.ts';

/** Prefix of the keys of all queries that change with an answer. */
export const ASSISTANT_QUERY_KEY = ['assistant'] as const;

export type AssistantStatus = RouteResponse<'GET /api/assistant'>;

/** Query for the availability of a model and the remaining quota of the day. */
export const statusQuery = queryOptions({
  queryKey: [...ASSISTANT_QUERY_KEY, 'status'],
  queryFn: ({ signal }) => callApi('GET /api/assistant', { signal }),
});

/** Query for the conversations of the last 30 days. */
export const conversationsQuery = queryOptions({
  queryKey: [...ASSISTANT_QUERY_KEY, 'conversations'],
  queryFn: ({ signal }) => callApi('GET /api/assistant/conversations', { signal }),
  staleTime: 5_000,
});

/**
 * Query for the symbols of reports: watched, unlocked and held symbols without duplicates. Numeric symbols are last.
 */
export const symbolsQuery = queryOptions({
  queryKey: [...ASSISTANT_QUERY_KEY, 'symbols'],
  queryFn: async ({ signal }) => {
    const [watchlist, portfolio] = await Promise.all([
      // Members outside the rollout have no watchlist.
      callApi('GET /api/watchlist', { signal }).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return { items: [] };
        throw error;
      }),
      callApi('GET /api/investments/positions', { signal }),
    ]);
    const nameBySymbol = new Map<string, string | null>();
    for (const { symbol, name } of portfolio.positions) nameBySymbol.set(symbol, name);
    for (const item of watchlist.items) if (!item.locked) nameBySymbol.set(item.symbol, item.name);
    return [...nameBySymbol]
      .map(([symbol, name]) => ({ symbol, name }))
      .sort((a, b) => (getSortKey(a.symbol) < getSortKey(b.symbol) ? -1 : 1));
  },
});

/** Returns a sort key that puts numeric symbols (bonds) last. */
const getSortKey = (symbol: string): string => (/^\d/.test(symbol) ? `~${symbol}` : symbol);
