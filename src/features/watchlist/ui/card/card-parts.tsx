import { Icon } from '../../../../ui/kit/icon.tsx';
import type { Watchlist } from '../../contract.ts';
import { lazyTickerSearch } from './lazy-components.ts';
import { getMarketStatus } from './market-status.ts';

/** Shows the US market session and the time of the newest price below the title. */
export function MarketStatus({ list }: { list: Watchlist }) {
  const { session, isOpen, newest } = getMarketStatus(list);
  const maxDelayMinutes = Math.max(0, ...list.items.map((item) => (item.locked ? 0 : item.delayed_minutes)));
  return (
    <p className="flex min-h-5 flex-wrap items-center gap-x-2 gap-y-1 text-small text-ink-faint">
      {session !== null && (
        <span className="inline-flex items-center gap-1.5">
          <span aria-hidden="true" className={`size-1.5 rounded-full ${isOpen ? 'bg-gain' : 'bg-line-strong'}`} />
          {session}
        </span>
      )}
      {newest !== null && (
        <time dateTime={newest.iso} className="whitespace-nowrap">
          {newest.text}
        </time>
      )}
      {maxDelayMinutes > 0 && <span className="whitespace-nowrap">{`delayed up to ${maxDelayMinutes} min`}</span>}
    </p>
  );
}

/** Shows a row for adding a ticker at the end of a short list. */
export const AddTickerRow = ({ onClick }: { onClick: () => void }) => (
  <button
    type="button"
    onClick={onClick}
    {...lazyTickerSearch.preloadProps}
    className={
      'flex h-13 w-full items-center gap-3 border-t border-line px-4 text-small ' +
      'font-medium text-ink-soft hover:bg-sunken hover:text-ink sm:px-5'
    }
  >
    <span className="grid size-8 shrink-0 place-items-center rounded-control border border-dashed border-line-strong">
      <Icon name="plus" size={14} />
    </span>
    Add a ticker
  </button>
);

/** Shows rows with the height of real rows, so that the layout does not shift. The page announces the loading state. */
export function CardSkeleton() {
  return (
    <div>
      <div aria-hidden="true" className="px-4 pb-1.5 sm:px-5">
        <span className="skeleton h-4 w-32" />
        <span className="skeleton mt-3 h-5 w-24" />
      </div>
      {Array.from({ length: 6 }, (_, index) => (
        <div key={index} aria-hidden="true" className="flex h-15 items-center gap-3 border-t border-line px-4 sm:px-5">
          <span className="skeleton size-8" />
          <span className="grid flex-1 gap-2">
            <span className="skeleton h-3.5 w-14" />
            <span className="skeleton h-3 w-28" />
          </span>
          <span className="skeleton h-6 w-18" />
          <span className="grid w-22 justify-items-end gap-2">
            <span className="skeleton h-3.5 w-18" />
            <span className="skeleton h-3 w-12" />
          </span>
        </div>
      ))}
    </div>
  );
}
