import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { ErrorMessage } from '../../../../../ui/kit/error-message.tsx';
import type { DeferredQueryResult } from '../../../../../ui/kit/use-deferred-query.ts';
import type { CardId } from '../../contract.ts';
import { fixedHeights, readCardHeight, storeCardHeight } from '../card-heights.ts';

interface QueryCardProps<Data> {
  id: CardId;
  title: string;
  query: DeferredQueryResult<Data>;
  /** Actions at the end of the card's header. */
  actions?: ReactNode;
  /** Whether the card probably has rows, so that loading reserves the height that this browser showed last. */
  hasRows: boolean;
  /** Rows during loading, or what the card says without rows. */
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
}

/**
 * Shows a card as high as its content. During loading it is as high as this browser showed it last, to avoid layout
 * shifts. If that is unknown, the cards after it wait.
 */
export function QueryCard<Data>({ id, title, query, actions, hasRows, skeleton, children }: QueryCardProps<Data>) {
  const titleId = useId();
  const section = useRef<HTMLElement>(null);
  const [lastHeight] = useState(() => readCardHeight(id));
  const { data, error, isPending, refetch } = query;
  const isReserved = isPending && hasRows && fixedHeights[id] === undefined;
  const hasData = data !== undefined;
  useEffect(() => {
    const { current: card } = section;
    if (!hasData || !card) return;
    const observer = new ResizeObserver(() => {
      const isExpanded = card.querySelector(':scope > [aria-expanded="true"]') !== null;
      // A card after one of unknown height has no box yet.
      if (!isExpanded && card.offsetHeight > 0) storeCardHeight(id, card.offsetHeight);
    });
    observer.observe(card);
    return () => observer.disconnect();
  }, [id, hasData]);
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
      ref={section}
      aria-labelledby={titleId}
      aria-busy={isPending}
      data-unsettled={(isReserved && lastHeight === undefined) || undefined}
      style={isReserved ? { height: lastHeight } : undefined}
      className={`card flex ${fixedHeights[id] ?? ''} flex-col overflow-hidden has-data-empty:min-h-0 has-data-empty:grow`}
    >
      <header className="flex min-h-12 flex-wrap items-center gap-x-2 px-4 pt-1 sm:px-5">
        <h2 id={titleId} className="flex-1 py-1.5 text-lead font-semibold tracking-tight">
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
