import { queryOptions } from '@tanstack/react-query';
import { callApi } from './api.ts';

/** Everything that changes with what is owned: invalidated together when an investment is added. */
export const INVESTMENTS = ['investments'] as const;

/** A read among them by its name and path; the card that shows it and the page that reads ahead share one request. */
export const readOwned = <Answer>(name: string, path: string) =>
  queryOptions<Answer>({
    queryKey: [...INVESTMENTS, name],
    queryFn: ({ signal }) => callApi<Answer>({ path, signal }),
  });
