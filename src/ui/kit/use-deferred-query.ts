import type { UseQueryResult } from '@tanstack/react-query';
import { useDeferredValue } from 'react';

/** What a screen needs of a reading. */
export type DeferredQueryResult<Data> = Pick<
  UseQueryResult<Data>,
  'data' | 'dataUpdatedAt' | 'error' | 'isPending' | 'refetch'
>;

/**
 * A reading whose first answer is rendered as a deferred update, so that the page stays usable while several arrive;
 * until then it is pending. Later changes are rendered at once.
 */
export function useDeferredQuery<Data>(query: DeferredQueryResult<Data>): DeferredQueryResult<Data> {
  const { data, refetch } = query;
  const hasRenderedData = useDeferredValue(data !== undefined);
  // The library draws nothing anew for a part of a query that the screen does not read.
  return hasRenderedData || data === undefined
    ? query
    : { data: undefined, dataUpdatedAt: 0, error: null, isPending: true, refetch };
}
