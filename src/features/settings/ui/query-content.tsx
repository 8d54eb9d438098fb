import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorMessage } from '../../../ui/kit/error-message.tsx';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';

interface QueryContentProps<Data> {
  query: UseQueryResult<Data>;
  /** Text for screen readers while the data loads. */
  label: string;
  /** Number of lines of the expected content. */
  lines: number;
  children: (data: Data) => ReactNode;
}

/** Shows the data of a query, placeholder lines while it loads, or its error with a retry button. */
export function QueryContent<Data>({ query, label, lines, children }: QueryContentProps<Data>) {
  const { data, error, refetch } = query;
  if (data !== undefined) return children(data);
  if (!error) return <Skeleton lines={lines} label={label} />;
  return (
    <ErrorMessage
      error={error}
      retry={() => {
        void refetch();
      }}
    />
  );
}
