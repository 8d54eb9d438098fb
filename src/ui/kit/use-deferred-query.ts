import type { UseQueryResult } from '@tanstack/react-query';
import { useDeferredValue } from 'react';

/** Fields of a query that a screen needs. */
export type DeferredQueryResult<Data> = Pick<
  UseQueryResult<Data>,
  'data' | 'dataUpdatedAt' | 'error' | 'isPending' | 'refetch'
>;

/**
 * Returns a query whose first data renders as a deferred update, so that the page stays responsive while several
 * queries finish. Until then the query is pending. Later changes render at once.
 */
export function useDeferredQuery<Data>(query: DeferredQueryResult<Data>): DeferredQueryResult<Data> {
  const { data, refetch } = query;
  const hasRenderedData = useDeferredValue(data !== undefined);
  // TanStack Query does not re-render for fields that the screen does not read.
  return hasRenderedData || data === undefined
    ? query
    : { data: undefined, dataUpdatedAt: 0, error: null, isPending: true, refetch };
}
