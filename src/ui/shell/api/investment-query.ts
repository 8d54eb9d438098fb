import { queryOptions } from '@tanstack/react-query';

/** Everything that changes with what is owned: invalidated together when an investment is added. */
export const investmentsQueryKey = ['investments'] as const;

/** A read among them; the card that shows it and the page that reads ahead share one request. */
export const createInvestmentQuery = <Answer>(name: string, fetchData: (signal: AbortSignal) => Promise<Answer>) =>
  queryOptions<Answer>({
    queryKey: [...investmentsQueryKey, name],
    queryFn: ({ signal }) => fetchData(signal),
  });
