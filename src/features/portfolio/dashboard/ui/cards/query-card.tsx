import { type ReactNode, useId } from 'react';
import { ErrorMessage } from '../../../../../ui/kit/error-message.tsx';
import type { DeferredQueryResult } from '../../../../../ui/kit/use-deferred-query.ts';

interface QueryCardProps<Data> {
  title: string;
  query: DeferredQueryResult<Data>;
  /** Actions at the end of the card's header. */
  actions?: ReactNode;
  minHeight?: string;
  /** Rows during loading, as high as the most likely content. */
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
}

/** Shows a card with equal height before and after loading, to avoid layout shifts. A card without rows is small. */
export function QueryCard<Data>({
  title,
  query,
  actions,
  minHeight = 'min-h-106',
  skeleton,
  children,
}: QueryCardProps<Data>) {
  const id = useId();
  const { data, error, isPending, refetch } = query;
  const renderContent = () => {
    if (data !== undefined) return children(data);
    if (isPending) return <div className="flex flex-1 flex-col">{skeleton}</div>;
    return (
      <div className="px-4 pb-4 sm:px-5">
        <ErrorMessage
          error={error}
          retry={() => {
            void refetch();
          }}
        />
      </div>
    );
  };
  return (
    <section
      aria-labelledby={id}
      aria-busy={isPending}
      className={`card flex ${minHeight} flex-col overflow-hidden has-data-empty:min-h-0 has-data-empty:grow`}
    >
      <header className="flex min-h-12 flex-wrap items-center gap-x-2 px-4 pt-1 sm:px-5">
        <h2 id={id} className="flex-1 py-1.5 text-lead font-semibold tracking-tight">
          {title}
        </h2>
        {actions}
      </header>
      {renderContent()}
    </section>
  );
}

interface RowSkeletonProps {
  rows: number;
  textOnly?: boolean;
  /** Height of a row. */
  className?: string;
}

/** Shows placeholder rows with the height of the card's rows. With `textOnly`, they have no logo and no amount. */
export function RowSkeleton({ rows, textOnly = false, className = 'h-13' }: RowSkeletonProps) {
  return (
    <div aria-hidden="true">
      {Array.from({ length: rows }, (_, index) => (
        <div
          key={index}
          className={`flex ${className} items-center gap-3 border-t border-line px-4 first:border-transparent sm:px-5`}
        >
          {!textOnly && <span className="skeleton size-8" />}
          <span className="grid flex-1 gap-2">
            <span className={`skeleton h-3.5 ${textOnly ? 'w-full' : 'w-20'}`} />
            <span className="skeleton h-3 w-32" />
          </span>
          {!textOnly && <span className="skeleton h-3.5 w-16" />}
        </div>
      ))}
    </div>
  );
}
