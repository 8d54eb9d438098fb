import { queryOptions } from '@tanstack/react-query';

/** Everything that changes with what is owned: invalidated together when an investment is added. */
export const INVESTMENTS = ['investments'] as const;

/** A read among them; the card that shows it and the page that reads ahead share one request. */
export const investmentQuery = <Answer>(name: string, read: (signal: AbortSignal) => Promise<Answer>) =>
  queryOptions<Answer>({
    queryKey: [...INVESTMENTS, name],
    queryFn: ({ signal }) => read(signal),
  });
