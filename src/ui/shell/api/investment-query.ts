import { queryOptions } from '@tanstack/react-query';

/** Key of all data that depends on the member's investments. Adding an investment invalidates the key. */
export const investmentsQueryKey = ['investments'] as const;

/** Creates a query below that key. The card and the prefetching page share one request. */
export const createInvestmentQuery = <Data>(name: string, fetchData: (signal: AbortSignal) => Promise<Data>) =>
  queryOptions<Data>({
    queryKey: [...investmentsQueryKey, name],
    queryFn: ({ signal }) => fetchData(signal),
  });
